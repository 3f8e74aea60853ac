@testable import FlightRecorder
import Synchronization
import UAVLink
import UAVTestKit

@testable import ChannelProtocol

/// A link whose ends tell what a test says.
final class FakeChannel: TracedChannel {
    let link: FakeLink
    private let state = Mutex((parts: [ChannelTrace](), isTraced: false))

    init(_ link: FakeLink) { self.link = link }

    var kind: LinkKind { link.kind }
    var capabilities: LinkCapabilities { link.capabilities }
    var vehicleCapabilities: VehicleCapabilities { link.vehicleCapabilities }
    var latestTelemetry: Telemetry? { link.latestTelemetry }
    var quality: LinkQuality { link.quality }
    var isTraced: Bool { state.withLock(\.isTraced) }
    func telemetry() -> AsyncStream<Telemetry> { link.telemetry() }
    func connect(within timeout: Duration) async throws(LinkError) { try await link.connect(within: timeout) }
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try await link.perform(command, within: timeout)
    }
    @discardableResult
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt { try link.steer(setpoint) }
    func close() async { await link.close() }
    func startTracing(watchesSetpoints: Bool) { state.withLock { $0.isTraced = true } }
    func stopTracing() { state.withLock { $0.isTraced = false } }
    func give(_ part: ChannelTrace) { state.withLock { $0.parts.append(part) } }
    func takeTrace() -> [ChannelTrace] {
        state.withLock { state in
            defer { state.parts = [] }
            return state.parts
        }
    }
}
