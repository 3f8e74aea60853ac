import UAVLink

@testable import ChannelProtocol

/// A ground's end of the channel, without sockets: what `GroundCore` does with a session, and what may befall its machine.
final class SimulatedGround: @unchecked Sendable {
    private unowned(unsafe) let world: World
    let number: Int
    private let clock: WorldClock
    /// When ``work()`` is to be called.
    private(set) var due = MonotonicTime.atOnce
    /// Where it is now: what is sent to an earlier address is lost.
    private(set) var address: Int = 0
    private var session: GroundSession?
    private var opened = OpenedFrames()
    private var pilot: SimulatedPilot
    private var ticketAt: MonotonicTime?
    private var renewedAt = MonotonicTime.atOnce
    private var pausedUntil: MonotonicTime?
    private var startsAt: MonotonicTime?
    /// It reads nothing before, and goes on sending.
    private var readsAt: MonotonicTime?
    private var waiting: [[UInt8]] = []
    private let frame = FrameBuffer()

    init(_ world: World, number: Int) {
        self.world = world
        self.number = number
        pilot = SimulatedPilot(world, ground: number)
        clock = WorldClock(start: MonotonicTime(nanoseconds: Int64(number + 1) * 50_000_000_000_000))
        clock.move(to: world.now)
    }

    func start() { ticketAt = world.now }

    private var runs: Bool { pausedUntil == nil && startsAt == nil }

    // MARK: Channel

    func receive(_ bytes: [UInt8], at address: Int) {
        guard startsAt == nil, address == self.address else { return }
        guard pausedUntil == nil, readsAt == nil else {
            // As much as a socket holds.
            if waiting.count < World.socketBuffer { waiting.append(bytes) }
            return
        }
        clock.move(to: world.now)
        take(bytes)
        due = .atOnce
    }

    private func take(_ bytes: [UInt8]) {
        guard let session else { return }
        var bytes = bytes
        let before = session.cipher.received
        let event = bytes.withUnsafeMutableBytes { raw in
            let header = try? FrameHeader(UnsafeRawBufferPointer(raw))
            let event = session.receive(raw, now: clock.now)
            if session.cipher.received != before, let header, !opened.note(header.sequence) {
                world.judge.broke("opened once", "frame \(header.sequence) was opened again", at: world.now)
            }
            return event
        }
        switch event {
        case .informed(let id, let payload): pilot.informed(id, payload, clock)
        case .answered(let id, let result):
            world.judge.reported(RequestID(session: session.id, number: id), result, at: world.now)
            pilot.answered(id, result, session, clock)
        case .telemetry: pilot.look(at: session.telemetry.control)
        case .ended: newSession(in: .milliseconds(200))
        default: break
        }
    }

    private func newSession(in wait: Duration) {
        pilot.letGo()
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
            resume()
        }
        clock.move(to: world.now)
        if let readsAt, readsAt <= world.now {
            self.readsAt = nil
            takeWaiting()
        }
        if let at = ticketAt, at <= world.now { open() }
        guard let session else { return }
        renew(session)
        for (id, error) in session.expired(now: clock.now) {
            world.judge.reported(RequestID(session: session.id, number: id), .failure(error), at: world.now)
            pilot.informed(id, nil, clock)
        }
        pilot.act(session, clock)
        while true {
            let length = session.nextFrame(into: frame.bytes, now: clock.now)
            guard length > 0 else { break }
            world.send(Array(frame.bytes[..<length]), to: .companion(from: .init(ground: number, address: address)))
        }
    }

    private func takeWaiting() {
        // Whatever its timers had planned meanwhile is late, and what waits in the socket is old.
        for bytes in waiting { take(bytes) }
        waiting = []
    }

    private static let linkLossTimeout = ChannelTimes.linkLossTimeout.nanoseconds
    private static let renewal = ChannelTimes.renewal.nanoseconds

    /// A session that is not heard gets a socket of its own, and then a successor.
    private func renew(_ session: GroundSession) {
        let unheard = clock.now.nanoseconds - session.lastHeard.nanoseconds
        guard session.phase != .ended, unheard > Self.linkLossTimeout else { return }
        if session.phase == .open, world.now.nanoseconds - renewedAt.nanoseconds > Self.linkLossTimeout {
            renewedAt = world.now
            address += 1
            session.carrierWasRenewed(now: clock.now)
        }
        if unheard > Self.renewal, ticketAt == nil, world.broken != .sessionsAreNotRenewed {
            newSession(in: .milliseconds(500))
        }
    }

    /// SSH is not part of this: a ticket is there when the companion is.
    private func open() {
        guard let ticket = world.end.ticket() else { return ticketAt = world.now + .milliseconds(300) }
        ticketAt = nil
        session = try? GroundSession(
            ticket: ticket, isReliable: false, helloRandom: SecureRandom.bytes(ChannelLimits.handshakeRandom),
            now: clock.now)
        opened = OpenedFrames()
        pilot.letGo()
    }

    private var nextDeadline: MonotonicTime {
        if let startsAt { return startsAt }
        if let pausedUntil { return pausedUntil }
        let earliest = min(ticketAt ?? .never, readsAt ?? .never)
        guard let session else { return earliest }
        return min(earliest, pilot.nextDeadline, clock.trueTime(of: session.nextDeadline(now: clock.now)))
    }

    // MARK: Faults

    /// SIGSTOP: it goes on where it was.
    ///
    /// - Parameter stopsClock: the whole machine sleeps, and its clock with it.
    func pause(for duration: Duration, stopsClock: Bool = false) {
        guard runs else { return }
        world.judge.note(
            "ground \(number) stands still for \(duration)\(stopsClock ? " with its clock" : "")", at: world.now)
        pausedUntil = world.now + duration
        if stopsClock { clock.step(by: .zero - duration, at: world.now) }
        due = .atOnce
    }

    private func resume() {
        pausedUntil = nil
        clock.move(to: world.now)
        takeWaiting()
    }

    /// It sends, and does not read what comes.
    func stopReading(for duration: Duration) {
        guard runs, readsAt == nil else { return }
        world.judge.note("ground \(number) reads nothing for \(duration)", at: world.now)
        readsAt = world.now + duration
        due = .atOnce
    }

    /// Its clock goes so fast from now on.
    func slew(_ rate: Double) {
        clock.slew(rate, at: world.now)
        due = .atOnce
    }

    /// Its clock jumps ahead: the machine was moved, or slept.
    func jump(ahead step: Duration) {
        world.judge.note("clock of ground \(number) jumps by \(step)", at: world.now)
        clock.step(by: step, at: world.now)
        due = .atOnce
    }

    /// Its user presses keys like mad: as many commands as there is place for, and more.
    func flood() {
        guard runs, let session else { return }
        world.judge.note("ground \(number) floods", at: world.now)
        clock.move(to: world.now)
        pilot.flood(session, clock)
        due = .atOnce
    }

    /// It gets another address, and does not know.
    func roam() {
        world.judge.note("ground \(number) has another address", at: world.now)
        address += 1
    }

    /// SIGKILL, and started again by its user.
    func restart(after duration: Duration) {
        guard startsAt == nil else { return }
        world.judge.note("ground \(number) killed", at: world.now)
        session = nil
        pilot.letGo()
        waiting = []
        pausedUntil = nil
        readsAt = nil
        address += 1
        startsAt = world.now + duration
        due = .atOnce
    }

    /// What does not work; `nil` when all does.
    var ailment: String? {
        guard let session, session.phase == .open, !session.isLost(now: clock.now) else {
            return "ground \(number) has no session"
        }
        guard session.telemetry.control != nil else { return "ground \(number) was not notified who has control" }
        guard world.judge.haveFlown.contains(number) else { return "the pilot at ground \(number) cannot fly" }
        return nil
    }
}
