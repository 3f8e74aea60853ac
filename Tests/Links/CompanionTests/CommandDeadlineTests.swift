import ChannelProtocol
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import Companion

/// A command must not be begun when its caller has given up.
@Suite(.timeLimit(.minutes(1))) struct CommandDeadlineTests {
    private let log = CompanionLog { _ in }
    private let clock = FakeClock()

    @Test func `one that waits for the vehicle beyond its deadline is answered and never begun`() async throws {
        let backend = FakeLink()
        let late = LateLink(backend)
        let companion = Companion(.init(vehicle: "uav1"), backend: late, clock: clock, log: log)
        let run = Task { await companion.run { _ in } }
        #expect(await becomesTrue { late.isBeingReached })
        let result = try await clock.run(through: {
            await companion.perform(.takeoff, from: SessionID(1), within: .milliseconds(50), clock: clock)
        })
        guard case .failure(let error) = result else {
            Issue.record("performed")
            return
        }
        #expect(error.code == .timedOut && error.what.contains("takeoff was not sent to the vehicle"))
        late.open()
        // Once the vehicle is reached, what comes in time is performed, and nothing else ever was.
        _ = try await clock.run(through: { await companion.perform(.land, from: SessionID(1), clock: clock) })
        #expect(backend.commands == [.land])
        run.cancel()
    }

    @Test func `a stop that comes too late to be sent leaves a vehicle that moves, and it is braked`() async {
        let backend = PromptFake()
        let companion = Companion(.init(vehicle: "uav1"), backend: backend, isReached: true, clock: clock, log: log)
        companion.ask(.control(.take(name: "anna")), from: SessionID(1), until: clock.now + .seconds(1)) { _ in }
        for speed in [0.0, 1] {
            let setpoint = VelocitySetpoint(
                velocityMetresPerSecond: Vector3(x: speed, y: 0, z: 0), intendedAt: clock.now)
            #expect(companion.steer(setpoint, from: SessionID(1), arrivedAt: clock.now) == .applied)
            clock.advance(by: .milliseconds(30))
        }
        let late = await companion.perform(.hover, from: SessionID(1), within: .zero, clock: clock)
        #expect(throws: LinkError.self) { try late.get() }
        let before = backend.setpoints.withLock { $0.count }
        _ = companion.tick(now: clock.now)
        #expect(backend.setpoints.withLock { $0.dropFirst(before).map(\.isNeutral) } == [true])
    }

    @Test func `the vehicle is not given longer than the caller waits`() async {
        let backend = PromptFake()
        let companion = Companion(.init(vehicle: "uav1"), backend: backend, isReached: true, clock: clock, log: log)
        _ = await companion.perform(.land, from: SessionID(1), within: .seconds(2), clock: clock)
        _ = await companion.perform(.land, from: SessionID(1), within: .seconds(60), clock: clock)
        #expect(backend.patience.withLock { $0 } == [.seconds(2), .seconds(10)])
        let late = await companion.perform(.land, from: SessionID(1), within: .zero, clock: clock)
        #expect(throws: LinkError.self) { try late.get() }
        #expect(backend.patience.withLock { $0.count } == 2)
    }

    @Test func `a prompt backend is asked on the caller's thread, and steering has ended when the answer is reported`()
        async
    {
        let backend = PromptFake()
        let companion = Companion(.init(vehicle: "uav1"), backend: backend, isReached: true, clock: clock, log: log)
        let neutral = VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: clock.now)
        companion.ask(.control(.take(name: "anna")), from: SessionID(1), until: clock.now + .seconds(1)) { _ in }
        #expect(companion.steer(neutral, from: SessionID(1), arrivedAt: clock.now) == .applied)
        let holder = Mutex<SessionID?>(SessionID(1))
        companion.perform(.land, companion.now, from: SessionID(1), until: clock.now + .seconds(1)) { _ in
            holder.withLock { $0 = companion.steeringSession }
        }
        #expect(holder.withLock { $0 } == nil)
    }
}

/// A link that answers at once and notes how long it was given.
private final class PromptFake: CallbackFake {
    let patience = Mutex<[Duration]>([])
    let setpoints = Mutex<[VelocitySetpoint]>([])

    func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        patience.withLock { $0.append(timeout) }
        answer(.success(CommandReply(accepted: true, message: "")))
    }
    @discardableResult
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        setpoints.withLock { $0.append(setpoint) }
        return SteeringReceipt(number: 1, sentAt: setpoint.intendedAt)
    }
}
