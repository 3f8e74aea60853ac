import ChannelProtocol
import SocketTransport
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import Companion

/// A companion in front of a machine that is no MRS one.
@Suite(.timeLimit(.minutes(1))) struct CapabilityTests {
    private let clock = FakeClock()
    private let log = CompanionLog { _ in }

    @Test func `what the vehicle lacks is refused by name, reaches no vehicle, and takes nothing over`() async throws {
        let toy = ToyLink(clock: clock)
        try await toy.connect(within: .seconds(1))
        let companion = Companion(.init(vehicle: "toy1"), backend: toy, isReached: true, clock: clock, log: log)
        #expect(companion.vehicleCapabilities == ToyVehicle.capabilities)
        let neutral = VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: clock.now)
        companion.ask(.control(.take(name: "anna")), from: SessionID(1), until: clock.now + .seconds(1)) { _ in }
        #expect(companion.steer(neutral, from: SessionID(1), arrivedAt: clock.now) == .applied)
        let there = Command.goTo(.init(.frame(.current), position: .zero, headingRadians: 0))
        for session in [SessionID(1), SessionID(2)] {
            let result = await companion.perform(there, from: session, within: .seconds(1), clock: clock)
            let error = #expect(throws: LinkError.self) { try result.get() }
            #expect(error?.code == .unsupported)
            #expect(error?.what == "toy1: velocity toy has no goto")
        }
        #expect(toy.commands.isEmpty)
        // A goto would have ended steering.
        #expect(companion.steeringSession == SessionID(1))
        _ = await companion.perform(.takeoff, from: SessionID(1), within: .seconds(1), clock: clock)
        #expect(toy.commands == [.takeoff])
        await toy.close()
    }

    @Test func `questions that the backend cannot answer are refused`() async throws {
        let companion = Companion(
            .init(vehicle: "toy1"), backend: ToyLink(clock: clock), isReached: true, clock: clock, log: log)
        let answer = Mutex<Result<SurveyAnswer, LinkError>?>(nil)
        companion.ask(.flightEnvelope, from: SessionID(1), until: clock.now + .seconds(1)) { result in
            answer.withLock { $0 = result }
        }
        #expect(await becomesTrue { answer.withLock { $0 } != nil })
        #expect(
            answer.withLock { $0 }
                == .failure(LinkError(.unsupported, "the companion's backend cannot report the vehicle's limits")))
    }
}
