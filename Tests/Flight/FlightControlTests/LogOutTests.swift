import FlightControl
import Synchronization
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// A link that takes its time to close.
private final class SlowLink: UAVLink {
    private let link = FakeLink()
    private let clock: any MonotonicClock
    private let closed = Mutex<MonotonicTime?>(nil)

    init(clock: any MonotonicClock) { self.clock = clock }

    var closedAt: MonotonicTime? { closed.withLock { $0 } }
    var kind: LinkKind { link.kind }
    var capabilities: LinkCapabilities { link.capabilities }
    var vehicleCapabilities: VehicleCapabilities { link.vehicleCapabilities }
    var latestTelemetry: Telemetry? { link.latestTelemetry }
    var quality: LinkQuality { link.quality }

    func connect(within timeout: Duration) async throws(LinkError) { try await link.connect(within: timeout) }
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try await link.perform(command, within: timeout)
    }
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt { try link.steer(setpoint) }
    func telemetry() -> AsyncStream<Telemetry> { link.telemetry() }
    func close() async {
        try? await clock.sleep(for: .seconds(3))
        closed.withLock { $0 = clock.now }
        await link.close()
    }
}

@MainActor
@Suite struct LogOutTests {
    @Test func `vehicles whose links take long to close are logged out at the same time`() async {
        let timeSource = FakeTimeSource()
        let fleet = Fleet(timeSource: timeSource)
        let begun = timeSource.fake.now
        let links = ["one", "two", "three"].map { name in
            let link = SlowLink(clock: timeSource.fake)
            _ = fleet.add(profile: VehicleProfile(name: name), link: link)
            return link
        }
        let end = Task { await fleet.removeAll() }
        await timeSource.fake.run(for: .seconds(20))
        await end.value
        #expect(links.map(\.closedAt) == Array(repeating: begun + .seconds(3), count: 3))
        #expect(fleet.vehicles.isEmpty)
    }
}
