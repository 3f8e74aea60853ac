internal import SocketTransport
internal import UAVLink

/// Puts what passed one channel together with what its ends noted of it. No I/O, no clock of its own.
///
/// ```
///   steer ─▶ note ──────────────▶ held ──┐ by the instant for which it was meant
///   ground's end: number, when sealed ───┤
///   companion, some 0.2 s later: record ─┴▶ complete      nothing for 2.5 s ─▶ as it is
/// ```
/// Sessions are told apart: a renewed one counts anew, and its companion may have another clock.
struct TraceJoin {
    private struct Key: Hashable {
        let session: Int
        let number: UInt64
    }

    private struct Held<Note> {
        var note: Note
        var until: MonotonicTime
        var key: Key?
    }

    /// What the companion told of one session.
    private struct Session {
        var clock: ChannelTrace.Clock?
        var newestSetpoint: UInt64 = 0
        var isComplete = true
    }

    private var setpoints: [Held<SetpointNote>] = []
    private var commands: [Held<CommandNote>] = []
    private var called: [MonotonicTime: [(key: Key, seen: ChannelTrace.Setpoint)]] = [:]
    private var begun: [(key: Key, seen: ChannelTrace.Command)] = []
    private var setpointRecords: [Key: TraceRecord.Setpoint] = [:]
    private var commandRecords: [Key: TraceRecord.Command] = [:]
    private var sessions: [Int: Session] = [:]
    private var nextTidying = MonotonicTime(nanoseconds: .min)

    /// How long a note is held: the companion's notes come five times a second, and what a bad link loses of them is asked
    /// for again within half a second. What is held is lost when the program is killed, so it is not longer.
    static let patience: Duration = .milliseconds(2500)
    /// So long a later setpoint may overtake an earlier one: more than two ways of a network differ.
    static let overtaking: Duration = .milliseconds(500)
    /// What nobody asked for is forgotten after this.
    private static let memory: Duration = .seconds(10)

    /// Whether nothing is held.
    var isEmpty: Bool { setpoints.isEmpty && commands.isEmpty }

    mutating func hold(_ note: SetpointNote, now: MonotonicTime) {
        setpoints.append(Held(note: note, until: now + Self.patience))
    }

    mutating func hold(_ note: CommandNote, now: MonotonicTime) {
        commands.append(Held(note: note, until: now + Self.patience))
    }

    /// Takes in what was noted.
    mutating func add(_ part: ChannelTrace) {
        func key(_ number: UInt64) -> Key { Key(session: part.session, number: number) }
        var session = sessions[part.session] ?? Session()
        session.clock = part.clock ?? session.clock
        if part.recordsLost + part.overflow > 0 { session.isComplete = false }
        for setpoint in part.setpoints {
            called[setpoint.intendedAt, default: []].append((key(setpoint.number), setpoint))
        }
        for command in part.commands { begun.append((key(command.number), command)) }
        for record in part.records {
            switch record {
            case .setpoint(let record):
                session.newestSetpoint = max(session.newestSetpoint, record.number)
                // Of one that came twice the first tells what became of it.
                if setpointRecords[key(record.number)] == nil { setpointRecords[key(record.number)] = record }
            case .command(let record): commandRecords[key(record.number)] = record
            case .state, .seen, .repeated: break
            }
        }
        sessions[part.session] = session
    }

    /// The notes that are complete, and those that have waited long enough, each kind in its order: whoever reads a bag
    /// expects a topic's messages in the order of their times.
    ///
    /// - Parameter isLast: all of them.
    mutating func take(now: MonotonicTime, isLast: Bool = false) -> [FlightNote] {
        var out: [FlightNote] = []
        var count = 0
        while count < setpoints.count {
            var held = setpoints[count]
            let isWhole = complete(&held)
            if !isWhole, isLost(held, now) { held.note.fate = .lost }
            setpoints[count] = held
            guard isWhole || held.note.fate == .lost || isLast || held.until <= now else { break }
            out.append(.setpoint(held.note))
            count += 1
        }
        setpoints.removeFirst(count)
        count = 0
        while count < commands.count {
            var held = commands[count]
            let isWhole = complete(&held)
            commands[count] = held
            guard isWhole || isLast || held.until <= now else { break }
            out.append(.command(held.note))
            count += 1
        }
        commands.removeFirst(count)
        tidy(now)
        return out
    }

    private mutating func complete(_ held: inout Held<SetpointNote>) -> Bool {
        if held.key == nil, var seen = called[held.note.setpoint.intendedAt] {
            let first = seen.removeFirst()
            called[held.note.setpoint.intendedAt] = seen.isEmpty ? nil : seen
            held.key = first.key
            held.note.sentAt = first.seen.sealedAt ?? held.note.sentAt
        }
        guard let key = held.key, let record = setpointRecords[key], let clock = sessions[key.session]?.clock else {
            return false
        }
        setpointRecords[key] = nil
        held.note.receivedAt = clock.ground(record.receivedAt)
        held.note.clockBound = .nanoseconds(clock.boundNanoseconds)
        held.note.fate = SetpointNote.Fate(record.fate)
        if record.fate == .applied { held.note.appliedAt = clock.ground(record.leftAt) }
        return true
    }

    private mutating func complete(_ held: inout Held<CommandNote>) -> Bool {
        if held.key == nil {
            let (name, span) = (held.note.command.name, held.note.sentAt...max(held.note.sentAt, held.note.answeredAt))
            if let place = begun.firstIndex(where: { $0.seen.name == name && span.contains($0.seen.begunAt) }) {
                let found = begun.remove(at: place)
                held.key = found.key
                held.note.sentAt = found.seen.sealedAt ?? held.note.sentAt
            }
        }
        guard let key = held.key, let record = commandRecords[key], let clock = sessions[key.session]?.clock else {
            return false
        }
        commandRecords[key] = nil
        held.note.receivedAt = clock.ground(record.receivedAt)
        held.note.appliedAt = clock.ground(record.askedAt)
        held.note.clockBound = .nanoseconds(clock.boundNanoseconds)
        return true
    }

    /// Whether the companion has told of later ones long after this one was sent, and nothing of what it told is missing.
    private func isLost(_ held: Held<SetpointNote>, _ now: MonotonicTime) -> Bool {
        guard let key = held.key, let session = sessions[key.session], session.isComplete else { return false }
        return session.newestSetpoint > key.number && now - held.note.sentAt >= Self.overtaking
    }

    /// How much is kept for notes that may come.
    var remembered: Int { called.count + begun.count + setpointRecords.count + commandRecords.count }

    /// Forgets what belongs to nothing that was noted: what somebody else sent over the link, and what came too late.
    private mutating func tidy(_ now: MonotonicTime) {
        guard nextTidying <= now else { return }
        nextTidying = now + Self.memory
        let oldest = now - Self.memory
        called = called.filter { $0.value.allSatisfy { $0.seen.calledAt >= oldest } }
        begun.removeAll { $0.seen.begunAt < oldest && $0.seen.arrivedAt != nil }
        if begun.count > Self.mostBegun { begun.removeFirst(begun.count - Self.mostBegun) }
        let clocks = sessions.mapValues(\.clock)
        func isFresh(_ key: Key, _ at: MonotonicTime) -> Bool {
            guard let clock = clocks[key.session] ?? nil else { return true }
            return clock.ground(at) >= oldest
        }
        setpointRecords = setpointRecords.filter { isFresh($0.key, $0.value.receivedAt) }
        commandRecords = commandRecords.filter { isFresh($0.key, $0.value.answeredAt) }
        if let newest = sessions.keys.max() { sessions = sessions.filter { $0.key + Self.oldSessions > newest } }
    }

    private static let mostBegun = 256
    private static let oldSessions = 8
}
