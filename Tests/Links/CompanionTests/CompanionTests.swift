import Authority
import Companion
import ChannelProtocol
import SocketTransport
import Synchronization
import Testing
import UAVLink
import UAVTestKit

/// The companion before a fake vehicle; the channel's calls are made by hand, at instants of a fake clock.
@Suite struct CompanionTests {
    let clock = FakeClock()
    let backend: FakeLink
    let lines = Lines()
    let companion: Companion
    let session = SessionID(1)

    init() async throws {
        let lines = lines
        backend = FakeLink(clock: clock)
        companion = Companion(
            Companion.Configuration(vehicle: "uav1"), backend: backend, isReached: true, clock: clock,
            log: CompanionLog { lines.add($0) })
        try await backend.connect(within: .seconds(1))
    }

    func setpoint(_ speed: Double) -> VelocitySetpoint {
        VelocitySetpoint(velocityMetresPerSecond: Vector3(x: speed, y: 0, z: 0), intendedAt: clock.now)
    }

    /// After a neutral one as much time goes by as what asks for motion has to wait for.
    func steer(_ speed: Double, by session: SessionID? = nil) -> SteeringVerdict {
        let verdict = companion.steer(setpoint(speed), from: session ?? self.session, arrivedAt: clock.now)
        if speed == 0, verdict == .applied { clock.advance(by: ControlAuthority<SessionID>.Times().neutralLead) }
        return verdict
    }

    /// The session takes command.
    func take(_ session: SessionID? = nil, _ name: String = "anna") {
        #expect(ask(.take(name: name), from: session ?? self.session).accepted)
    }

    func take(_ session: SessionID, _ name: String, by force: String) {
        #expect(ask(.takeOver(name: name, reason: force), from: session).accepted)
    }

    func ask(_ wish: ControlAuthorityRequest, from session: SessionID) -> CommandReply {
        let replies = Mutex<[CommandReply]>([])
        companion.ask(.control(wish), from: session, until: clock.now + .seconds(1)) { result in
            if case .success(.control(let reply)) = result { replies.withLock { $0.append(reply) } }
        }
        return replies.withLock { $0.first } ?? CommandReply(accepted: false, message: "no answer at once")
    }

    /// Lets time pass as the channel's thread does: it wakes at the time that it was given.
    func pass(_ duration: Duration) {
        let end = clock.now + duration
        while true {
            let deadline = companion.tick(now: clock.now)
            guard let deadline, deadline <= end else { break }
            clock.advance(by: max(deadline - clock.now, .nanoseconds(1)))
        }
        clock.advance(by: max(end - clock.now, .zero))
        _ = companion.tick(now: clock.now)
    }

    var speeds: [Double] { backend.setpoints.map(\.velocityMetresPerSecond.x) }

    @Test func `setpoints are passed on once command is taken and a neutral one has come`() {
        #expect(steer(0) == .refused)
        take()
        #expect(steer(1) == .refused)
        #expect(backend.setpoints.isEmpty)
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        #expect(speeds == [0, 1])
        #expect(companion.counts.applied == 2)
        #expect(companion.counts.refused == 2)
    }

    @Test func `a setpoint that is on its way while the companion begins to end is followed by a brake`() {
        take()
        #expect(steer(0) == .applied)
        backend.onSteer { [companion] in companion.stopSteering() }
        #expect(steer(1) == .applied)
        // Its brake, the setpoint, and the brake behind it.
        #expect(speeds == [0, 0, 1, 0])
        #expect(steer(0) == .refused)
    }

    @Test func `a companion that is ending begins nothing that moves the vehicle, and takes stops`() async {
        companion.stopSteering()
        let refused = Mutex<[CommandReply]>([])
        companion.perform(
            .goTo(.init(.relative, position: .zero, headingRadians: 0)), companion.now, from: session,
            until: clock.now + .seconds(1)
        ) { result in
            if case .success(let reply) = result { refused.withLock { $0.append(reply) } }
        }
        #expect(refused.withLock { $0 }.map(\.accepted) == [false])
        #expect(refused.withLock { $0 }.first?.message == "the companion is ending")
        #expect(
            ask(.take(name: "anna"), from: session) == CommandReply(accepted: false, message: "the companion is ending")
        )
        #expect(steer(0) == .refused)
        companion.perform(.hover, companion.now, from: session, until: clock.now + .seconds(1)) { _ in }
        await settle()
        #expect(backend.commands == [.hover])
    }

    @Test func `leases that lapse again and again are said at once, and then how often`() {
        for _ in 0..<40 {
            take()
            #expect(steer(0) == .applied && steer(1) == .applied)
            pass(.seconds(1))
        }
        #expect(companion.counts.lapses == 40)
        let word = "sent no fresh setpoint for 200 ms: lease expired, braking"
        #expect(lines.all.filter { $0.contains(word) }.count == 1, "\(lines.all)")
        pass(.seconds(21))
        #expect(lines.all.filter { $0.contains(word) }.last?.hasSuffix("(repeated 39 times)") == true)
        #expect(lines.all.filter { $0.contains(word) }.count == 2)
    }

    @Test func `a link that comes and goes is said at once, and then how often`() {
        for _ in 0..<40 {
            companion.sessionLinkLost(session)
            pass(.seconds(1))
            companion.sessionLinkRestored(session)
        }
        #expect(lines.all.filter { $0.contains("link loss, no frames received") }.count == 1)
        #expect(lines.all.filter { $0.contains("link restored") }.count == 1)
        pass(.seconds(21))
        #expect(lines.all.filter { $0.hasSuffix("(repeated 39 times)") }.count == 2, "\(lines.all)")
    }

    @Test func `missing setpoints in motion brake when the lease ends, by setpoints and no command`() {
        take()
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        #expect(companion.tick(now: clock.now) == clock.now + .milliseconds(200))
        clock.advance(by: .milliseconds(199))
        #expect(companion.tick(now: clock.now) == clock.now + .milliseconds(1))
        #expect(speeds == [0, 1])
        clock.advance(by: .milliseconds(1))
        _ = companion.tick(now: clock.now)
        #expect(speeds == [0, 1, 0])
        pass(.seconds(60))
        #expect(speeds.dropFirst(2).allSatisfy { $0 == 0 } && speeds.count == 12)
        #expect(backend.commands.isEmpty)
        #expect(companion.counts.lapses == 1)
        #expect(lines.all.contains { $0.contains("no fresh setpoint for 200 ms: lease expired, braking") })
    }

    @Test func `after the lease lapsed motion does not come back by itself`() {
        take()
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        pass(.milliseconds(300))
        #expect(steer(1) == .refused)
        #expect(steer(0) == .refused)
        take()
        #expect(steer(1) == .refused)
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
    }

    /// The vehicle's node may have been killed, and come back in flight.
    @Test func `setpoints that do not reach the vehicle renew no lease, and bring no motion back with it`() {
        let unheard = LinkError(.notConnected, "no listener", hint: "start it")
        take()
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        backend.failSteering(with: unheard)
        for _ in 0..<9 {
            pass(.milliseconds(20))
            #expect(steer(1) == .refused)
        }
        #expect(companion.pilotName == "anna")
        pass(.milliseconds(20))
        #expect(companion.pilotName == nil && companion.counts.lapses == 1)
        // It is braked as soon as it can be reached again, and no stick that is still pushed moves it.
        #expect(speeds == [0, 1])
        backend.failSteering(with: nil)
        pass(.milliseconds(50))
        #expect(steer(1) == .refused)
        #expect(speeds == [0, 1, 0])
    }

    @Test func `grounds are notified when steering ends without setpoints, with centred sticks`() {
        take()
        #expect(steer(0) == .applied)
        let revision = companion.controlRevision
        pass(.milliseconds(300))
        #expect(companion.steeringSession == nil && companion.pilotName == "anna")
        #expect(companion.controlRevision != revision)
    }

    @Test func `a neutral setpoint that does not reach the vehicle begins no steering`() {
        take()
        backend.failSteering(with: LinkError(.notConnected, "no listener", hint: "start it"))
        #expect(steer(0) == .refused)
        backend.failSteering(with: nil)
        #expect(steer(1) == .refused)
        #expect(companion.steeringSession == nil && companion.pilotName == "anna")
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
    }

    @Test func `a session that ends or stops sending loses command`() {
        take()
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        companion.sessionClosed(session)
        _ = companion.tick(now: clock.now)
        #expect(speeds == [0, 1, 0])
        #expect(companion.pilotName == nil)
        take()
        companion.sessionLinkLost(session)
        #expect(companion.pilotName == nil)
    }

    @Test func `ending stops the vehicle before anything else`() {
        take()
        #expect(steer(0) == .applied)
        #expect(steer(1) == .applied)
        companion.stopSteering()
        #expect(speeds == [0, 1, 0])
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
        #expect(lines.all.contains { $0.contains("connected to uav1 over sim") })
    }
}
