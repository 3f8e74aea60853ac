import Companion
import SocketTransport
import Synchronization
import Testing
import UAVLink
import UAVTestKit

/// The companion before a fake vehicle; the channel's calls are made by hand, at instants of a fake clock.
@Suite struct CompanionTests {
    let clock = FakeClock()
    let backend = FakeLink()
    let lines = Lines()
    let companion: Companion
    let session = SessionID(1)

    init() async throws {
        let lines = lines
        companion = Companion(
            Companion.Configuration(vehicle: "uav1"), backend: backend, isReached: true, clock: clock,
            log: CompanionLog { lines.add($0) })
        try await backend.connect(within: .seconds(1))
    }

    private func setpoint(_ speed: Double) -> VelocitySetpoint {
        VelocitySetpoint(velocityMetresPerSecond: Vector3(x: speed, y: 0, z: 0), intendedAt: clock.now)
    }

    private func steer(_ speed: Double, by session: SessionID? = nil) -> SteeringVerdict {
        companion.steer(setpoint(speed), from: session ?? self.session, arrivedAt: clock.now)
    }

    /// Hover is commanded from a task: lets it run.
    private func hovers(_ count: Int) async -> Bool {
        await becomesTrue { backend.commands.filter { $0 == .hover }.count == count }
    }

    @Test func `setpoints are passed on once a neutral one has come`() {
        #expect(steer(1) == .refused)
        #expect(backend.setpoints.isEmpty)
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        #expect(backend.setpoints.map(\.velocityMetresPerSecond.x) == [0, 1])
        #expect(companion.counts.applied == 2)
        #expect(companion.counts.refused == 1)
    }

    @Test func `silence for the length of the lease makes it hover, once`() async {
        #expect(steer(0) == .applied)
        #expect(companion.tick(now: clock.now) == clock.now + .milliseconds(200))
        clock.advance(by: .milliseconds(199))
        #expect(companion.tick(now: clock.now) == clock.now + .milliseconds(1))
        #expect(backend.commands.isEmpty)
        clock.advance(by: .milliseconds(1))
        #expect(companion.tick(now: clock.now) == nil)
        #expect(await hovers(1))
        clock.advance(by: .seconds(60))
        #expect(companion.tick(now: clock.now) == nil)
        #expect(backend.commands == [.hover])
        #expect(companion.counts.lapses == 1)
        #expect(lines.all.contains { $0.contains("no fresh setpoint for 200 ms: hovering") })
    }

    @Test func `after the lease lapsed motion does not come back by itself`() async {
        #expect(steer(0) == .applied)
        clock.advance(by: .milliseconds(300))
        _ = companion.tick(now: clock.now)
        #expect(steer(1) == .refused)
        clock.advance(by: .milliseconds(10))
        #expect(steer(1) == .refused)
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        #expect(await hovers(1))
    }

    @Test func `only one session steers`() {
        #expect(steer(0) == .applied)
        #expect(steer(0, by: SessionID(2)) == .refused)
        #expect(companion.steeringSession == session)
        #expect(lines.all.contains { $0.contains("another session steers") })
    }

    @Test(arguments: [
        Command.hover, .emergencyHover, .land, .goTo(.init(.relative, position: .zero, headingRadians: 0)),
    ])
    func `a command that takes over ends steering, and setpoints still on their way do not count`(
        command: Command
    ) async {
        backend.always(.reply(CommandReply(accepted: true, message: "")))
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        _ = await companion.perform(command, from: session)
        #expect(steer(1) == .refused)
        #expect(companion.tick(now: clock.now) == nil)
        #expect(companion.counts.lapses == 0)
    }

    @Test func `a stop ends steering even when the vehicle cannot be asked`() async {
        #expect(steer(0) == .applied)
        backend.always(.fail(LinkError(.rosMasterUnreachable, "gone")))
        let result = await companion.perform(.hover, from: session)
        #expect(throws: LinkError.self) { try result.get() }
        #expect(steer(1) == .refused)
    }

    @Test func `a refused goto leaves steering as it was`() async {
        #expect(steer(0) == .applied)
        backend.always(.reply(CommandReply(accepted: false, message: "outside")))
        _ = await companion.perform(.goTo(.init(.relative, position: .zero, headingRadians: 0)), from: session)
        #expect(steer(1) == .applied)
    }

    @Test func `what the vehicle says cannot play with the log`() async {
        backend.always(.reply(CommandReply(accepted: false, message: "no\u{1B}]0;x\u{07}\nok")))
        _ = await companion.perform(.land, from: session)
        #expect(lines.all.allSatisfy { line in line.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
    }

    @Test func `it is idle when no session is open`() {
        clock.advance(by: .seconds(5))
        #expect(companion.idleTime == .seconds(5))
        companion.sessionOpened(session)
        #expect(companion.idleTime == nil)
        companion.sessionClosed(session)
        #expect(companion.idleTime == .zero)
    }

    @Test func `a backend that cannot be reached is tried again, and said once`() async {
        let backend = FakeLink()
        backend.failConnecting(with: LinkError(.rosMasterUnreachable, "no master"))
        var configuration = Companion.Configuration(vehicle: "uav1")
        configuration.reconnectPause = .milliseconds(10)
        let lines = Lines()
        let companion = Companion(configuration, backend: backend, clock: clock, log: CompanionLog { lines.add($0) })
        let heard = Lines()
        let work = Task { await companion.run { heard.add($0.vehicle) } }
        await clock.run(for: .milliseconds(50))
        #expect(heard.all.isEmpty)
        backend.failConnecting(with: nil)
        #expect(await clock.run { !heard.all.isEmpty })
        work.cancel()
        await work.value
        #expect(!heard.all.isEmpty)
        #expect(lines.all.filter { $0.contains("no master") }.count == 1)
        #expect(lines.all.contains { $0.contains("is reached over sim") })
    }
}

/// Lines that were said, from any thread.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
