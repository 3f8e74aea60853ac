import ChannelProtocol
import SocketTransport
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import Companion

/// A command that comes before the companion has reached the vehicle.
@Suite(.timeLimit(.minutes(1))) struct BackendReachTests {
    private let log = CompanionLog { _ in }
    private let clock = FakeClock()

    @Test func `it waits for a backend that is just being reached`() async throws {
        let late = LateLink(FakeLink())
        let companion = Companion(.init(vehicle: "uav1"), backend: late, clock: clock, log: log)
        let run = Task { await companion.run { _ in } }
        #expect(await becomesTrue { late.isBeingReached })
        let waiting = Task { await companion.perform(.land, from: SessionID(1), clock: clock) }
        await settle()
        late.open()
        let result = try await clock.run(through: { await waiting.value })
        #expect(try result.get().accepted == false)
        run.cancel()
    }

    @Test func `it waits, too, when it comes before the companion has begun to reach anything`() async throws {
        let late = LateLink(FakeLink())
        let companion = Companion(.init(vehicle: "uav1"), backend: late, clock: clock, log: log)
        let answers = Mutex<[Result<CommandReply, LinkError>]>([])
        companion.perform(.land, companion.now, from: SessionID(1), until: MonotonicTime(nanoseconds: .max)) { answer in
            answers.withLock { $0.append(answer) }
        }
        // What would refuse it does so in a task of its own.
        await settle()
        #expect(answers.withLock { $0.isEmpty })
        let run = Task { await companion.run { _ in } }
        #expect(await becomesTrue { late.isBeingReached })
        late.open()
        await clock.run(for: .milliseconds(100))
        try #require(answers.withLock { $0.count } == 1)
        #expect(throws: Never.self) { try answers.withLock { try $0[0].get() } }
        run.cancel()
    }

    @Test func `it gets the reason why the backend cannot be reached`() async throws {
        let backend = FakeLink()
        let reason = LinkError(.rosMasterUnreachable, "no master")
        backend.failConnecting(with: reason)
        let companion = Companion(.init(vehicle: "uav1"), backend: backend, clock: clock, log: log)
        let run = Task { await companion.run { _ in } }
        await settle()
        let result = await companion.perform(.hover, from: SessionID(1), clock: clock)
        #expect(result == .failure(reason))
        run.cancel()
    }

    @Test func `it does not wait for long`() async throws {
        var configuration = Companion.Configuration(vehicle: "uav1")
        configuration.firstConnectTimeout = .milliseconds(50)
        let late = LateLink(FakeLink())
        let companion = Companion(configuration, backend: late, clock: clock, log: log)
        let run = Task { await companion.run { _ in } }
        #expect(await becomesTrue { late.isBeingReached })
        let begun = clock.now
        let result = try await clock.run(through: { await companion.perform(.hover, from: SessionID(1), clock: clock) })
        // Half as long again as it may take to reach the backend.
        #expect(clock.now - begun <= .milliseconds(80))
        guard case .failure(let error) = result else {
            Issue.record("answered")
            return
        }
        #expect(error.code == .notConnected && error.what.contains("uav1"))
        run.cancel()
    }
}

/// A link that is connected when the test says so.
final class LateLink: CallbackLink {
    private let link: FakeLink
    private let gate = AsyncStream<Void>.makeStream()
    private let isAsked = Atomic<Bool>(false)

    private let takesCallbacks: Bool
    /// The commands that began with a callback, in order.
    let begun = Mutex<[Command]>([])

    /// - Parameter takesCallbacks: whether its commands begin where they are given.
    init(_ link: FakeLink, takesCallbacks: Bool = false) { (self.link, self.takesCallbacks) = (link, takesCallbacks) }

    /// Whether a caller has begun to connect it.
    var isBeingReached: Bool { isAsked.load(ordering: .acquiring) }

    /// Whoever connects it may go on.
    func open() { gate.continuation.finish() }

    var kind: LinkKind { link.kind }
    var capabilities: LinkCapabilities { LinkCapabilities(callbacks: takesCallbacks ? self : nil) }
    var vehicleCapabilities: VehicleCapabilities { link.vehicleCapabilities }
    var latestTelemetry: Telemetry? { link.latestTelemetry }
    var quality: LinkQuality { link.quality }

    func connect(within timeout: Duration) async throws(LinkError) {
        isAsked.store(true, ordering: .releasing)
        for await _ in gate.stream {}
        if Task.isCancelled { throw LinkError(.cancelled, "cancelled") }
        try await link.connect(within: timeout)
    }

    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try await link.perform(command, within: timeout)
    }

    func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        begun.withLock { $0.append(command) }
        answer(.success(CommandReply(accepted: true, message: "")))
    }

    @discardableResult
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt { try link.steer(setpoint) }
    func telemetry() -> AsyncStream<Telemetry> { link.telemetry() }
    func close() async { await link.close() }
}
