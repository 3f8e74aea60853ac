import SocketTransport
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import Companion

/// A command that comes before the companion has reached the vehicle.
@Suite(.timeLimit(.minutes(1))) struct BackendReachTests {
    private let log = CompanionLog { _ in }

    @Test func `it waits for a backend that is just being reached`() async throws {
        let late = LateLink(FakeLink())
        let companion = Companion(.init(vehicle: "uav1"), backend: late, log: log)
        let run = Task { await companion.run { _ in } }
        try await late.isBeingReached()
        async let waiting = companion.perform(.land, from: SessionID(1))
        late.open()
        let result = await waiting
        #expect(try result.get().accepted == false)
        run.cancel()
    }

    @Test func `it waits, too, when it comes before the companion has begun to reach anything`() async throws {
        let late = LateLink(FakeLink())
        let companion = Companion(.init(vehicle: "uav1"), backend: late, log: log)
        let answers = Mutex<[Result<CommandReply, LinkError>]>([])
        companion.perform(.land, from: SessionID(1), until: MonotonicTime(nanoseconds: .max)) { answer in
            answers.withLock { $0.append(answer) }
        }
        // What would refuse it does so in a task of its own.
        for _ in 0..<200 { await Task.yield() }
        #expect(answers.withLock { $0.isEmpty })
        let run = Task { await companion.run { _ in } }
        try await late.isBeingReached()
        late.open()
        let deadline = ContinuousClock.now + .seconds(10)
        while answers.withLock({ $0.isEmpty }), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(1))
        }
        try #require(answers.withLock { $0.count } == 1)
        #expect(throws: Never.self) { try answers.withLock { try $0[0].get() } }
        run.cancel()
    }

    @Test func `it is told why the backend cannot be reached`() async throws {
        let backend = FakeLink()
        let reason = LinkError(.rosMasterUnreachable, "no master")
        backend.failConnecting(with: reason)
        let companion = Companion(.init(vehicle: "uav1"), backend: backend, log: log)
        let run = Task { await companion.run { _ in } }
        var result = await companion.perform(.hover, from: SessionID(1))
        for _ in 0..<100 where result != .failure(reason) {
            try await Task.sleep(for: .milliseconds(10))
            result = await companion.perform(.hover, from: SessionID(1))
        }
        #expect(result == .failure(reason))
        run.cancel()
    }

    @Test func `it does not wait for long`() async throws {
        var configuration = Companion.Configuration(vehicle: "uav1")
        configuration.reachPatience = .milliseconds(50)
        let late = LateLink(FakeLink())
        let companion = Companion(configuration, backend: late, log: log)
        let run = Task { await companion.run { _ in } }
        try await late.isBeingReached()
        guard case .failure(let error) = await companion.perform(.hover, from: SessionID(1)) else {
            Issue.record("answered")
            return
        }
        #expect(error.code == .notConnected && error.what.contains("uav1"))
        run.cancel()
    }
}

/// A link that is connected when the test says so.
final class LateLink: UAVLink {
    private let link: FakeLink
    private let gate = AsyncStream<Void>.makeStream()
    private let isAsked = Atomic<Bool>(false)

    init(_ link: FakeLink) { self.link = link }

    /// Returns when somebody has begun to connect it.
    func isBeingReached() async throws {
        while !isAsked.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Whoever connects it may go on.
    func open() { gate.continuation.finish() }

    var kind: LinkKind { link.kind }
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

    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) { try link.steer(setpoint) }
    func telemetry() -> AsyncStream<Telemetry> { link.telemetry() }
    func close() async { await link.close() }
}
