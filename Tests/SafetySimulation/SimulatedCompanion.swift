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

    private unowned let world: World
    private let clock = WorldClock(start: MonotonicTime(nanoseconds: 900_000_000_000_000))
    private var companion: Companion
    private var sessions: [SessionID: Served] = [:]
    private var wakesAt = MonotonicTime(nanoseconds: 0)
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
            log: CompanionLog { [weak world] line in
                guard let world else { return }
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
        sessions[id] = Served(session, ground: ground)
        return ChannelTicket(session: id, key: key, udpPort: 1, tcpPort: 2, vehicle: "uav1")
    }

    // MARK: Work

    func hears(_ telemetry: Telemetry) {
        guard runs else { return }
        clock.move(to: world.now)
        var telemetry = telemetry
        telemetry.flight?.at = clock.now
        companion.see(telemetry)
        wakesAt = MonotonicTime(nanoseconds: 0)
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
                let served = sessions[SessionID(header.session)]
            else { return }
            let received = served.session.receive(raw, now: clock.now)
            if received.isNewest { served.isRouted = true }
            handle(received.event, served)
        }
        wakesAt = MonotonicTime(nanoseconds: 0)
    }

    private func handle(_ event: VehicleEvent, _ served: Served) {
        let id = served.session.id
        switch event {
        case .nothing, .watch: break
        case .transferred(let transfer): handle(served.session.perform(transfer.decoded(), now: clock.now), served)
        case .opened:
            companion.sessionOpened(id)
            tell(id, served)
        case .steer(let setpoint):
            let verdict = steer(setpoint, id)
            served.session.note(verdict)
            if verdict == .refused { served.session.remindOfControl(now: clock.now) }
        case .perform(let number, let command, let deadline):
            let answer: @Sendable (Result<CommandReply, LinkError>) -> Void = { [weak self] result in
                guard let self else { return }
                sessions[id]?.session.answer(number, result)
                wakesAt = MonotonicTime(nanoseconds: 0)
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
                self?.sessions[id]?.session.answer(question: number, QuestionAnswer(id: number, result: result).payload)
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

    /// What its thread does between two waits.
    func work() {
        if let startsAt {
            guard startsAt <= world.now else { return }
            self.startsAt = nil
            world.judge.companionStarted(at: world.now)
        }
        if let pausedUntil {
            guard pausedUntil <= world.now else { return }
            self.pausedUntil = nil
            clock.move(to: world.now)
            for (bytes, ground) in waiting { take(bytes, from: ground) }
            waiting = []
            wakesAt = MonotonicTime(nanoseconds: 0)
        }
        clock.move(to: world.now)
        guard wakesAt <= clock.now else { return }
        let isBlind = world.broken == .silenceIsIgnored
        var earliest = isBlind ? nil : companion.tick(now: clock.now)
        if companion.controlRevision != revision {
            revision = companion.controlRevision
            for (id, served) in sessions { tell(id, served) }
        }
        for (id, served) in sessions {
            switch served.session.tick(now: clock.now) {
            case .nothing: break
            case .silent: companion.sessionSilent(id)
            case .returned: companion.sessionReturned(id)
            case .ended: if served.session.cipher != nil { companion.sessionClosed(id) }
            }
            if served.session.phase == .ended {
                sessions[id] = nil
                continue
            }
            while served.isRouted {
                let length = served.session.nextFrame(
                    into: frame.bytes, now: clock.now, telemetry: nil, messages: MessageLog())
                guard length > 0 else { break }
                world.send(Array(frame.bytes[..<length]), to: .ground(served.ground))
            }
            let deadline = served.session.nextDeadline(telemetry: nil, hasMessages: false)
            earliest = earliest.map { min($0, deadline) } ?? deadline
        }
        wakesAt =
            companion.controlRevision == revision
            ? max(earliest ?? MonotonicTime(nanoseconds: .max), clock.now + .microseconds(1)) : clock.now
    }

    private func tell(_ id: SessionID, _ served: Served) {
        if let status = companion.controlStatus(for: id) { served.session.tell(status) }
    }

    var nextDeadline: MonotonicTime {
        if let startsAt { return startsAt }
        if let pausedUntil { return pausedUntil }
        return clock.trueTime(of: wakesAt)
    }

    // MARK: Faults

    func pause(for duration: Duration) {
        guard runs else { return }
        world.judge.note("companion stands still for \(duration)", at: world.now)
        pausedUntil = world.now + duration
    }

    /// Killed, and started again by whoever looks after it.
    func restart(after duration: Duration) {
        guard startsAt == nil else { return }
        world.judge.note("companion killed", at: world.now)
        sessions = [:]
        waiting = []
        pausedUntil = nil
        companion = Self.make(world, clock)
        revision = 0
        wakesAt = MonotonicTime(nanoseconds: 0)
        startsAt = world.now + duration
    }
}
