import FlightControl
import RouteFlight
import Testing
import Trajectories
import UAVLink
import UAVTestKit

/// The vehicle may hold another trajectory than the one that is meant: another ground, or another file, came in between.
@MainActor
@Suite struct `The trajectory that the vehicle holds` {
    private let clock = FakeClock()
    private let link: FakeLink
    private let controller: RouteFlightController
    private let plan: TrajectoryPlan

    init() async throws {
        link = FakeLink(clock: clock)
        controller = RouteFlightController(FlightDependency(link: link, clock: clock))
        plan = try TrajectoryPlan(
            through: [0, 20].map { PlannedPoint(position: Vector3(x: $0, y: 0, z: 5)) }, FlightConditions())
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        link.always(.reply(CommandReply(accepted: true, message: "")))
    }

    private var samples: Int { plan.generated.trajectory.points.count }

    private func tell(_ length: Int, index: Int? = nil, at position: Vector3 = Vector3(x: 0, y: 0, z: 5)) {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.pose = Sample(
            Pose(frame: FrameName("uav1/gps_garmin_origin"), positionMetres: position, headingRadians: 0), at: clock.now
        )
        telemetry.tracker = Sample(
            TrackerStatus(
                tracker: "MpcTracker", controller: "Se3Controller", takesReferences: true, hasGoal: index != nil,
                isTrackingTrajectory: index != nil, trajectoryIndex: index ?? 0, trajectoryLength: length),
            at: clock.now)
        link.publish(telemetry)
        controller.look()
    }

    @Test func `one of another length is not started, and the refusal says both lengths`() async throws {
        controller.adopt(plan)
        await clock.run(for: .milliseconds(1100))
        tell(samples + samples / 2)
        let refusal = TrajectoryFlightFailure.anotherTrajectory(held: samples + samples / 2, planned: samples)
        await #expect(throws: refusal) { try await controller.compareWithVehicle(within: .seconds(5)) }
        await #expect(throws: refusal) { try await controller.start() }
        await #expect(throws: refusal) { try await controller.goToStart() }
        #expect(link.commands.isEmpty)
        #expect(refusal.isOfVehicle)
        #expect(
            refusal.description
                == "the vehicle holds another trajectory, of \(samples + samples / 2) samples instead of \(samples): "
                + "send this one first")
        try await controller.stop()
        #expect(link.commands == [.stopTrajectory])
    }

    @Test func `the same one, or nearly the same made anew from its file, is started`() async throws {
        controller.adopt(plan)
        for length in [samples, samples + 1, samples - 1] {
            tell(length)
            try await controller.compareWithVehicle(within: .seconds(5))
            try await controller.start()
        }
        #expect(link.commands.count == 3)
    }

    @Test func `a tracker that tells no length, or nothing, is no reason to refuse`() async throws {
        controller.adopt(plan)
        tell(0)
        try await controller.compareWithVehicle(within: .seconds(5))
        // A report of long ago says nothing of now.
        tell(3 * samples)
        await clock.run(for: .seconds(10))
        try await clock.run(through: { try await controller.compareWithVehicle(within: .seconds(5)) })
        try await controller.start()
        #expect(link.commands == [.startTrajectory])
    }

    @Test func `a report from before another process has sent it is no reason to refuse`() async throws {
        tell(3 * samples)
        controller.adopt(plan)
        let compared = Task { try await controller.compareWithVehicle(within: .seconds(5)) }
        for _ in 0..<5 {
            await clock.run(for: .milliseconds(100))
            tell(3 * samples)
        }
        await clock.run(for: .milliseconds(100))
        tell(samples)
        try await clock.run(through: { try await compared.value })
        try await controller.start()
        #expect(link.commands == [.startTrajectory])
    }

    @Test func `one that still differs after that time is another one`() async throws {
        controller.adopt(plan)
        let compared = Task { try await controller.compareWithVehicle(within: .seconds(5)) }
        for _ in 0..<12 {
            tell(3 * samples)
            await clock.run(for: .milliseconds(100))
        }
        let refusal = TrajectoryFlightFailure.anotherTrajectory(held: 3 * samples, planned: samples)
        await #expect(throws: refusal) { try await clock.run(through: { try await compared.value }) }
        #expect(controller.refusal(of: .start) == refusal)
    }

    @Test func `what another ground sends later is noticed, and a report from before the own upload is not`()
        async throws
    {
        tell(3 * samples)
        try await controller.send(try FlightConfirmation(plan).accept())
        #expect(controller.allows(.start))
        await clock.run(for: .milliseconds(500))
        tell(3 * samples)
        #expect(controller.allows(.start))
        await clock.run(for: .seconds(1))
        tell(samples)
        #expect(controller.allows(.start))
        tell(samples + 1)
        #expect(controller.refusal(of: .start) == .anotherTrajectory(held: samples + 1, planned: samples))
        #expect(controller.refusal(of: .resume) == .anotherTrajectory(held: samples + 1, planned: samples))
        #expect(controller.allows(.send) && controller.allows(.stop))
    }

    /// Flies it from the first sample to the last, each at a place.
    private func flown(_ place: (_ share: Double) -> Vector3) async throws -> RouteFlightEnd {
        controller.adopt(plan)
        tell(samples)
        try await controller.start()
        let watched = Task { try await controller.watch(until: clock.now + .seconds(600)) }
        for step in 0...20 {
            let share = Double(step) / 20
            tell(samples, index: Int(share * Double(samples - 1)), at: place(share))
            await clock.run(for: .milliseconds(100))
        }
        tell(samples, at: place(1))
        await clock.run(for: .milliseconds(100))
        return try await watched.value
    }

    @Test func `along the plan it was flown, also if the vehicle was started beside it`() async throws {
        #expect(try await flown { Vector3(x: 20 * $0, y: 0.2, z: 5) } == .flown)
        #expect(try await flown { Vector3(x: 20 * $0, y: max(0, 4 - 20 * $0), z: 5) } == .flown)
        // A gust.
        #expect(try await flown { Vector3(x: 20 * $0, y: abs($0 - 0.5) < 0.06 ? 2 : 0, z: 5) } == .flown)
    }

    @Test func `one of the same length in another place was not flown`() async throws {
        for place in [Vector3(x: 0, y: 0, z: 1), Vector3(x: 0, y: 6, z: 0)] {
            guard case .astray(let metres) = try await flown({ Vector3(x: 20 * $0, y: 0, z: 5) + place }) else {
                Issue.record("\(place) from the plan is not the plan")
                continue
            }
            #expect(abs(metres - place.length) < 1e-9)
        }
        // It leaves the plan after half of it; it comes to the plan at its end only.
        guard case .astray = try await flown({ Vector3(x: 10 * min(1, 2 * $0), y: 10 * max(0, 2 * $0 - 1), z: 5) }),
            case .astray = try await flown({ Vector3(x: 20 * $0, y: 12 - 10 * $0, z: 5) })
        else {
            Issue.record("neither is the plan")
            return
        }
        let words = RouteFlightEnd.astray(metres: 5.32).problem(at: .zero)
        #expect(
            words
                == "the vehicle did not fly along this trajectory: it was 5.3 m away from it; another one may be loaded"
        )
    }
}
