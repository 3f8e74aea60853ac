import FlightControl
import RouteFlight
import Testing
import Trajectories
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
@Suite("One controller for flying a route")
struct RouteFlightControllerTests {
    let clock = FakeClock()
    let link: FakeLink
    let controller: RouteFlightController
    let accepted = FakeLink.Script.reply(CommandReply(accepted: true, message: ""))

    init() async throws {
        link = FakeLink(clock: clock)
        controller = RouteFlightController(FlightDependency(link: link, clock: clock))
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        link.always(accepted)
        tell()
    }

    func version(to x: Double = 10, _ source: RouteVersion.Source = .map) -> RouteVersion {
        RouteVersion(source, points: [0, x].map { PlannedPoint(position: Vector3(x: $0, y: 0, z: 5)) })
    }

    func confirmed(_ version: RouteVersion) throws -> ConfirmedPlan {
        let plan = try TrajectoryPlan(through: version.points, FlightConditions())
        return try FlightConfirmation(plan, leastClearanceMetres: 0.7, version: version).accept()
    }

    func tell(
        index: Int? = nil, goal: Bool = false, at position: Vector3 = Vector3(x: 0, y: 0.9, z: 5),
        takesReferences: Bool = true
    ) {
        let length = controller.held?.plan.generated.trajectory.points.count ?? 0
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.pose = Sample(
            Pose(frame: FrameName("uav1/gps_garmin_origin"), positionMetres: position, headingRadians: 0), at: clock.now
        )
        telemetry.tracker = Sample(
            TrackerStatus(
                tracker: "MpcTracker", controller: "Se3Controller", takesReferences: takesReferences,
                hasGoal: goal || index != nil, isTrackingTrajectory: index != nil, trajectoryIndex: index ?? 0,
                trajectoryLength: length), at: clock.now)
        link.publish(telemetry)
        controller.look()
    }

    func name(_ state: RouteFlightState) -> String {
        switch state {
        case .nothingSent: "nothing"
        case .uploading: "uploading"
        case .uploaded(let held, _): held.isOlder ? "uploaded, older" : "uploaded"
        case .goingToStart: "to start"
        case .flying(let held, _, _): held == nil ? "flying another's" : "flying"
        case .stopped: "stopped"
        case .flown: "flown"
        case .failed: "failed"
        }
    }

    var state: String { name(controller.state) }

    @Test("sent, to the start, started, stopped, resumed, flown")
    func wholeFlight() async throws {
        #expect(state == "nothing")
        try await controller.send(try confirmed(version()))
        #expect(state == "uploaded")
        #expect(controller.held?.leastClearanceMetres == 0.7)
        try await controller.goToStart()
        #expect(state == "to start")
        tell(goal: true)
        clock.advance(by: .seconds(3))
        tell()
        #expect(state == "uploaded")
        try await controller.start()
        #expect(state == "flying")
        clock.advance(by: .milliseconds(500))
        tell(index: 20)
        #expect(controller.progress.map { $0 > 0 && $0 < 1 } == true)
        try await controller.stop()
        #expect(state == "stopped")
        // The report of before the stop arrives after its answer.
        tell(index: 21)
        #expect(state == "stopped")
        clock.advance(by: .seconds(2))
        tell()
        #expect(state == "stopped")
        #expect(controller.allows(.resume))
        try await controller.resume()
        clock.advance(by: .milliseconds(500))
        let last = (controller.held?.plan.generated.trajectory.points.count ?? 1) - 1
        tell(index: last, at: Vector3(x: 9.8, y: 0, z: 5))
        clock.advance(by: .milliseconds(100))
        tell(at: Vector3(x: 10, y: 0, z: 5))
        #expect(state == "flown")
        #expect(
            link.commands.dropFirst() == [.goToTrajectoryStart, .startTrajectory, .stopTrajectory, .resumeTrajectory])
    }

    @Test("each refusal names its reason, stopping never is refused, and a refused action commands nothing")
    func refusals() async throws {
        for action in [RouteAction.goToStart, .start, .resume] {
            #expect(controller.refusal(of: action) == .nothingLoaded)
        }
        #expect(controller.allows(.send) && controller.allows(.stop))
        await #expect(throws: TrajectoryFlightFailure.nothingLoaded) { try await controller.start() }
        await #expect(throws: TrajectoryFlightFailure.nothingLoaded) { try await controller.goToStart() }
        await #expect(throws: TrajectoryFlightFailure.nothingLoaded) { try await controller.resume() }
        #expect(link.commands == [])
        try await controller.stop()
        #expect(link.commands == [.stopTrajectory])
        #expect(state == "nothing")
        link.script(.reply(CommandReply(accepted: true, message: "", trajectoryModified: true)))
        try await controller.send(try confirmed(version()))
        #expect(controller.held?.isChangedByVehicle == true)
        for action in [RouteAction.goToStart, .start, .resume] {
            #expect(controller.refusal(of: action) == .changedByVehicle)
        }
        try await controller.send(try confirmed(version()))
        try await controller.start()
        #expect(controller.allows(.resume))
        tell(index: 3)
        #expect(controller.refusal(of: .resume) == .alreadyFlying)
        #expect(RouteAction.allCases.filter { !controller.allows($0) } == [.resume])
    }

    @Test("a command that the vehicle refuses or does not answer changes nothing")
    func failures() async throws {
        try await controller.send(try confirmed(version()))
        link.script(.reply(CommandReply(accepted: false, message: "not flying")), .fail(LinkError(.timedOut, "silent")))
        await #expect(throws: TrajectoryFlightFailure.self) { try await controller.start() }
        await #expect(throws: TrajectoryFlightFailure.self) { try await controller.goToStart() }
        #expect(state == "uploaded")
        try await controller.start()
        tell(index: 5)
        link.script(.fail(LinkError(.timedOut, "silent")))
        await #expect(throws: TrajectoryFlightFailure.self) { try await controller.stop() }
        #expect(state == "flying")
    }

    @Test("after a failed upload nothing is held, and the next one is possible")
    func failedUpload() async throws {
        try await controller.send(try confirmed(version()))
        link.script(.reply(CommandReply(accepted: false, message: "not flying")))
        let next = try confirmed(version(to: 20))
        await #expect(throws: TrajectoryFlightFailure.self) { try await controller.send(next) }
        guard case .failed(.vehicle(let line)) = controller.state else {
            Issue.record("\(controller.state)")
            return
        }
        #expect(line.contains("not flying"))
        #expect(controller.held == nil)
        #expect(controller.refusal(of: .start) == .nothingLoaded)
        try await controller.send(next)
        #expect(state == "uploaded")
    }

    @Test("while uploading, a stop is commanded at once, and the upload goes on")
    func stopWhileUploading() async throws {
        try await controller.send(try confirmed(version()))
        try await controller.start()
        tell(index: 5)
        link.script(.delay(.seconds(20)))
        let next = try confirmed(version(to: 20))
        let upload = Task { try await controller.send(next) }
        await settle()
        #expect(state == "uploading")
        #expect(controller.progress == 0)
        #expect(controller.held == nil)
        for action in [RouteAction.send, .goToStart, .start, .resume] {
            #expect(controller.refusal(of: action) == .alreadySending)
        }
        await #expect(throws: TrajectoryFlightFailure.alreadySending) { try await controller.send(next) }
        // The clock stands still: nothing is waited for.
        try await controller.stop()
        #expect(link.commands.last == .stopTrajectory)
        #expect(state == "uploading")
        tell(index: 6)
        #expect(state == "uploading")
        link.always(nil)
        await clock.run(for: .seconds(21))
        _ = try await upload.value
        #expect(state == "uploaded")
        #expect(controller.held?.plan == next.plan)
    }

    @Test("a stop that is answered before an earlier start stays a stop")
    func answersOutOfOrder() async throws {
        try await controller.send(try confirmed(version()))
        link.script(.delay(.seconds(2)))
        link.always(nil)
        let start = Task { try? await controller.start() }
        await settle()
        link.script(accepted)
        try await controller.stop()
        #expect(state == "stopped")
        await clock.run(for: .seconds(3))
        await start.value
        #expect(state == "stopped")
    }

    @Test("each vehicle has its own controller for as long as it is logged in")
    func fleet() async {
        let (flights, fleet) = (RouteFlights(), Fleet())
        #expect(flights.selected(in: fleet, clock: clock) == nil)
        let first = fleet.add(profile: VehicleProfile(name: "one"), link: FakeLink(clock: clock))
        let one = flights.selected(in: fleet, clock: clock)
        #expect(one != nil && flights.selected(in: fleet, clock: clock) === one)
        fleet.add(profile: VehicleProfile(name: "two"), link: FakeLink(clock: clock))
        #expect(flights.selected(in: fleet, clock: clock) !== one)
        fleet.select(first.id)
        #expect(flights.selected(in: fleet, clock: clock) === one)
        await fleet.remove(first.id)
        fleet.add(profile: VehicleProfile(name: "one"), link: FakeLink(clock: clock))
        #expect(flights.selected(in: fleet, clock: clock) !== one)
        #expect(!flights.all.contains { $0 === one })
    }

    @Test func `a stop on the way to the start or elsewhere is a hover: the stack's own ends trajectories only`()
        async throws
    {
        try await controller.send(try confirmed(version()))
        try await controller.goToStart()
        // Its telemetry does not show yet that it flies there.
        try await controller.stop()
        #expect(link.commands.last == .hover && state == "uploaded")
        // A goto that was commanded elsewhere.
        clock.advance(by: .seconds(2))
        tell(goal: true)
        try await controller.stop()
        #expect(link.commands.suffix(2) == [.hover, .hover])
        // A landing has a goal too, and is not ended.
        tell(goal: true, takesReferences: false)
        try await controller.stop()
        #expect(link.commands.last == .stopTrajectory)
        // It hovers: nothing but a trajectory could begin.
        tell()
        try await controller.stop()
        #expect(link.commands.last == .stopTrajectory)
        // A trajectory is stopped, so that it can be resumed.
        try await controller.start()
        clock.advance(by: .seconds(2))
        tell(index: 20)
        try await controller.stop()
        #expect(link.commands.suffix(2) == [.startTrajectory, .stopTrajectory] && state == "stopped")
    }
}
