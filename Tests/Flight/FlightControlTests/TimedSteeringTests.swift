import FlightControl
import Testing
import UAVLink
import UAVTestKit

/// Steering for a given time: the vehicle is stopped at its end, whatever ended it, except where another pilot may have it.
@Suite struct TimedSteeringTests {
    private let clock = FakeClock()

    private func flyingLink() async throws -> FakeLink {
        let link = FakeLink(.flying, clock: clock)
        try await link.connect(within: .seconds(1))
        return link
    }

    private func steering(_ link: FakeLink) -> TimedSteering {
        TimedSteering(FlightDependency(link: link, clock: clock))
    }

    private func east(_ due: MonotonicTime) -> VelocitySetpoint {
        VelocitySetpoint(velocityMetresPerSecond: Vector3(x: 1, y: 0, z: 0), intendedAt: due)
    }

    /// Why steering failed; `nil` if it did not.
    private func failure(over link: FakeLink) async throws -> LinkError? {
        let steering = steering(link)
        do {
            try await clock.run(through: { try await steering.run(rateHertz: 100, for: .milliseconds(200), east) })
        } catch FlightInteractor.Failure.link(let error) {
            return error
        }
        return nil
    }

    @Test func `setpoints are sent for the time, and the vehicle is stopped`() async throws {
        let link = try await flyingLink()
        let steering = steering(link)
        let report = try await clock.run(through: {
            try await steering.run(rateHertz: 100, for: .milliseconds(200), east)
        })
        #expect(report.steering.sent == 20 && link.setpoints.count == 20)
        #expect(report.ending.accepted && link.asked.last == .command(.hover))
        // This link does not know what reached the vehicle.
        #expect(report.applied == nil && report.problem == nil)
        await link.close()
    }

    @Test func `steering of which nothing reached the vehicle is a failure, and says why`() {
        var steering = SteeringPump.Report()
        steering.sent = 200
        let ending = CommandReply(accepted: true, message: "")
        func problem(applied: UInt64?, _ state: FlightState?) -> String? {
            TimedSteering.Report(steering: steering, ending: ending, applied: applied, state: state).problem
        }
        #expect(problem(applied: 0, .takingOff) == "none of 200 setpoints reached the vehicle (state taking_off)")
        #expect(problem(applied: nil, .landing) == "the vehicle takes no setpoints (state landing)")
        #expect(problem(applied: 190, .flying) == nil)
        #expect(problem(applied: nil, .flying) == nil)
    }

    @Test func `the neutral setpoints of the stop are not among those that reached the vehicle`() {
        var steering = SteeringPump.Report()
        steering.sent = 200
        let ending = CommandReply(accepted: true, message: "")
        #expect(TimedSteering.Report(steering: steering, ending: ending, applied: 203).applied == 200)
        #expect(TimedSteering.Report(steering: steering, ending: ending, applied: 198).applied == 198)
    }

    @Test func `the vehicle is stopped when steering fails, too`() async throws {
        let link = try await flyingLink()
        link.failSteering(with: LinkError(.remoteFailed, "no"))
        #expect(try await failure(over: link)?.code == .remoteFailed)
        #expect(link.commands == [.hover])
        await link.close()
    }

    @Test func `without control authority nothing is stopped`() async throws {
        let link = try await flyingLink()
        link.failSteering(with: LinkError(.notInCommand, "ben has control authority"))
        #expect(try await failure(over: link)?.code == .notInCommand)
        #expect(link.commands.isEmpty)
        await link.close()
    }

    @Test func `an interrupt ends steering, and the vehicle is stopped all the same`() async throws {
        let link = try await flyingLink()
        let steering = steering(link)
        let task = Task { try await steering.run(rateHertz: 100, for: .seconds(600), east) }
        await clock.run(for: .milliseconds(300))
        #expect(link.setpoints.contains { !$0.isNeutral })
        task.cancel()
        let report = try await clock.run(through: { try await task.value })
        #expect(report.steering.duration < .seconds(1))
        #expect(report.isInterrupted && report.problem == "interrupted")
        #expect(link.commands == [.hover])
        await link.close()
    }
}
