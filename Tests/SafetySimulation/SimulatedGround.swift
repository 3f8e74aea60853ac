import UAVLink

@testable import SocketTransport

/// A ground's end of the channel, and the person at it, who does anything at any time.
final class SimulatedGround: @unchecked Sendable {
    private unowned(unsafe) let world: World
    let number: Int
    private let clock: WorldClock
    /// When ``work()`` is to be called.
    private(set) var due = MonotonicTime.atOnce
    private var session: GroundSession?
    private var ticketAt: MonotonicTime?
    private var pausedUntil: MonotonicTime?
    private var startsAt: MonotonicTime?
    private var waiting: [[UInt8]] = []
    private let frame = FrameBuffer()

    // The person.
    private enum Hands: Equatable {
        case off
        /// Command was asked for under that number.
        case asked(UInt64)
        /// So many neutral setpoints first.
        case steering(neutral: Int)
    }

    private var hands = Hands.off
    private var wasYours = false
    private var isPushing = false
    private var nextSetpoint = MonotonicTime(nanoseconds: 0)
    private var nextWhim = MonotonicTime(nanoseconds: 0)
    private var period: Duration = .milliseconds(20)

    init(_ world: World, number: Int) {
        self.world = world
        self.number = number
        clock = WorldClock(start: MonotonicTime(nanoseconds: Int64(number + 1) * 50_000_000_000_000))
        clock.move(to: world.now)
    }

    func start() {
        ticketAt = world.now
        nextWhim = world.now + .milliseconds(300)
    }

    private var runs: Bool { pausedUntil == nil && startsAt == nil }

    // MARK: Channel

    func receive(_ bytes: [UInt8]) {
        guard startsAt == nil else { return }
        guard pausedUntil == nil else { return waiting.append(bytes) }
        clock.move(to: world.now)
        take(bytes)
        due = .atOnce
    }

    private func take(_ bytes: [UInt8]) {
        guard let session else { return }
        var bytes = bytes
        let event = bytes.withUnsafeMutableBytes { session.receive($0, now: clock.now) }
        switch event {
        case .informed(let id, let payload): informed(id, payload)
        case .telemetry: look()
        case .ended: newSession(in: .milliseconds(200))
        default: break
        }
    }

    private func informed(_ id: UInt64, _ payload: [UInt8]) {
        guard case .asked(id) = hands else { return }
        let answer = try? EncodedPayload.read(payload) { reader throws(WireError) in
            _ = try reader.integer(UInt8.self)
            return try QuestionAnswer(&reader)
        }
        guard case .success(.control(let reply))? = answer?.result, reply.accepted else { return hands = .off }
        hands = .steering(neutral: 3)
        wasYours = false
        nextSetpoint = world.now
        period = world.dice.milliseconds(10...50)
    }

    /// As the steering pump does: command that was seen to be lost ends the run.
    private func look() {
        guard case .steering = hands, let status = session?.telemetry.control?.value else { return }
        if status.isYours { wasYours = true } else if wasYours { hands = .off }
    }

    private func newSession(in wait: Duration) {
        hands = .off
        if ticketAt == nil { ticketAt = world.now + wait }
    }

    /// Does what is due, and finds out when something is again.
    func work() {
        perform()
        due = nextDeadline
    }

    private func perform() {
        if let startsAt {
            guard startsAt <= world.now else { return }
            self.startsAt = nil
            ticketAt = world.now
        }
        if let pausedUntil {
            guard pausedUntil <= world.now else { return }
            self.pausedUntil = nil
            clock.move(to: world.now)
            // Whatever its timers had planned meanwhile is late, and what waits in the socket is old.
            for bytes in waiting { take(bytes) }
            waiting = []
        }
        clock.move(to: world.now)
        if let at = ticketAt, at <= world.now { open() }
        guard let session else { return }
        if ticketAt == nil, session.phase != .ended,
            clock.now.nanoseconds - session.lastHeard.nanoseconds > Self.renewal
        {
            newSession(in: .milliseconds(500))
        }
        _ = session.expired(now: clock.now)
        behave(session)
        while true {
            let length = session.nextFrame(into: frame.bytes, now: clock.now)
            guard length > 0 else { break }
            world.send(Array(frame.bytes[..<length]), to: .companion(ground: number))
        }
    }

    /// SSH is not part of this: a ticket is there when the companion is.
    private func open() {
        guard let ticket = world.end.ticket(for: number) else { return ticketAt = world.now + .milliseconds(300) }
        ticketAt = nil
        session = try? GroundSession(
            ticket: ticket, isReliable: false, helloRandom: SecureRandom.bytes(ChannelLimits.handshakeRandom),
            now: clock.now)
        hands = .off
    }

    private static let renewal = ChannelTimes.renewal.nanoseconds

    private var nextDeadline: MonotonicTime {
        if let startsAt { return startsAt }
        if let pausedUntil { return pausedUntil }
        var earliest = ticketAt ?? .never
        guard let session else { return earliest }
        earliest = min(earliest, nextWhim, clock.trueTime(of: session.nextDeadline(now: clock.now)))
        if case .steering = hands { earliest = min(earliest, nextSetpoint) }
        return earliest
    }

    // MARK: The person

    private func behave(_ session: GroundSession) {
        if case .steering(let neutral) = hands, nextSetpoint <= world.now {
            // A pump that was stopped leaves out what has passed.
            nextSetpoint = max(nextSetpoint + period, world.now)
            var value = 0
            if neutral == 0, isPushing {
                value = world.judge.meant(
                    SetpointOrigin(ground: number, createdAt: world.now, validFor: .milliseconds(200)))
            }
            if neutral > 0 { hands = .steering(neutral: neutral - 1) }
            let setpoint = VelocitySetpoint(
                velocityMetresPerSecond: Vector3(x: Double(value), y: 0, z: 0), frame: .body, intendedAt: clock.now,
                validFor: world.broken == .setpointsLiveLonger ? .milliseconds(500) : .milliseconds(200))
            if (try? session.steer(setpoint, now: clock.now)) == nil { hands = .off }
        }
        guard nextWhim <= world.now else { return }
        nextWhim = world.now + world.dice.milliseconds(20...700)
        whim(session)
    }

    private func whim(_ session: GroundSession) {
        switch world.dice.next() % 12 {
        case 0, 1, 2:
            if hands == .off { ask(.take(name: "pilot \(number)"), session) }
        case 3:
            if world.dice.hits(0.3), hands == .off { ask(.takeOver(name: "pilot \(number)", reason: "whim"), session) }
        case 4, 5, 6: isPushing.toggle()
        case 7:
            guard case .steering = hands, world.dice.hits(0.5) else { return }
            hands = .off
            // Falls silent, says so, or says why.
            if world.dice.hits(0.7) { ask(.release(reason: "whim"), session) }
        case 8: perform(.goTo(.init(.relative, position: .zero, headingRadians: 0)), session)
        case 9: perform(.hover, session)
        case 10: if world.dice.hits(0.2) { perform(.land, session) }
        default: perform(.takeoff, session)
        }
    }

    private func ask(_ wish: ControlWish, _ session: GroundSession) {
        guard let id = try? session.begin(.control(wish), deadline: clock.now + .seconds(5), now: clock.now) else {
            return
        }
        world.judge.note("ground \(number): \(wish.words)", at: world.now)
        if case .release = wish { return }
        hands = .asked(id)
    }

    private func perform(_ command: Command, _ session: GroundSession) {
        let patience = world.dice.milliseconds(200...5000)
        let origin = CommandOrigin(
            ground: number, name: command.name, createdAt: world.now, deadline: clock.now + patience, clock: clock)
        let meant = world.judge.meant(origin)
        var command = command
        if case .goTo = command {
            command = .goTo(.init(.relative, position: Vector3(x: Double(meant), y: 0, z: 0), headingRadians: 0))
        }
        guard (try? session.begin(command, deadline: clock.now + patience, now: clock.now)) != nil else { return }
        world.judge.note("ground \(number): \(command.name) \(meant)", at: world.now)
        // As the screens do: what takes over ends the run of setpoints.
        if command.takesOverFromSteering, world.dice.hits(0.7) { hands = .off }
    }

    // MARK: Faults

    /// SIGSTOP: it goes on where it was.
    func pause(for duration: Duration) {
        guard runs else { return }
        world.judge.note("ground \(number) stands still for \(duration)", at: world.now)
        pausedUntil = world.now + duration
        due = .atOnce
    }

    /// Its clock goes so fast from now on.
    func slew(_ rate: Double) {
        clock.slew(rate, at: world.now)
        due = .atOnce
    }

    /// SIGKILL, and started again by its person.
    func restart(after duration: Duration) {
        guard startsAt == nil else { return }
        world.judge.note("ground \(number) killed", at: world.now)
        session = nil
        hands = .off
        waiting = []
        pausedUntil = nil
        startsAt = world.now + duration
        due = .atOnce
    }

    /// Ten seconds after the last fault everything must work again.
    func judgeHealth() {
        clock.move(to: world.now)
        guard let session, session.phase == .open, !session.isSilent(now: clock.now) else {
            return world.judge.broke("heals", "ground \(number) has no session", at: world.now)
        }
        guard session.telemetry.control != nil else {
            return world.judge.broke("heals", "ground \(number) was not told who flies", at: world.now)
        }
    }
}
