import Companion
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// The vehicle's end: the companion itself and its ends of the sessions, without sockets.
final class SimulatedCompanion: @unchecked Sendable {
    private unowned(unsafe) let world: World
    private let clock = WorldClock(start: MonotonicTime(nanoseconds: 900_000_000_000_000))
    private var companion: Companion
    /// In the order of their tickets, so that every run of a seed is the same.
    private var sessions: [SimulatedSession] = []
    /// When ``work()`` is to be called.
    private(set) var due = MonotonicTime.atOnce
    private var revision: UInt64 = 0
    private var pausedUntil: MonotonicTime?
    private var startsAt: MonotonicTime?
    private var waiting: [(bytes: [UInt8], from: World.Address)] = []
    private let frame = FrameBuffer()

    init(_ world: World) {
        self.world = world
        companion = Self.make(world, clock)
        world.judge.companionClock = clock
    }

    private static func make(_ world: World, _ clock: WorldClock) -> Companion {
        clock.move(to: world.now)
        return Companion(
            .simulated(startedAt: clock.now), backend: world.vehicle, isReached: true, clock: clock,
            log: CompanionLog { [unowned(unsafe) world] line in
                world.judge.note("companion: \(line)", at: world.now)
            })
    }

    /// It neither stands still nor is gone.
    var runs: Bool { pausedUntil == nil && startsAt == nil }

    // MARK: Tickets

    /// A ticket; `nil` while no companion is there to give one, or no place is free.
    func ticket() -> ChannelTicket? {
        guard runs, let key = try? SecretKey.random() else { return nil }
        clock.move(to: world.now)
        if world.broken != .ticketsWithoutEnd {
            if sessions.count >= World.mostSessions { evictOne() }
            guard sessions.count < World.mostSessions else { return nil }
        }
        let id = SessionID(world.dice.next())
        guard let session = try? VehicleSession(id: id, key: key, statePeriod: .milliseconds(20), now: clock.now) else {
            return nil
        }
        sessions.append(SimulatedSession(session, stops: companion.stops))
        due = .atOnce
        world.judge.bound("sessions", sessions.count, atMost: World.mostSessions, at: world.now)
        return ChannelTicket(session: id, key: key, udpPort: 1, tcpPort: 2, vehicle: "uav1")
    }

    /// As `ServerLoop` does.
    private func evictOne() {
        let spared = sessions.filter { $0.session.isEvictable(now: clock.now) }
            .min { $0.session.lastHeard < $1.session.lastHeard }
        guard let session = spared?.session else { return }
        world.judge.note("session \(session.id) makes room", at: world.now)
        if session.phase == .open { closed(session.id) }
        sessions.removeAll { $0.session === session }
    }

    // MARK: Work

    func hears(_ telemetry: Telemetry) {
        guard runs else { return }
        clock.move(to: world.now)
        var telemetry = telemetry
        telemetry.flight?.at = clock.now
        telemetry.heightAboveGroundMetres?.at = clock.now
        if world.broken != .vehicleIsNotHeard { companion.see(telemetry) }
        if let flight = telemetry.flight?.value {
            let isElsewhere =
                flight.state == .landing || flight.state == .flying && !flight.isOffboard
                || telemetry.isFlownByRadio(now: clock.now)
            world.judge.companionHears(isElsewhere: isElsewhere, at: world.now)
        }
        due = .atOnce
    }

    func receive(_ bytes: [UInt8], from address: World.Address) {
        guard startsAt == nil else { return }
        // What comes while it stands still waits in the socket, as much as that holds.
        guard pausedUntil == nil else {
            if waiting.count < World.socketBuffer { waiting.append((bytes, address)) }
            return
        }
        clock.move(to: world.now)
        take(bytes, from: address)
    }

    private func take(_ bytes: [UInt8], from address: World.Address) {
        var bytes = bytes
        bytes.withUnsafeMutableBytes { raw in
            guard let header = try? FrameHeader(UnsafeRawBufferPointer(raw)),
                let served = find(SessionID(header.session))
            else { return }
            let cipher = served.session.cipher
            let window = cipher?.window
            let before = cipher?.received
            let exchange = served.session.timing.newest
            let received = served.session.receive(raw, now: clock.now)
            if let before, served.session.cipher?.received != before {
                if !served.opened.note(header.sequence) {
                    world.judge.broke("opened once", "frame \(header.sequence) was opened again", at: world.now)
                }
                if world.broken == .windowForgetsNewest, let window { cipher?.window = window }
            }
            if let newest = served.session.timing.newest, newest != exchange {
                served.exchanges.append(
                    ExchangeOfTimes(
                        begunAt: world.now - .nanoseconds(newest.span), roundTrip: .nanoseconds(newest.roundTrip)))
            }
            if received.isNewest { served.route = address }
            handle(received.event, served)
        }
        due = .atOnce
    }

    private func handle(_ event: VehicleEvent, _ served: SimulatedSession) {
        let id = served.session.id
        switch event {
        case .nothing, .watch: break
        case .transferred(let transfer): handle(served.session.perform(transfer.decoded(), now: clock.now), served)
        case .opened:
            companion.sessionOpened(id)
            tell(served)
        case .steer(let setpoint):
            let verdict = steer(setpoint, id)
            served.session.note(verdict)
            if verdict == .refused { served.session.resendControlStatus(now: clock.now) }
        case .perform(let number, let command, let deadline, let knownStops):
            var issue = CommandIssue(number: number, knownStops: knownStops ?? served.stopsAtAdmission)
            if world.broken == .stopsAreForgotten { issue = CommandIssue(number: .max, knownStops: companion.stops) }
            perform(command, issue, RequestID(session: id, number: number), until: deadline)
        case .ask(let number, let question, let deadline):
            ask(question, RequestID(session: id, number: number), until: deadline)
        case .ended: closed(id)
        }
    }

    private func steer(_ setpoint: VelocitySetpoint, _ id: SessionID) -> SteeringVerdict {
        world.judge.steeringSession = id
        defer { world.judge.steeringSession = nil }
        let isPilot = companion.controlStatus(for: id)?.pilot?.isYou
        let wrongly: [BrokenRule] =
            [.anybodySteers] + (isPilot.map { [$0 ? .neutralIsNotDemanded : .takeOverIsForgotten] } ?? [])
        if let broken = world.broken, wrongly.contains(broken) {
            _ = try? world.vehicle.steer(setpoint)
            return .applied
        }
        return companion.steer(setpoint, from: id, arrivedAt: clock.now)
    }

    private func perform(
        _ command: Command, _ issue: CommandIssue, _ request: RequestID, until deadline: MonotonicTime
    ) {
        let answer: @Sendable (Result<CommandReply, LinkError>) -> Void = { [weak self] result in
            guard let self else { return }
            let lie = Result<CommandReply, LinkError>.success(CommandReply(accepted: true, message: ""))
            find(request.session)?.session.answer(request.number, world.broken == .answersLie ? lie : result)
            due = .atOnce
        }
        guard world.broken == .lateCommandsBegin else { return begin(command, issue, request, until: deadline, answer) }
        world.after(.seconds(3)) { [weak self] in
            self?.begin(command, issue, request, until: deadline + .seconds(60), answer)
        }
    }

    private func begin(
        _ command: Command, _ issue: CommandIssue, _ request: RequestID, until deadline: MonotonicTime,
        _ answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        world.judge.handedIn = request
        world.judge.exchanges = find(request.session)?.exchanges ?? []
        defer { world.judge.handedIn = nil }
        if world.broken == .leaseForgetsCommands {
            return world.vehicle.perform(command, within: .seconds(10), answer: answer)
        }
        companion.perform(command, issue, from: request.session, until: deadline, answer: answer)
        if world.broken == .commandsRunTwice {
            companion.perform(command, issue, from: request.session, until: deadline, answer: answer)
        }
    }

    private func ask(_ question: SurveyQuestion, _ request: RequestID, until deadline: MonotonicTime) {
        let hadControl = companion.controlStatus(for: request.session)?.pilot?.isYou == true
        companion.ask(question, from: request.session, until: deadline) { [weak self] result in
            guard let self else { return }
            if case .control(let wish) = question, case .success(.control(let reply)) = result, reply.accepted {
                switch wish {
                case .release: world.judge.pilots.lost(request.session)
                default: world.judge.granted(request, isNew: !hadControl, at: clock.now)
                }
            }
            let payload = QuestionAnswer(id: request.number, result: result).payload
            find(request.session)?.session.answer(question: request.number, payload)
        }
    }

    private func closed(_ id: SessionID) {
        companion.sessionClosed(id)
        world.judge.pilots.lost(id)
    }

    private func find(_ id: SessionID) -> SimulatedSession? { sessions.first { $0.session.id == id } }

    /// What its thread does between two waits.
    func work() {
        if let startsAt {
            guard startsAt <= world.now else { return due = startsAt }
            self.startsAt = nil
            world.judge.companionStarted(at: world.now)
        }
        clock.move(to: world.now)
        if let pausedUntil {
            guard pausedUntil <= world.now else { return due = pausedUntil }
            self.pausedUntil = nil
            for frame in waiting { take(frame.bytes, from: frame.from) }
            waiting = []
        }
        let lapses = companion.counts.lapses
        var earliest = world.broken == .silenceIsIgnored ? .never : companion.tick(now: clock.now) ?? .never
        if world.broken == .companionHovers, companion.counts.lapses > lapses {
            world.vehicle.perform(.hover, within: .seconds(10)) { _ in }
        }
        if companion.controlRevision != revision {
            revision = companion.controlRevision
            for served in sessions { tell(served) }
        }
        for served in sessions { earliest = min(earliest, attend(to: served)) }
        sessions.removeAll { $0.session.phase == .ended }
        due = companion.controlRevision == revision ? clock.trueTime(of: earliest) : .atOnce
    }

    /// Lets time pass for a session and sends what it has.
    private func attend(to served: SimulatedSession) -> MonotonicTime {
        let session = served.session
        switch session.tick(now: clock.now) {
        case .nothing: break
        case .linkLost:
            companion.sessionLinkLost(session.id)
            world.judge.pilots.lost(session.id)
        case .linkRestored: companion.sessionLinkRestored(session.id)
        case .ended: if session.hasBeenOpen { closed(session.id) }
        }
        while let route = served.route, session.phase != .ended {
            let length = session.nextFrame(into: frame.bytes, now: clock.now, telemetry: nil, messages: Self.messages)
            guard length > 0 else { break }
            world.send(Array(frame.bytes[..<length]), to: .ground(route))
        }
        return session.nextDeadline(telemetry: nil, hasMessages: false)
    }

    private static let messages = MessageLog()
    private func tell(_ served: SimulatedSession) {
        companion.controlStatus(for: served.session.id).map { served.session.tell($0, stops: companion.stops) }
    }

    // MARK: Faults

    func pause(for duration: Duration) {
        guard runs else { return }
        world.judge.note("companion stands still for \(duration)", at: world.now)
        pausedUntil = world.now + duration
        due = .atOnce
    }

    func jump(ahead step: Duration) {
        clock.step(by: step, at: world.now)
        due = .atOnce
    }

    func slew(_ rate: Double) {
        clock.slew(rate, at: world.now)
        due = .atOnce
    }

    /// Killed, and started again by whoever looks after it.
    func restart(after duration: Duration) {
        guard startsAt == nil else { return }
        world.judge.note("companion killed", at: world.now)
        sessions = []
        waiting = []
        pausedUntil = nil
        companion = Self.make(world, clock)
        revision = 0
        due = .atOnce
        startsAt = world.now + duration
    }
}
