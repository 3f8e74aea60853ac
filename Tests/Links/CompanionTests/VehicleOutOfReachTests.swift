import Companion
import ChannelProtocol
import SocketTransport
import Synchronization
import Testing
import UAVLink
import UAVTestKit

/// A vehicle that takes no references for a while, since its flight stack restarts.
@Suite struct VehicleOutOfReachTests {
    private let clock = FakeClock()
    private let vehicle = DeafVehicle()
    private let companion: Companion
    private let session = SessionID(1)

    init() {
        companion = Companion(
            Companion.Configuration(vehicle: "uav1"), backend: vehicle, isReached: true, clock: clock,
            log: CompanionLog { _ in })
        companion.ask(.control(.take(name: "anna")), from: session, until: clock.now + .seconds(1)) { _ in }
    }

    private func steer(_ speed: Double) -> SteeringVerdict {
        let verdict = companion.steer(
            VelocitySetpoint(velocityMetresPerSecond: Vector3(x: speed, y: 0, z: 0), intendedAt: clock.now),
            from: session, arrivedAt: clock.now)
        clock.advance(by: .milliseconds(20))
        _ = companion.tick(now: clock.now)
        return verdict
    }

    @Test func `a stick held through it moves nothing when the vehicle is back`() {
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        vehicle.isDeaf.withLock { $0 = true }
        for _ in 0..<50 { #expect(steer(1) == .refused) }
        #expect(companion.pilotName == nil)
        vehicle.isDeaf.withLock { $0 = false }
        #expect(steer(1) == .refused)
        #expect(companion.counts.lapses == 1)
    }

    @Test func `steering does not begin with a neutral setpoint that never arrived`() {
        vehicle.isDeaf.withLock { $0 = true }
        #expect(steer(0) == .refused)
        vehicle.isDeaf.withLock { $0 = false }
        #expect(steer(1) == .refused)
        #expect(companion.pilotName == "anna")
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
    }

    @Test func `setpoints that expired on the way to the vehicle do not renew the lease`() {
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        vehicle.isLate.withLock { $0 = true }
        for _ in 0..<20 { #expect(steer(1) == .refused) }
        #expect(companion.pilotName == nil)
        #expect(companion.counts.lapses == 1)
    }

    @Test func `one setpoint that was not passed on costs nothing`() {
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        vehicle.isDeaf.withLock { $0 = true }
        #expect(steer(1) == .refused)
        vehicle.isDeaf.withLock { $0 = false }
        #expect(steer(1) == .applied)
        #expect(companion.pilotName == "anna")
    }
}

private final class DeafVehicle: UAVLink {
    let isDeaf = Mutex(false)
    let isLate = Mutex(false)
    let kind = LinkKind.ros
    let capabilities = LinkCapabilities()
    let vehicleCapabilities = VehicleCapabilities.mrs
    let latestTelemetry: Telemetry? = nil
    let quality = LinkQuality(isConnected: true)

    func connect(within timeout: Duration) async throws(LinkError) {}
    func telemetry() -> AsyncStream<Telemetry> { AsyncStream { $0.finish() } }
    func close() async {}
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        CommandReply(accepted: true, message: "")
    }

    @discardableResult
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        if isDeaf.withLock({ $0 }) { throw LinkError(.notConnected, "the vehicle does not listen") }
        return SteeringReceipt(number: 1, sentAt: isLate.withLock { $0 } ? nil : setpoint.intendedAt)
    }
}
