import FlightVolume
import Geodesy
import RouteFlight
import Testing
import Trajectories
import UAVLink
import UAVTestKit

/// What is checked again before the vehicle flies the route that it holds.
extension RouteFlightControllerTests {
    private static let near = Vector3(x: 0, y: 0.9, z: 5)

    /// Telemetry with the charge of the battery, 0 to 1.
    private func report(battery: Double, at position: Vector3 = Self.near, height: Double? = nil) {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.heightAboveGroundMetres = height.map { Sample($0, at: clock.now) }
        telemetry.pose = Sample(
            Pose(frame: FrameName("uav1/gps_garmin_origin"), positionMetres: position, headingRadians: 0), at: clock.now
        )
        telemetry.battery = Sample(Battery(voltageVolts: 23, remaining: battery), at: clock.now)
        link.publish(telemetry)
        controller.look()
    }

    /// Sends a route that was checked with the charge and the position that telemetry reported.
    private func send(fullBatterySeconds: Double = 600) async throws {
        var settings = TrajectorySettings()
        settings.enduranceSeconds = fullBatterySeconds
        let version = version()
        let plan = try TrajectoryPlan(
            through: version.points, controller.flight.conditions(settings, volume: nil))
        try await controller.send(try FlightConfirmation(plan, version: version).accept(force: true))
    }

    @Test func `the battery is checked with its present charge, not that of when the route was sent`() async throws {
        report(battery: 0.32)
        #expect(controller.confirmation(of: .start) == nil)
        try await send()
        for action in [RouteAction.goToStart, .start, .resume] {
            #expect(controller.confirmation(of: action)?.isClear == true)
            #expect(controller.confirmation(of: action)?.batteryRemaining == 0.32)
        }
        report(battery: 0.17)
        for action in [RouteAction.goToStart, .start, .resume] {
            let now = try #require(controller.confirmation(of: action))
            #expect(!now.isClear && now.batteryRemaining == 0.17)
            let found = now.findings.filter { $0.kind == .battery }
            #expect(found.count == 1 && found[0].weight == .failure && found[0].text.contains("17 % remain"))
        }
        report(battery: 0.32)
        #expect(controller.confirmation(of: .start)?.isClear == true)
    }

    @Test func `a path below the ground of the vehicle is a fault, and one through a map is not`() throws {
        report(battery: 0.5, at: Vector3(x: 0, y: 0, z: 15), height: 1)
        let version = version()
        let known = controller.flight.conditions(TrajectorySettings(), volume: nil)
        func hasHeightFault(_ findings: [TrajectoryFinding]) -> Bool {
            findings.contains { $0.kind == .altitude && $0.weight == .failure }
        }
        let below = try TrajectoryPlan(through: version.points, known).report
        #expect(hasHeightFault(below.findings))
        #expect(below.lines.contains { $0.hasSuffix("give its z (--ground Z)") }, "\(below.lines)")
        #expect(!hasHeightFault(try TrajectoryPlan(through: version.points, known.overGroundOfMap()).report.findings))
    }

    @Test func `how long a battery lasts is that of the vehicle's history, and is remembered on the ground`() throws {
        report(battery: 0.5)
        func needed() throws -> Double? {
            try TrajectoryPlan(
                through: version().points, controller.flight.conditions(TrajectorySettings(), volume: nil)
            ).report.batteryNeeded
        }
        #expect(try needed() == nil)
        controller.flight.batteryLeft = { _ in .seconds(300) }
        let inFlight = try #require(try needed())
        #expect(inFlight > 0)
        controller.flight.batteryLeft = { _ in nil }
        #expect(try needed() == inFlight)
    }

    @Test func `a check that failed when the route was sent still counts`() async throws {
        report(battery: 0.17)
        try await send()
        report(battery: 0.9)
        let now = try #require(controller.confirmation(of: .start))
        #expect(!now.isClear && now.batteryRemaining == 0.9)
        #expect(now.findings.first?.text.hasPrefix("when it was sent: it needs ") == true)
        try await send()
        #expect(controller.confirmation(of: .start)?.isClear == true)
    }

    @Test func `the way to the start is that from the present position, and resuming does not fly it`() async throws {
        report(battery: 0.9)
        try await send()
        report(battery: 0.9, at: Vector3(x: 0, y: 2000, z: 5))
        let now = try #require(controller.confirmation(of: .goToStart))
        #expect(now.distanceToStartMetres == 2000 && !now.isClear)
        #expect(now.findings.contains { $0.kind == .distance && $0.text.contains("2000 m away") })
        #expect(controller.confirmation(of: .resume)?.isClear == true)
        report(battery: 0.9, at: Vector3(x: 0, y: 1, z: 5))
        #expect(controller.confirmation(of: .goToStart)?.distanceToStartMetres == 1)
        #expect(controller.confirmation(of: .goToStart)?.isClear == true)
    }

    @Test func `of what was stopped the rest remains, and the battery is checked for that`() async throws {
        report(battery: 0.9)
        try await send(fullBatterySeconds: 20)
        let whole = try #require(controller.confirmation(of: .resume)?.batteryNeeded)
        #expect(controller.remaining == nil && !controller.isStopped)
        try await controller.start()
        clock.advance(by: .milliseconds(500))
        let count = try #require(controller.held?.plan.generated.trajectory.points.count)
        tell(index: count / 2)
        try await controller.stop()
        #expect(controller.isStopped)
        let rest = try #require(controller.remaining)
        #expect(abs(rest.flownFraction - 0.5) < 0.01)
        #expect(abs(rest.position.x + rest.lengthMetres - 10) < 0.01 && rest.lengthMetres < 9)
        let needed = try #require(controller.confirmation(of: .resume)?.batteryNeeded)
        #expect(abs(needed - whole * (1 - rest.flownFraction)) < 1e-9)
    }

    @Test func `a route that was not started is on the vehicle after a stop, and is not offered to be resumed`()
        async throws
    {
        try await controller.send(try confirmed(version()))
        // On the ground the vehicle would refuse all of them.
        tell()
        try await controller.stop()
        #expect(link.commands.last == .stopTrajectory)
        #expect(state == "uploaded")
        #expect(controller.offered == [.start, .goToStart, .send])
        try await controller.goToStart()
        tell(goal: true)
        try await controller.stop()
        #expect(state == "uploaded")
        #expect(!controller.offered.contains(.resume))
        // Accepted, and stopped before telemetry reported it: part of it may have been flown.
        try await controller.start()
        try await controller.stop()
        #expect(state == "stopped")
        #expect(controller.offered.first == .resume && controller.remaining == nil)
    }

    @Test func `a route is not started from afar, nor resumed far from where it was stopped`() async throws {
        report(battery: 0.9)
        try await send()
        #expect(controller.offered == [.start, .goToStart, .send])
        // The stack would cut across to the moving reference.
        report(battery: 0.9, at: Vector3(x: 0, y: 1.5, z: 5))
        #expect(controller.refusal(of: .start) == .farFromStart(metres: 1.5))
        #expect(controller.offered == [.goToStart, .send])
        let sent = link.commands.count
        await #expect(throws: TrajectoryFlightFailure.farFromStart(metres: 1.5)) { try await controller.start() }
        #expect(link.commands.count == sent)
        report(battery: 0.9)
        try await controller.start()
        clock.advance(by: .milliseconds(500))
        let count = try #require(controller.held?.plan.generated.trajectory.points.count)
        tell(index: count / 2)
        try await controller.stop()
        let stopped = try #require(controller.remaining).position
        // On its way to rest it goes on for a while.
        report(battery: 0.9, at: stopped + Vector3(x: 2, y: 0, z: 0))
        #expect(controller.allows(.resume) && !controller.allows(.start))
        report(battery: 0.9, at: stopped + Vector3(x: 0, y: 60, z: 0))
        #expect(controller.refusal(of: .resume) == .farFromStop(metres: 60))
        #expect(controller.allows(.stop) && controller.offered == [.goToStart, .send])
    }

    /// A world with a square of 100 m, and an obstacle of 2 m around a place in it.
    private func world(_ name: String, obstacleAt place: Vector3? = nil) throws -> PresentWorld {
        var setup = WorldSetup()
        let origin = GeographicCoordinate(latitudeDegrees: 47.397743, longitudeDegrees: 8.545594)
        (setup.worldFile, setup.worldFileName) = (WorldFile(origin: .geographic(origin)), name)
        var volume = FlyableVolume(
            corners: [SIMD2(-50, -50), SIMD2(50, -50), SIMD2(50, 50), SIMD2(-50, 50)], minimumZMetres: 0.5,
            maximumZMetres: 15)
        if let place {
            let offsets: [SIMD2<Double>] = [SIMD2(-1, -1), SIMD2(1, -1), SIMD2(1, 1), SIMD2(-1, 1)]
            let corners = offsets.map { SIMD2(place.x, place.y) + $0 }
            volume.obstacles = [FlightObstacle(name: "wall", shape: .polygon(corners))]
        }
        return PresentWorld(volume: volume, findings: WorldFindings(setup, try setup.session()))
    }

    @Test func `in another world than when it was sent the path is checked again before each motion`() async throws {
        report(battery: 0.9)
        try await send()
        let (open, walled) = (try world("open.yaml"), try world("near.yaml", obstacleAt: Vector3(x: 5, y: 0, z: 0)))
        for action in [RouteAction.goToStart, .start, .resume] {
            #expect(controller.confirmation(of: action)?.isClear == true)
            await controller.check(in: open)
            let clear = try #require(controller.confirmation(of: action, in: open))
            #expect(clear.isClear && clear.plan.report.world?.path == "open.yaml")
            #expect(clear.plan.conditions.volume == open.volume)
            // That was so when it was sent.
            #expect(!clear.findings.contains { $0.text.contains("the safety area is unknown") })
            await controller.check(in: walled)
            let now = try #require(controller.confirmation(of: action, in: walled))
            #expect(!now.isClear && now.plan.report.world?.path == "near.yaml")
            let failures = now.findings.filter { $0.weight == .failure }
            #expect(failures.count == 1 && failures.first?.kind == .obstacle)
            #expect(failures.first?.text.contains("between point 1 and point 2") == true, "\(failures)")
        }
        #expect(controller.wasChecked(in: nil) && !controller.wasChecked(in: walled))
        // What stands in the way to the start only.
        report(battery: 0.9, at: Vector3(x: 0, y: 6, z: 5))
        let aside = try world("aside.yaml", obstacleAt: Vector3(x: 0, y: 3, z: 0))
        await controller.check(in: aside)
        let toStart = try #require(controller.confirmation(of: .goToStart, in: aside))
        #expect(toStart.findings.contains { $0.weight == .failure && $0.text.contains("the straight line from") })
        #expect(controller.confirmation(of: .resume, in: aside)?.isClear == true)
    }

    @Test func `until the path was checked in another world, it is flown by force only`() async throws {
        report(battery: 0.9)
        try await send()
        let words = "the path is being checked in the present world"
        let (open, wide) = (try world("open.yaml"), try world("wide.yaml", obstacleAt: Vector3(x: 40, y: 40, z: 0)))
        for world in [open, wide] {
            #expect(!controller.isChecked(in: world))
            let before = try #require(controller.confirmation(of: .start, in: world))
            #expect(before.findings.filter { $0.weight == .failure }.map(\.text) == [words])
            #expect(!before.isClear && controller.beginsCheck(in: world))
            await controller.check(in: world)
            #expect(controller.isChecked(in: world) && !controller.beginsCheck(in: world))
            #expect(controller.confirmation(of: .start, in: world)?.isClear == true)
        }
        // What is sent now was not checked in it, nor is what was found of the route before taken for its.
        try await send()
        #expect(controller.beginsCheck(in: wide) && !controller.isChecked(in: wide))
    }

    @Test func `what failed in the world of when it was sent still counts in another one`() async throws {
        report(battery: 0.9)
        let (open, walled) = (try world("open.yaml"), try world("near.yaml", obstacleAt: Vector3(x: 5, y: 0, z: 0)))
        let version = version()
        let known = controller.flight.conditions(TrajectorySettings(), volume: walled.volume)
        let plan = try TrajectoryPlan(through: version.points, known).warned(of: walled.findings)
        try await controller.send(try FlightConfirmation(plan, version: version).accept(force: true))
        #expect(controller.wasChecked(in: walled))
        let before = try #require(controller.confirmation(of: .start, in: walled))
        #expect(before.findings.count { $0.kind == .obstacle } == 1 && !before.isClear)
        await controller.check(in: open)
        let now = try #require(controller.confirmation(of: .start, in: open))
        let failures = now.findings.filter { $0.weight == .failure }
        #expect(failures.count == 1, "\(failures)")
        #expect(failures.first?.text.hasPrefix("when it was sent: between point 1 and point 2") == true)
    }
}
