import Companion
import UAVLink

@testable import SocketTransport

/// The vehicle's end: the companion itself and its ends of the sessions, without sockets.
final class SimulatedCompanion: @unchecked Sendable {
    private final class Served {
        let session: VehicleSession
        let ground: Int
        /// It has been heard: frames have somewhere to go.
        var isRouted = false

        init(_ session: VehicleSession, ground: Int) {
            self.session = session
            self.ground = ground
        }
    }

    private unowned(unsafe) let world: World
    private let clock = WorldClock(start: MonotonicTime(nanoseconds: 900_000_000_000_000))
    private var companion: Companion
    /// In the order of their tickets, so that every run of a seed is the same.
    private var sessions: [Served] = []
    /// When ``work()`` is to be called.
    private(set) var due = MonotonicTime.atOnce
    private var revision: UInt64 = 0
    private var pausedUntil: MonotonicTime?
    private var startsAt: MonotonicTime?
    private var waiting: [([UInt8], Int)] = []
    private let frame = FrameBuffer()

    init(_ world: World) {
        self.world = world
        companion = Self.make(world, clock)
    }

    private static func make(_ world: World, _ clock: WorldClock) -> Companion {
        var configuration = Companion.Configuration(vehicle: "uav1")
        configuration.lease = World.lease
        clock.move(to: world.now)
        return Companion(
            configuration, backend: world.vehicle, isReached: true, clock: clock,
            log: CompanionLog { [unowned(unsafe) world] line in
                world.judge.note("companion: \(line)", at: world.now)
            })
    }

    /// It neither stands still nor is gone.
    var runs: Bool { pausedUntil == nil && startsAt == nil }

    // MARK: Tickets

    /// A ticket for a ground; `nil` while nobody is there to give one.
    func ticket(for ground: Int) -> ChannelTicket? {
        guard runs, let key = try? SecretKey.random() else { return nil }
        clock.move(to: world.now)
        let id = SessionID(world.dice.next())
        guard let session = try? VehicleSession(id: id, key: key, statePeriod: .milliseconds(20), now: clock.now) else {
            return nil
        }
        sessions.append(Served(session, ground: ground))
        due = .atOnce
        return ChannelTicket(session: id, key: key, udpPort: 1, tcpPort: 2, vehicle: "uav1")
    }

    // MARK: Work

    func hears(_ telemetry: Telemetry) {
        guard runs else { return }
        clock.move(to: world.now)
        var telemetry = telemetry
        telemetry.flight?.at = clock.now
        companion.see(telemetry)
        due = .atOnce
    }

    func receive(_ bytes: [UInt8], from ground: Int) {
        guard startsAt == nil else { return }
        // What comes while it stands still waits in the socket.
        guard pausedUntil == nil else { return waiting.append((bytes, ground)) }
        clock.move(to: world.now)
        take(bytes, from: ground)
    }

    private func take(_ bytes: [UInt8], from ground: Int) {
        var bytes = bytes
        bytes.withUnsafeMutableBytes { raw in
            guard let header = try? FrameHeader(UnsafeRawBufferPointer(raw)),
                let served = find(SessionID(header.session))
            else { return }
            let received = served.session.receive(raw, now: clock.now)
            if received.isNewest { served.isRouted = true }
            handle(received.event, served)
        }
        due = .atOnce
    }

    private func handle(_ event: VehicleEvent, _ served: Served) {
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
            if verdict == .refused { served.session.remindOfControl(now: clock.now) }
        case .perform(let number, let command, let deadline):
            let answer: @Sendable (Result<CommandReply, LinkError>) -> Void = { [weak self] result in
                guard let self else { return }
                find(id)?.session.answer(number, result)
                due = .atOnce
            }
            if world.broken == .leaseForgetsCommands {
                return world.vehicle.perform(command, within: .seconds(10), answer: answer)
            }
            companion.perform(command, from: id, until: deadline, answer: answer)
            if world.broken == .commandsRunTwice {
                companion.perform(command, from: id, until: deadline, answer: answer)
            }
        case .ask(let number, let question, let deadline):
            companion.ask(question, from: id, until: deadline) { [weak self] result in
                self?.find(id)?.session.answer(question: number, QuestionAnswer(id: number, result: result).payload)
            }
        case .ended: companion.sessionClosed(id)
        }
    }

    private func steer(_ setpoint: VelocitySetpoint, _ id: SessionID) -> SteeringVerdict {
        if world.broken == .anybodySteers {
            try? world.vehicle.steer(setpoint)
            return .applied
        }
        return companion.steer(setpoint, from: id, arrivedAt: clock.now)
    }

    private func find(_ id: SessionID) -> Served? { sessions.first { $0.session.id == id } }

    /// What its thread does between two waits; finds out when something is due again.
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
            for (bytes, ground) in waiting { take(bytes, from: ground) }
            waiting = []
        }
        let isBlind = world.broken == .silenceIsIgnored
        var earliest = isBlind ? .never : companion.tick(now: clock.now) ?? .never
        if companion.controlRevision != revision {
            revision = companion.controlRevision
            for served in sessions { tell(served) }
        }
        for served in sessions { earliest = min(earliest, attend(to: served)) }
        sessions.removeAll { $0.session.phase == .ended }
        due = companion.controlRevision == revision ? clock.trueTime(of: earliest) : .atOnce
    }

    /// Lets time pass for a session and sends what it has; gives when it is to be asked again.
    private func attend(to served: Served) -> MonotonicTime {
        let session = served.session
        switch session.tick(now: clock.now) {
        case .nothing: break
        case .silent: companion.sessionSilent(session.id)
        case .returned: companion.sessionReturned(session.id)
        case .ended: if session.cipher != nil { companion.sessionClosed(session.id) }
        }
        while served.isRouted, session.phase != .ended {
            let length = session.nextFrame(into: frame.bytes, now: clock.now, telemetry: nil, messages: Self.messages)
            guard length > 0 else { break }
            world.send(Array(frame.bytes[..<length]), to: .ground(served.ground))
        }
        return session.nextDeadline(telemetry: nil, hasMessages: false)
    }

    private static let messages = MessageLog()

    private func tell(_ served: Served) {
        if let status = companion.controlStatus(for: served.session.id) { served.session.tell(status) }
    }

    // MARK: Faults

    func pause(for duration: Duration) {
        guard runs else { return }
        world.judge.note("companion stands still for \(duration)", at: world.now)
        pausedUntil = world.now + duration
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
