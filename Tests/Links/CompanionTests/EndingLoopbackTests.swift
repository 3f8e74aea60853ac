import ChannelProtocol
import CompanionControl
import IntegrationKit
import Secrets
import SocketTransport
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import Companion

/// A companion that ends while a ground steers: whatever ends it, the vehicle is braked before anything else.
@Suite("Ends of a companion that steers", .serialized, .timeLimit(.minutes(MachinePace.minutes(1))))
struct EndingLoopbackTests {
    private static let mostMilliseconds = 100.0
    private let clock = SystemMonotonicClock()

    enum End: CaseIterable, Sendable {
        /// TERM, INT and HUP cancel its task.
        case signal
        /// A request at its control socket.
        case stop
        /// Somebody ends its ROS node.
        case shutdown
        /// Its connection to the vehicle ends by itself.
        case connection

        var ending: CompanionService.Ending {
            switch self {
            case .signal, .stop: .asked
            case .shutdown: .backendEnded("shut down")
            case .connection: .backendEnded("the connection to the vehicle has ended")
            }
        }
    }

    /// Steers forward until it is cancelled.
    private func steer(_ link: SocketLink) async {
        await takeCommand(of: link)
        var sent = 0
        while !Task.isCancelled {
            let velocity = Vector3(x: sent < 5 ? 0 : 1, y: 0, z: 0)
            _ = try? link.steer(
                VelocitySetpoint(velocityMetresPerSecond: velocity, intendedAt: clock.now, validFor: .milliseconds(400))
            )
            sent += 1
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test(arguments: End.allCases) func `the vehicle is braked first`(when end: End) async throws {
        let folder = try TemporaryFolder()
        let runtime = try RuntimeDirectory(folder.path, environment: [:])
        let client = ControlClient(path: runtime.controlSocketPath(vehicle: "uav1"))
        let backend = EndingLink(clock: clock)
        var configuration = Companion.Configuration(vehicle: "uav1")
        // No pause of this machine ends steering before, and no lease brakes instead.
        configuration.lease = .seconds(30)
        let service = try await CompanionService(
            configuration, channel: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), backend: backend,
            runtime: runtime, log: CompanionLog { _ in })
        let work = Task { await service.run() }
        let link = try SocketLink(host: "127.0.0.1", carrier: .udp) { (_: Duration) async throws(LinkError) in
            try ChannelTicket.find(in: try client.ask(.ticket) ?? SecretBytes([]))
        }
        try await link.connect(within: .patient(seconds: 5))
        let stick = Task { await steer(link) }
        #expect(await eventually { backend.isMoved })

        let (watch, begin) = (SchedulingWatch(), SchedulingWatch.now)
        let askedAt = clock.now
        switch end {
        case .signal: work.cancel()
        case .stop: #expect(try client.ask(.stop)?.unwipedText == "stopping")
        case .shutdown: backend.shutDown("shut down")
        case .connection: backend.endTelemetry()
        }
        let ending = await work.value
        stick.cancel()
        await stick.value
        await link.close()
        #expect(ending == end.ending)
        #expect(!backend.isMoved, "a setpoint came after the brake")
        let brakedAt = try #require(
            backend.brakedAt(after: askedAt), "it was not braked before the connection was closed")
        watch.settle()
        let now = SchedulingWatch.now
        let waited = Double(watch.longestWait(from: begin, to: now)) / 1e6
        let milliseconds = (brakedAt - askedAt).inMilliseconds
        #expect(
            milliseconds - waited < Self.mostMilliseconds * MachinePace.factor,
            "\(milliseconds) ms; \(watch.account(from: begin, to: now))")
    }
}

/// A vehicle in the air, whose connection ends when the test says so.
private final class EndingLink: ShutdownRequestLink {
    private struct State {
        var setpoints: [(isNeutral: Bool, at: MonotonicTime)] = []
        var readers: [AsyncStream<Telemetry>.Continuation] = []
        var onShutdown: (@Sendable (String) -> Void)?
    }

    private let link: FakeLink
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    init(clock: any MonotonicClock) {
        self.clock = clock
        link = FakeLink(.flying, clock: clock)
    }

    /// Whether the newest setpoint that it took asks for motion.
    var isMoved: Bool { state.withLock { $0.setpoints.last?.isNeutral == false } }

    /// When the first neutral setpoint came after that.
    func brakedAt(after instant: MonotonicTime) -> MonotonicTime? {
        state.withLock { state in state.setpoints.first { $0.isNeutral && $0.at >= instant }?.at }
    }

    func shutDown(_ reason: String) { state.withLock { $0.onShutdown }?(reason) }

    func endTelemetry() {
        for reader in state.withLock({ $0.readers }) { reader.finish() }
    }

    var kind: LinkKind { link.kind }
    var capabilities: LinkCapabilities { LinkCapabilities(shutdownRequests: self) }
    var vehicleCapabilities: VehicleCapabilities { link.vehicleCapabilities }
    var quality: LinkQuality { link.quality }
    var latestTelemetry: Telemetry? { link.latestTelemetry }
    func connect(within timeout: Duration) async throws(LinkError) { try await link.connect(within: timeout) }
    func close() async { await link.close() }
    func setShutdownHandler(_ handler: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.onShutdown = handler }
    }
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try await link.perform(command, within: timeout)
    }

    /// Takes none once it is closed.
    @discardableResult
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        let receipt = try link.steer(setpoint)
        state.withLock { $0.setpoints.append((setpoint.isNeutral, clock.now)) }
        return receipt
    }

    func telemetry() -> AsyncStream<Telemetry> {
        let (stream, reader) = AsyncStream<Telemetry>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let source = link.telemetry()
        let task = Task {
            for await telemetry in source { reader.yield(telemetry) }
            reader.finish()
        }
        reader.onTermination = { _ in task.cancel() }
        state.withLock { $0.readers.append(reader) }
        return stream
    }
}
