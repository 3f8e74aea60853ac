import FlightControl
import Synchronization
import Testing
import UAVLink
import UAVTestKit

/// A command whose effect is waited for while its user or its link goes away.
@Suite struct LostWaitTests {
    private let clock = FakeClock()

    /// What a wait of 60 s reports of a vehicle that is not heard from its second second on.
    private func wait(isConnected: Bool, returnsAfter: Duration? = nil) async throws -> (
        notices: [String], progress: [String], failure: String
    ) {
        let link = FakeLink(clock: clock, speed: 50)
        try await link.connect(within: .seconds(1))
        // It says nothing of itself: a vehicle that stands would end the wait.
        link.setVehicleSilent(true)
        var limits = FlightInteractor.Limits()
        limits.goal = .seconds(60)
        let flight = FlightInteractor(FlightDependency(link: link, clock: clock), limits: limits)
        let notices = Mutex<[String]>([])
        let progress = Mutex<[String]>([])
        let waiting = Task {
            try await flight.waitForEffect(
                of: .altitude(metres: 30), progress: { line in progress.withLock { $0.append(line) } },
                notice: { line in notices.withLock { $0.append(line) } })
        }
        await clock.run(for: .milliseconds(200))
        // A goal that it never reaches.
        if var telemetry = link.latestTelemetry {
            telemetry.flight = Sample(
                FlightStatus(
                    state: .flying, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true),
                at: clock.now)
            telemetry.tracker = Sample(
                TrackerStatus(
                    tracker: "MpcTracker", controller: "Se3Controller", takesReferences: true, hasGoal: true),
                at: clock.now)
            link.publish(telemetry)
        }
        link.setQuality(LinkQuality(isConnected: isConnected))
        if let returnsAfter {
            await clock.run(for: returnsAfter)
            if var telemetry = link.latestTelemetry {
                telemetry.tracker?.at = clock.now
                link.publish(telemetry)
            }
            link.setQuality(LinkQuality(isConnected: true))
            await clock.run(for: .milliseconds(100))
            #expect(notices.withLock { $0.last } == "the vehicle is heard again")
        }
        await clock.run(for: .seconds(61))
        let failure = await #expect(throws: FlightInteractor.Failure.self) {
            try await waiting.value
        }
        await link.close()
        return (notices.withLock { $0 }, progress.withLock { $0 }, failure?.description ?? "")
    }

    @Test func `a lost link is said within seconds, and its state is shown with its age`() async throws {
        let seen = try await wait(isConnected: false)
        #expect(
            seen.notices == [
                "link lost for 1 s; last state flying, MpcTracker, 1 s ago; waiting for it to come back"
            ])
        #expect(seen.progress.contains("link lost for 3 s; last state flying, MpcTracker, 3 s ago"))
        #expect(
            seen.failure.hasSuffix(
                "not at the goal after 60 s (link lost for 59 s; last state flying, MpcTracker, 59 s ago)"))
    }

    @Test func `so is a vehicle that is silent though its link is up`() async throws {
        let seen = try await wait(isConnected: true)
        #expect(seen.notices.map { $0.hasPrefix("no telemetry for 5 s; last state flying") } == [true])
        #expect(seen.failure.contains("(no telemetry for 59 s; last state flying, MpcTracker, 59 s ago)"))
    }

    @Test func `a link that comes back is waited for`() async throws {
        let seen = try await wait(isConnected: false, returnsAfter: .seconds(10))
        #expect(seen.notices.count == 3)
        #expect(seen.failure.contains("(no telemetry for 49 s"))
    }

    @Test func `a machine without trackers is described by its height, another one by a tracker that is missing`()
        async throws
    {
        for (parts, words) in [
            (VehicleCapabilities.TelemetryParts.all, "state flying, no tracker reported"),
            ([.flight, .height], "state flying, 0.8 m high"), (.flight, "state flying"),
        ] as [(VehicleCapabilities.TelemetryParts, String)] {
            let link = FakeLink(clock: clock, speed: 50)
            link.vehicleCapabilities.telemetry = parts
            try await link.connect(within: .seconds(1))
            link.setVehicleSilent(true)
            var limits = FlightInteractor.Limits()
            limits.landing = .seconds(3)
            let flight = FlightInteractor(FlightDependency(link: link, clock: clock), limits: limits)
            let waiting = Task { try await flight.waitForEffect(of: .land) }
            await clock.run(for: .milliseconds(200))
            var telemetry = Telemetry(vehicle: "uav1")
            telemetry.flight = Sample(
                FlightStatus(
                    state: .flying, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true),
                at: clock.now)
            if parts.contains(.height) { telemetry.heightAboveGroundMetres = Sample(0.8, at: clock.now) }
            link.publish(telemetry)
            await clock.run(for: .seconds(4))
            let failure = await #expect(throws: FlightInteractor.Failure.self) { try await waiting.value }
            #expect(failure?.description.contains("(\(words))") == true, "\(failure?.description ?? "")")
            await link.close()
        }
    }

    @Test(
        arguments: [
            CancellationError(), LinkError(.cancelled, "cancelled"),
            FlightInteractor.Failure.link(LinkError(.cancelled, "cancelled")),
        ] as [any Error])
    func `who interrupts a wait is told that the vehicle goes on`(error: any Error) {
        let trajectory = CommandInterruption(error, of: .startTrajectory)
        #expect(
            trajectory?.what == "interrupted: the vehicle goes on with 'trajectory start', which it has accepted")
        #expect(trajectory?.hint == "'hover' with the same options stops it")
        #expect(CommandInterruption(error, of: .takeoff)?.hint == "'land' with the same options lands it")
        let landing = CommandInterruption(error, of: .land)
        #expect(landing != nil)
        #expect(landing?.hint == nil)
    }

    @Test func `another failure is no interruption`() {
        #expect(CommandInterruption(LinkError(.timedOut, "late"), of: .takeoff) == nil)
        #expect(
            CommandInterruption(FlightInteractor.Failure.refused(command: "goto", message: ""), of: .takeoff) == nil)
    }

    @Test func `a command that is interrupted before it is sent says so, and does not count as sent`() async throws {
        let clock = FakeClock()
        let link = FakeLink(clock: clock)
        try await link.connect(within: .seconds(1))
        let flight = FlightInteractor(
            FlightDependency(link: link, clock: clock), onSend: { Issue.record("it was sent") })
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await flight.perform(.hover)
        }
        let failure = await #expect(throws: FlightInteractor.Failure.self) { _ = try await task.value }
        #expect(failure?.description == "interrupted: hover was not sent")
        #expect(link.commands.isEmpty)
        await link.close()
    }
}
