import FlightControl
import FlightVolume
import RouteFlight
import Geodesy
import Synchronization
import Testing
import Trajectories
import UAVLink
import UAVTestKit

@MainActor
@Suite("Sending and flying a trajectory")
struct TrajectoryFlightTests {
    private let clock = FakeClock()
    private let link: FakeLink
    private let flight: TrajectoryFlight

    init() {
        link = FakeLink(clock: clock)
        flight = TrajectoryFlight(FlightDependency(link: link, clock: clock))
    }

    private func route(to x: Double = 10, snapshots: [Int] = []) -> [PlannedPoint] {
        [0, x / 2, x].enumerated().map {
            PlannedPoint(position: Vector3(x: $1, y: 0, z: 5), takesSnapshot: snapshots.contains($0))
        }
    }

    private var field: FlyableVolume {
        FlyableVolume(
            corners: [SIMD2(-20, -20), SIMD2(20, -20), SIMD2(20, 20), SIMD2(-20, 20)], minimumZMetres: 1,
            maximumZMetres: 15)
    }

    private func plan(_ points: [PlannedPoint]) throws -> TrajectoryPlan {
        try TrajectoryPlan(through: points, flight.conditions(.init(), volume: field))
    }

    /// Telemetry of a vehicle that follows the trajectory.
    private func tell(index: Int?, of length: Int, at position: Vector3, remaining: Double? = nil) {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.pose = Sample(
            Pose(frame: FrameName("uav1/gps_garmin_origin"), positionMetres: position, headingRadians: 0), at: clock.now
        )
        telemetry.tracker = Sample(
            TrackerStatus(
                tracker: "MpcTracker", controller: "Se3Controller", takesReferences: true, hasGoal: index != nil,
                isTrackingTrajectory: index != nil, trajectoryIndex: index ?? 0, trajectoryLength: length),
            at: clock.now)
        telemetry.battery = remaining.map { Sample(Battery(voltageVolts: 23, remaining: $0), at: clock.now) }
        link.publish(telemetry)
    }

    @Test("Nothing is sent when a check fails, unless it is forced")
    func refusal() async throws {
        try await link.connect(within: .seconds(1))
        let confirmation = FlightConfirmation(try plan(route(to: 30)))
        #expect(!confirmation.isClear)
        #expect(throws: TrajectoryFlightFailure.self) { try confirmation.accept() }
        #expect(link.commands == [])
        let forced = try confirmation.accept(force: true)
        try await flight.send(forced)
        #expect(link.commands == [.uploadTrajectory(forced.plan.generated.trajectory)])
    }

    @Test("In flight the ground under the vehicle is known, its take-off position is not")
    func ground() async throws {
        try await link.connect(within: .seconds(1))
        tell(index: nil, of: 0, at: Vector3(x: 0, y: 0, z: 12.5))
        #expect(flight.groundZMetres == nil)
        var telemetry = try #require(link.latestTelemetry)
        let flying = FlightStatus(
            state: .flying, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true)
        telemetry.flight = Sample(flying, at: clock.now)
        telemetry.heightAboveGroundMetres = Sample(10, at: clock.now)
        link.publish(telemetry)
        #expect(flight.groundZMetres == 2.5)
        #expect(flight.home == nil)
        // A range finder that measures nothing at this height said that long before.
        link.setVehicleSilent(true)
        telemetry.heightAboveGroundMetres = nil
        telemetry.rangeFinderMetres = Sample(1, at: clock.now)
        clock.advance(by: .seconds(60))
        telemetry.pose?.at = clock.now
        link.publish(telemetry)
        #expect(flight.groundZMetres == nil)
        telemetry.rangeFinderMetres = Sample(4, at: clock.now)
        link.publish(telemetry)
        #expect(flight.groundZMetres == 8.5)
    }

    @Test("Sent, to the start, started, stopped, resumed: each only when commanded")
    func sequence() async throws {
        try await link.connect(within: .seconds(1))
        await #expect(throws: TrajectoryFlightFailure.nothingLoaded) { try await flight.start() }
        await #expect(throws: TrajectoryFlightFailure.nothingLoaded) { try await flight.goToStart() }
        let confirmed = try FlightConfirmation(try plan(route())).accept()
        let reported = Mutex<[Double]>([])
        try await flight.send(confirmed) { fraction in reported.withLock { $0.append(fraction) } }
        #expect(reported.withLock { $0.last } == 1)
        #expect(link.commands.count == 1)
        link.always(.reply(CommandReply(accepted: true, message: "")))
        try await flight.goToStart()
        try await flight.start()
        try await flight.stop()
        try await flight.resume()
        #expect(
            link.commands.dropFirst() == [.goToTrajectoryStart, .startTrajectory, .stopTrajectory, .resumeTrajectory])
        link.always(.reply(CommandReply(accepted: false, message: "not\u{1B}[1m flying")))
        do {
            try await flight.start()
            Issue.record("it was refused")
        } catch {
            #expect(error.description.contains("refused"))
            #expect(!error.description.contains("\u{1B}"))
        }
    }

    @Test("A trajectory whose points the vehicle changed is not flown")
    func changed() async throws {
        try await link.connect(within: .seconds(1))
        link.script(.reply(CommandReply(accepted: true, message: "trajectory loaded", trajectoryModified: true)))
        try await flight.send(try FlightConfirmation(try plan(route())).accept())
        #expect(flight.isChangedByVehicle)
        await #expect(throws: TrajectoryFlightFailure.changedByVehicle) { try await flight.start() }
        #expect(link.commands.count == 1)
    }

    @Test("A refused or failed upload leaves nothing loaded")
    func failedUpload() async throws {
        try await link.connect(within: .seconds(1))
        let confirmed = try FlightConfirmation(try plan(route())).accept()
        try await flight.send(confirmed)
        link.script(.fail(LinkError(.timedOut, "no answer")))
        await #expect(throws: TrajectoryFlightFailure.self) {
            try await clock.run(through: { try await flight.send(confirmed) })
        }
        await #expect(throws: TrajectoryFlightFailure.nothingLoaded) { try await flight.start() }
    }

    @Test("The envelope gives the limits; without it that is said")
    func envelope() async throws {
        try await link.connect(within: .seconds(1))
        #expect(try plan(route()).report.findings.contains { $0.kind == .motion && $0.weight == .warning })
        var slow = MotionLimits.medium
        slow.horizontal.speed = 1
        link.survey.envelope.limits = slow
        try await flight.readEnvelope()
        let made = try plan(route())
        #expect(!made.report.findings.contains { $0.kind == .motion })
        #expect(made.report.greatestSpeed <= 1 + 1e-9)
        link.survey.failure = LinkError(.timedOut, "silent")
        await #expect(throws: LinkError.self) { try await flight.readEnvelope() }
    }

    @Test("The flown track and its errors are recorded while it is tracked, and at no other time")
    func recording() async throws {
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        let made = try plan(route())
        try await flight.send(try FlightConfirmation(made).accept())
        let samples = made.generated.trajectory.points
        tell(index: nil, of: samples.count, at: Vector3(x: 99, y: 0, z: 0))
        flight.look()
        #expect(flight.track?.flown.isEmpty == true)
        for index in stride(from: 0, to: samples.count, by: 10) {
            clock.advance(by: .milliseconds(200))
            tell(index: index, of: samples.count, at: samples[index].position + Vector3(x: 0, y: 0.2, z: 0))
            flight.look()
            flight.look()
        }
        #expect(flight.track?.flown.count == (samples.count + 9) / 10)
        #expect(
            flight.track?.crossTrack.map { ($0.maximum - 0.2).magnitude < 1e-9 && ($0.mean - 0.2).magnitude < 1e-9 }
                == true)
        #expect(flight.track?.atTimeError.map { ($0.maximum - 0.2).magnitude < 1e-6 } == true)
        #expect(flight.progress.isTracking)
        #expect(flight.progress.fraction > 0.95)
    }

    @Test("Snapshots are due once each, the last one at the end")
    func snapshots() async throws {
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        let made = try plan(route(snapshots: [1, 2]))
        try await flight.send(try FlightConfirmation(made).accept())
        let samples = made.generated.trajectory.points
        var due: [Int] = []
        let middle = made.generated.pointSamples[1]
        for index in [0, middle - 1, middle, middle + 5, samples.count - 2] {
            clock.advance(by: .milliseconds(200))
            tell(index: index, of: samples.count, at: samples[index].position)
            let now = flight.look()
            if !now.isEmpty { #expect(index == middle) }
            due += now
        }
        #expect(due == [1])
        tell(index: nil, of: samples.count, at: samples[samples.count - 1].position)
        #expect(flight.look() == [2])
        #expect(flight.look() == [])
        try await flight.takeSnapshot()
        #expect(link.commands.last == .snapshot(service: Command.defaultSnapshotService))
    }

    @Test("What the confirmation shows comes from the plan and the vehicle")
    func confirmation() async throws {
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        tell(index: nil, of: 0, at: Vector3(x: 0, y: 4, z: 5), remaining: 0.9)
        var settings = TrajectorySettings()
        settings.enduranceSeconds = 600
        let made = try TrajectoryPlan(through: route(), flight.conditions(settings, volume: field))
        let shown = FlightConfirmation(made, leastClearanceMetres: 1.5)
        #expect(shown.distanceToStartMetres == 4)
        #expect(shown.batteryRemaining == 0.9)
        #expect(shown.batteryNeeded.map { ($0 - shown.durationSeconds / 600).magnitude < 1e-12 } == true)
        #expect((shown.lengthMetres - 10).magnitude < 1e-9)
        #expect(shown.leastClearanceMetres == 1.5)
    }

    @Test("A pose in a frame that is not known is no position")
    func frames() throws {
        func position(_ frame: String, _ session: WorldSession? = nil) -> Vector3? {
            WorldPosition(session: session).position(
                of: Pose(frame: FrameName(frame), positionMetres: Vector3(x: 1, y: 2, z: 3), headingRadians: 0))
        }
        let there = Vector3(x: 1, y: 2, z: 3)
        for frame in ["", "world_origin", "uav1/gps_garmin_origin", "uav1/rtk_origin"] {
            #expect(position(frame) == there)
        }
        #expect(position("uav1/local_origin") == nil)
        #expect(position("uav1/hector_origin") == nil)
        var session = try WorldSession(typed: .init(latitudeDegrees: 49, longitudeDegrees: 14))
        session.localOrigin = Vector3(x: 10, y: 0, z: 0)
        #expect(position("uav1/local_origin", session) == Vector3(x: 11, y: 2, z: 3))
    }
}
