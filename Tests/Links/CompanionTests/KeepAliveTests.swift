import Authority
import ChannelProtocol
import SocketTransport
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import Companion

/// A companion in front of a machine that has a failsafe of its own, and a control loop that sends setpoints when it is their turn.
@Suite("Keep-alive of a machine") struct KeepAliveTests {
    private let clock = FakeClock()
    private let machine: FakeMachine
    private let companion: Companion
    private let anna = SessionID(1)
    private let bert = SessionID(2)

    init() {
        machine = FakeMachine(clock: clock)
        companion = Companion(
            Companion.Configuration(vehicle: "drone"), backend: machine, isReached: true, clock: clock,
            log: CompanionLog { _ in })
    }

    /// Lets time pass as the channel's thread does: it wakes when it was asked to.
    private func pass(_ duration: Duration) {
        let end = clock.now + duration
        while let next = companion.tick(now: clock.now), next <= end {
            clock.advance(by: max(next - clock.now, .nanoseconds(1)))
        }
        clock.advance(by: max(end - clock.now, .zero))
    }

    private func steer(_ speed: Double, by session: SessionID) -> SteeringVerdict {
        companion.steer(
            VelocitySetpoint(
                velocityMetresPerSecond: Vector3(x: speed, y: 0, z: 0), frame: .body, intendedAt: clock.now),
            from: session, arrivedAt: clock.now)
    }

    private func take(_ session: SessionID) {
        companion.ask(.control(.take(name: "anna")), from: session, until: clock.now + .seconds(1)) { _ in }
    }

    @Test func `without a ground the machine is left to its own failsafe`() {
        pass(.seconds(60))
        #expect(machine.keptAliveAt.isEmpty)
    }

    @Test func `while a ground is heard it is kept from it, more often than a use counts`() {
        companion.sessionOpened(anna)
        let begun = clock.now
        pass(.seconds(30))
        let times = [begun] + machine.keptAliveAt + [clock.now]
        #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 <= .seconds(1) })
        #expect(machine.keptAliveAt.count < 70)
    }

    @Test func `a ground that is lost or closed does not keep it, one that is heard again does`() {
        companion.sessionOpened(anna)
        companion.sessionOpened(bert)
        pass(.seconds(1))
        companion.sessionLinkLost(anna)
        machine.forget()
        pass(.seconds(2))
        #expect(!machine.keptAliveAt.isEmpty)
        companion.sessionClosed(bert)
        machine.forget()
        pass(.seconds(20))
        #expect(machine.keptAliveAt.isEmpty)
        companion.sessionLinkRestored(anna)
        pass(.seconds(2))
        #expect(!machine.keptAliveAt.isEmpty)
        companion.sessionLinkLost(anna)
        companion.sessionClosed(anna)
        machine.forget()
        pass(.seconds(20))
        #expect(machine.keptAliveAt.isEmpty)
    }

    /// Telemetry comes on other threads, which may go on when the channel's hangs.
    @Test func `a companion whose channel thread hangs keeps nothing alive`() {
        companion.sessionOpened(anna)
        pass(.seconds(1))
        machine.forget()
        for _ in 0..<100 {
            clock.advance(by: .milliseconds(200))
            companion.see(Telemetry(vehicle: "drone"))
        }
        #expect(machine.keptAliveAt.isEmpty)
    }

    @Test func `a setpoint that waits for the machine's control loop is applied, and renews the lease`() {
        take(anna)
        #expect(steer(0, by: anna) == .applied)
        clock.advance(by: ControlAuthority<SessionID>.Times().neutralLead)
        for _ in 0..<50 {
            #expect(steer(1, by: anna) == .applied)
            pass(.milliseconds(20))
        }
        #expect(companion.steeringSession == anna)
        #expect(companion.counts.lapses == 0)
    }

    @Test func `the lease ends, and the machine is braked at once`() {
        take(anna)
        _ = steer(0, by: anna)
        clock.advance(by: ControlAuthority<SessionID>.Times().neutralLead)
        #expect(steer(1, by: anna) == .applied)
        let last = clock.now
        pass(.milliseconds(250))
        let brake = machine.setpoints.first { $0.isNeutral && $0.intendedAt > last }
        #expect(brake.map { $0.intendedAt - last } == .milliseconds(200))
        #expect(companion.steeringSession == nil)
        #expect(steer(1, by: anna) == .refused)
    }

    @Test func `a setpoint that the machine drops renews nothing`() {
        take(anna)
        _ = steer(0, by: anna)
        clock.advance(by: ControlAuthority<SessionID>.Times().neutralLead)
        #expect(steer(1, by: anna) == .applied)
        machine.drops.withLock { $0 = true }
        for _ in 0..<20 {
            #expect(steer(1, by: anna) == .refused)
            pass(.milliseconds(20))
        }
        #expect(companion.counts.lapses == 1)
        #expect(companion.pilotName == nil)
    }

    @Test func `another ground stops it and does not fly it, in words`() async throws {
        take(anna)
        let refused = await companion.perform(.takeoff, from: bert, within: .seconds(1), clock: clock)
        let reply = try refused.get()
        #expect(!reply.accepted)
        #expect(reply.message.contains("anna has had control authority"))
        #expect(machine.commands.isEmpty)
        let stop = await companion.perform(.emergencyLand, from: bert, within: .seconds(1), clock: clock)
        #expect(try stop.get().accepted)
        #expect(machine.commands == [.emergencyLand])
    }
}

/// A machine with a failsafe of its own, whose setpoints leave with a control loop.
private final class FakeMachine: KeepAliveLink {
    private struct State {
        var keptAliveAt: [MonotonicTime] = []
        var setpoints: [VelocitySetpoint] = []
        var commands: [Command] = []
    }

    private let clock: FakeClock
    private let state = Mutex(State())
    let drops = Mutex(false)

    init(clock: FakeClock) { self.clock = clock }

    var keptAliveAt: [MonotonicTime] { state.withLock { $0.keptAliveAt } }
    var setpoints: [VelocitySetpoint] { state.withLock { $0.setpoints } }
    var commands: [Command] { state.withLock { $0.commands } }
    func forget() { state.withLock { $0.keptAliveAt = [] } }

    let kind = LinkKind.direct
    var capabilities: LinkCapabilities { LinkCapabilities(keepAlive: self) }
    let vehicleCapabilities = VehicleCapabilities(
        machine: "drone", commands: [.takeoff, .land, .hover, .emergencyLand],
        steering: .init(
            axes: .all, frames: .body, unit: .deflection,
            most: .init(horizontalMetresPerSecond: 1, verticalMetresPerSecond: 1, turningRadiansPerSecond: 1)),
        telemetry: [.flight])
    let latestTelemetry: Telemetry? = nil
    let quality = LinkQuality(isConnected: true)

    func keepAlive() {
        let now = clock.now
        state.withLock { $0.keptAliveAt.append(now) }
    }
    func connect(within timeout: Duration) async throws(LinkError) {}
    func telemetry() -> AsyncStream<Telemetry> { AsyncStream { $0.finish() } }
    func close() async {}
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        state.withLock { $0.commands.append(command) }
        return CommandReply(accepted: true, message: "")
    }

    @discardableResult
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        let isTaken = !drops.withLock { $0 }
        if isTaken { state.withLock { $0.setpoints.append(setpoint) } }
        return SteeringReceipt(number: 1, sentAt: nil, isTaken: isTaken)
    }
}
