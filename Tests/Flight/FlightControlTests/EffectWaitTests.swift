import FlightControl
import Synchronization
import Testing
import UAVLink
import UAVTestKit

/// What counts as the effect of a command, and what is reported until then.
@Suite struct EffectWaitTests {
    private let clock = FakeClock()

    private func connected(_ link: FakeLink) async throws -> FlightInteractor {
        try await link.connect(within: .seconds(1))
        var limits = FlightInteractor.Limits()
        limits.answer = .seconds(2)
        return FlightInteractor(FlightDependency(link: link, clock: clock), limits: limits)
    }

    @Test(arguments: [Command.emergencyHover, .arm(false), .land, .stopTrajectory])
    func `telemetry from before a command is no sign of its effect`(command: Command) async throws {
        let link = FakeLink(clock: clock, speed: 50)
        try await link.connect(within: .seconds(1))
        var limits = FlightInteractor.Limits()
        (limits.stop, limits.answer, limits.landing) = (.seconds(2), .seconds(2), .seconds(2))
        let flight = FlightInteractor(FlightDependency(link: link, clock: clock), limits: limits)
        await clock.run(for: .milliseconds(200))
        // It stands disarmed on the ground, and nothing is heard of it from now on.
        link.setVehicleSilent(true)
        await clock.run(for: .milliseconds(200))
        await #expect { try await clock.run(through: { try await flight.waitForEffect(of: command) }) } throws: {
            guard case FlightInteractor.Failure.noEffect = $0 else { return false }
            return true
        }
        link.setVehicleSilent(false)
        try await clock.run(through: { try await flight.waitForEffect(of: command) })
        await link.close()
    }

    @Test func `a caller that waits for a position is informed of the remaining distance`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        link.setVehicleSilent(true)
        let reported = Mutex<[String]>([])
        let waiting = Task {
            try await flight.waitForEffect(of: .altitude(metres: 3)) { line in reported.withLock { $0.append(line) } }
        }
        await clock.run(for: .seconds(1))
        stand(link, at: Vector3(x: 0, y: 0, z: 1), hasGoal: true)
        await clock.run(for: .seconds(1))
        stand(link, at: Vector3(x: 0, y: 0, z: 2), hasGoal: true)
        await clock.run(for: .seconds(1))
        stand(link, at: Vector3(x: 0, y: 0, z: 2.9))
        await clock.run(for: .seconds(1))
        _ = try await waiting.value
        #expect(reported.withLock { $0 }.suffix(2) == ["2.0 m from that height", "1.0 m from that height"])
        await link.close()
    }

    /// The flag of a goal appears up to 0.4 s after its command; until then that of the command before may still go.
    @Test func `a goal that ends right after a command was that of the command before`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        link.setVehicleSilent(true)
        let waiting = Task { try await flight.waitForEffect(of: .altitude(metres: 3)) }
        await clock.run(for: .milliseconds(100))
        stand(link, at: Vector3(x: 0, y: 0, z: 1), hasGoal: true)
        await clock.run(for: .milliseconds(200))
        stand(link, at: Vector3(x: 0, y: 0, z: 1))
        await clock.run(for: .milliseconds(300))
        stand(link, at: Vector3(x: 0, y: 0, z: 2), hasGoal: true)
        await clock.run(for: .seconds(3))
        stand(link, at: Vector3(x: 0, y: 0, z: 3))
        await clock.run(for: .seconds(1))
        #expect(try await waiting.value?.text.hasPrefix("arrived at 0.0 0.0 3.0") == true)
        await link.close()
    }

    /// Where a command ends that was given at 0 0 1.5 towards north, if the vehicle holds at 3.8 0.0 2.9 after 3 s.
    private func fly(_ command: Command) async throws -> Arrival? {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        link.setVehicleSilent(true)
        let start = Pose(frame: .current, positionMetres: Vector3(x: 0, y: 0, z: 1.5), headingRadians: .pi / 2)
        let waiting = Task { try await flight.waitForEffect(of: command, from: start) }
        await clock.run(for: .seconds(3))
        stand(link)
        await clock.run(for: .seconds(3))
        await link.close()
        return try await waiting.value
    }

    /// The vehicle is at a place; its goal flag has gone when it is there.
    private func stand(
        _ link: FakeLink, at place: Vector3 = Vector3(x: 3.8, y: 0, z: 2.9), heading: Double = 0, hasGoal: Bool = false
    ) {
        guard var telemetry = link.latestTelemetry else { return }
        let now = clock.now + .milliseconds(1)
        telemetry.pose = Sample(Pose(frame: .current, positionMetres: place, headingRadians: heading), at: now)
        telemetry.tracker = Sample(
            TrackerStatus(tracker: "MpcTracker", controller: "Se3Controller", takesReferences: true, hasGoal: hasGoal),
            at: now)
        link.publish(telemetry)
    }

    @Test(arguments: [
        (
            Command.goTo(.init(.frame(.current), position: Vector3(x: 5, y: 0, z: 3), headingRadians: 0)),
            "1.2 m from it"
        ),
        (.goTo(.init(.relative, position: Vector3(x: 5, y: 0, z: 1), headingRadians: 0)), "1.3 m from it"),
        (.goTo(.init(.body, position: Vector3(x: 0, y: -5, z: 1), headingRadians: 0)), "1.3 m from it"),
        (.altitude(metres: 4), "1.1 m from that height"), (.heading(radians: 1), "57° from that heading"),
    ])
    func `a goal that was replaced is not reached`(command: Command, miss: String) async throws {
        await #expect { try await fly(command) } throws: {
            "\($0)".contains("not reached: replaced at 3.8 0.0 2.9, \(miss)")
        }
    }

    @Test(arguments: [
        Command.goTo(.init(.frame(.current), position: Vector3(x: 4, y: 0.2, z: 3), headingRadians: 0)),
        .goTo(.init(.relative, position: Vector3(x: 4, y: 0, z: 1.5), headingRadians: 0)),
        .goTo(.init(.body, position: Vector3(x: 0, y: -4, z: 1.5), headingRadians: 0)), .altitude(metres: 3),
        .heading(radians: 0.1), .turn(byRadians: -.pi / 2),
    ])
    func `a goal that is reached is reported with position and time`(command: Command) async throws {
        let arrival = try #require(try await fly(command))
        #expect(arrival.text.hasPrefix("arrived at 3.8 0.0 2.9 after 3."), "\(arrival.text)")
    }

    /// Right after connecting no pose has come yet.
    @Test func `a place relative to the vehicle counts from the first pose, which is waited for`() async throws {
        let link = FakeLink(clock: clock)
        link.setVehicleSilent(true)
        let flight = try await connected(link)
        #expect(try await flight.startPose(of: .altitude(metres: 3)) == nil)
        let relative: [Command] = [
            .goTo(.init(.relative, position: .zero, headingRadians: 0)),
            .goTo(.init(.body, position: .zero, headingRadians: 0)), .turn(byRadians: 1),
        ]
        for command in relative {
            // One that never comes is not waited for without end.
            #expect(try await clock.run(through: { try await flight.startPose(of: command) }) == nil)
        }
        let waiting = relative.map { command in Task { try await flight.startPose(of: command) } }
        await clock.run(for: .seconds(1))
        var telemetry = Telemetry(vehicle: "uav1")
        let place = Vector3(x: 1, y: 2, z: 3)
        telemetry.pose = Sample(Pose(frame: .current, positionMetres: place, headingRadians: 0), at: clock.now)
        link.publish(telemetry)
        await clock.run(for: .milliseconds(100))
        for task in waiting { #expect(try await task.value?.positionMetres == place) }
        #expect(link.commands.isEmpty)
        await link.close()
    }

    @Test(arguments: [Command.stopTrajectory, .emergencyHover])
    func `a stop says where the vehicle hovers, and after how long`(command: Command) async throws {
        let link = FakeLink(.flying, clock: clock)
        let flight = try await connected(link)
        let arrival = try #require(try await clock.run(through: { try await flight.waitForEffect(of: command) }))
        #expect(arrival.outcome == .hovering && arrival.text.hasPrefix("hovering at "), "\(arrival.text)")
        await link.close()
    }

    @Test func `a goal in another frame than the pose is not said to be reached`() async throws {
        let place = Vector3(x: 50, y: 0, z: 3)
        let goto = Command.goTo(.init(.frame(.worldOrigin), position: place, headingRadians: 0))
        let arrival = try #require(try await fly(goto))
        #expect(arrival.outcome == .notCompared && arrival.text.contains("was not compared"), "\(arrival.text)")
        #expect(!arrival.isSuccess && arrival.text.contains("not known whether"))
    }
}
