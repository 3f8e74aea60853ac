import FlightControl
import Testing
import UAVLink
import UAVTestKit

/// Steering ends with the vehicle at rest, and with nothing that disturbs another pilot.
@Suite struct SteeringEndTests {
    private let clock = FakeClock()

    @Test func `command is given back behind neutral setpoints, and nothing is commanded`() async throws {
        let link = GatedLink(clock: clock)
        let reply = try await clock.run(through: {
            try await SteeringEnd.stop(link, because: "done", within: .seconds(1), clock: clock)
        })
        #expect(reply.accepted)
        #expect(link.wishes == [.release(reason: "done")])
        #expect(link.setpoints.count == 3 && link.setpoints.allSatisfy(\.isNeutral))
        #expect(link.commands.isEmpty)
    }

    @Test func `a program that stood still past its time, and lost control, is notified and commands nothing`()
        async throws
    {
        let link = GatedLink(clock: clock)
        link.answer(
            CommandReply(
                accepted: false, message: "you do not have control authority, ben has it: taken over by ben: a tree"))
        let flight = FlightInteractor(FlightDependency(link: link, clock: clock))
        await #expect { try await clock.run(through: { try await flight.endSteering(because: "done") }) } throws: {
            error in
            guard case FlightInteractor.Failure.link(let error) = error else { return false }
            return error.code == .notInCommand && error.what.contains("ben has it")
        }
        #expect(link.commands.isEmpty)
    }

    @Test func `steering a vehicle on the ground has steered nothing`() async throws {
        let link = GatedLink(clock: clock)
        link.see(.disarmed)
        let flight = FlightInteractor(FlightDependency(link: link, clock: clock))
        await #expect { try await clock.run(through: { try await flight.endSteering(because: "done") }) } throws: {
            error in
            "\(error)" == "the vehicle refused steering: the vehicle is not flying (disarmed)"
        }
        #expect(link.wishes == [.release(reason: "done")])
    }

    @Test func `without control authority it is hover, but not for a vehicle that lands`() async throws {
        let link = FakeLink(clock: clock)
        try await link.connect(within: .seconds(1))
        var telemetry = Telemetry(vehicle: "uav1")
        func see(_ state: FlightState) {
            telemetry.flight = Sample(
                FlightStatus(
                    state: state, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: false),
                at: clock.now)
            link.publish(telemetry)
        }
        for state in [FlightState.landing, .emergency] {
            see(state)
            let error = await #expect(throws: LinkError.self) {
                try await SteeringEnd.stop(link, because: "done", within: .seconds(1), clock: clock)
            }
            #expect(error?.code == .notInCommand)
        }
        #expect(link.commands.isEmpty)
        see(.flying)
        _ = try await SteeringEnd.stop(link, because: "done", within: .seconds(1), clock: clock)
        #expect(link.commands == [.hover])
        // And it is not steered on either.
        see(.landing)
        let report = try await SteeringPump(link: link, rateHertz: 100, clock: clock).run { due in
            VelocitySetpoint(velocityMetresPerSecond: Vector3(x: 1, y: 0, z: 0), intendedAt: due)
        }
        #expect(report.failure?.code == .notInCommand)
        #expect(report.sent == 0)
        await link.close()
    }

    /// MRS's landing from 3 m or more, and its return home: a goto, which a hover would end.
    @Test(arguments: [(Duration.zero, false), (.seconds(1), false), (.seconds(3), true)])
    func `a vehicle that flies what its flight stack commanded is sent no hover`(
        age: Duration, isCommanded: Bool
    ) async throws {
        let link = FakeLink(clock: clock)
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: .flying, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true),
            at: clock.now)
        telemetry.tracker = Sample(
            TrackerStatus(tracker: "MpcTracker", controller: "", takesReferences: false, hasGoal: true), at: clock.now)
        link.publish(telemetry)
        clock.advance(by: age)
        do {
            _ = try await SteeringEnd.stop(link, because: "done", within: .seconds(1), clock: clock)
            #expect(isCommanded)
        } catch {
            #expect(!isCommanded && error.code == .notInCommand && error.what == "the vehicle accepts no references")
        }
        #expect(link.commands == (isCommanded ? [.hover] : []))
        await link.close()
    }

    /// MRS's flight stack refuses a hover then; another one may take the vehicle from its pilot.
    @Test(arguments: [false, true])
    func `a vehicle that is flown by radio is steered no further, and sent no hover`(isOffboard: Bool) async throws {
        let link = FakeLink(clock: clock)
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: .armed, isArmed: true, isOffboard: isOffboard, isOutputEnabled: false,
                isFlyingNormally: false), at: clock.now)
        telemetry.heightAboveGroundMetres = Sample(4, at: clock.now)
        link.publish(telemetry)
        let error = await #expect(throws: LinkError.self) {
            try await SteeringEnd.stop(link, because: "done", within: .seconds(1), clock: clock)
        }
        #expect(error?.code == .notInCommand && error?.what == "the vehicle is flown by radio")
        let report = try await SteeringPump(link: link, rateHertz: 100, clock: clock).run { due in
            VelocitySetpoint(velocityMetresPerSecond: Vector3(x: 1, y: 0, z: 0), intendedAt: due)
        }
        #expect(report.failure?.what == "the vehicle is flown by radio" && report.sent == 0)
        #expect(link.asked.isEmpty)
        await link.close()
    }

    @Test func `a goto that another pilot's landing ends has not arrived`() async throws {
        let link = FakeLink(clock: clock)
        try await link.connect(within: .seconds(1))
        let flight = FlightInteractor(FlightDependency(link: link, clock: clock))
        let goto = Command.goTo(.init(.relative, position: .zero, headingRadians: 0))
        func see(_ state: FlightState, hasGoal: Bool) {
            var telemetry = Telemetry(vehicle: "uav1")
            telemetry.flight = Sample(
                FlightStatus(
                    state: state, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true),
                at: clock.now)
            telemetry.tracker = Sample(
                TrackerStatus(tracker: "MpcTracker", controller: "", takesReferences: true, hasGoal: hasGoal),
                at: clock.now)
            link.publish(telemetry)
        }
        let waiting = Task { try await flight.waitForEffect(of: goto) }
        await settle()
        clock.advance(by: .milliseconds(100))
        see(.flying, hasGoal: true)
        await settle()
        clock.advance(by: .milliseconds(100))
        see(.landing, hasGoal: false)
        await settle()
        clock.advance(by: .milliseconds(100))
        await #expect { try await waiting.value } throws: { error in
            if case FlightInteractor.Failure.cancelled(let command, _, _) = error { command == "goto" } else { false }
        }
        await link.close()
    }
}
