internal import ChannelProtocol
internal import UAVLink

/// Joins the notes of one channel with the traces of both its ends. No I/O, no clock.
///
/// ```
///   steer ─▶ note, receipt ─────▶ held ──┐ matched by session and number
///   ground's trace: when sealed ─────────┤
///   companion's record, 0.2 s later ─────┴▶ complete      none within 2.5 s ─▶ written as it is
/// ```
/// Sessions are separate: a renewed session counts from 1 again, and its companion may have another clock.
struct TraceJoin {
    private struct Key: Hashable {
        let session: Int
        let number: UInt64

        init(session: Int, number: UInt64) { (self.session, self.number) = (session, number) }
        init(_ receipt: SteeringReceipt) { self.init(session: receipt.session, number: receipt.number) }
    }

    private struct Held<Note> {
        var note: Note
        var until: MonotonicTime
        var key: Key?
        /// Whether the ground's trace of it has been added.
        var isSeen = false
    }

    /// The state of one session.
    private struct Session {
        var clock: ChannelTrace.Clock?
        var newestSetpoint: UInt64 = 0
        var isComplete = true
    }

    private var setpoints: [Held<RecordedSetpoint>] = []
    private var commands: [Held<RecordedCommand>] = []
    private var called: [Key: ChannelTrace.Setpoint] = [:]
    private var begun: [(key: Key, seen: ChannelTrace.Command)] = []
    private var setpointRecords: [Key: TraceRecord.Setpoint] = [:]
    private var commandRecords: [Key: TraceRecord.Command] = [:]
    private var sessions: [Int: Session] = [:]
    private var nextCleanup = MonotonicTime(nanoseconds: .min)

    /// How long a note is held: the companion sends records five times a second, and lost ones are requested again within half
    /// a second. It is not longer, since held notes are lost if the program is killed.
    static let traceTimeout: Duration = .milliseconds(2500)
    /// How long a later setpoint may arrive before an earlier one: more than the difference between two network paths.
    static let reordering: Duration = .milliseconds(500)
    /// Trace entries without a note are dropped after this time.
    private static let memory: Duration = .seconds(10)

    /// Whether no note is held.
    var isEmpty: Bool { setpoints.isEmpty && commands.isEmpty }

    mutating func hold(_ note: RecordedSetpoint, _ receipt: SteeringReceipt, now: MonotonicTime) {
        setpoints.append(Held(note: note, until: now + Self.traceTimeout, key: Key(receipt)))
    }

    mutating func hold(_ note: RecordedCommand, now: MonotonicTime) {
        commands.append(Held(note: note, until: now + Self.traceTimeout))
    }

    /// Adds a part of a trace.
    mutating func add(_ part: ChannelTrace) {
        func key(_ number: UInt64) -> Key { Key(session: part.session, number: number) }
        var session = sessions[part.session] ?? Session()
        session.clock = part.clock ?? session.clock
        if part.recordsOverwritten + part.overflow > 0 { session.isComplete = false }
        for setpoint in part.setpoints { called[key(setpoint.number)] = setpoint }
        for command in part.commands { begun.append((key(command.number), command)) }
        for record in part.records {
            switch record {
            case .setpoint(let record):
                session.newestSetpoint = max(session.newestSetpoint, record.number)
                // Of a duplicate, the first record has the outcome.
                if setpointRecords[key(record.number)] == nil { setpointRecords[key(record.number)] = record }
            case .command(let record): commandRecords[key(record.number)] = record
            case .state, .seen, .repeated, .receipt, .observed: break
            }
        }
        sessions[part.session] = session
    }

    /// Removes and returns the notes that are complete or have waited for too long, each kind in order: readers of a bag
    /// expect a topic's messages in the order of their times.
    ///
    /// - Parameter isLast: return all notes.
    mutating func take(now: MonotonicTime, isLast: Bool = false) -> [RecordingEntry] {
        var out: [RecordingEntry] = []
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

    private mutating func complete(_ held: inout Held<RecordedSetpoint>) -> Bool {
        guard let key = held.key else { return false }
        if let seen = called.removeValue(forKey: key) {
            held.note.sentAt = seen.sealedAt ?? held.note.sentAt
            held.isSeen = true
        }
        guard held.isSeen, let record = setpointRecords[key], let clock = sessions[key.session]?.clock else {
            return false
        }
        setpointRecords[key] = nil
        held.note.receivedAt = clock.ground(record.receivedAt)
        held.note.clockBound = .nanoseconds(clock.boundNanoseconds)
        held.note.fate = RecordedSetpoint.Fate(record.fate)
        if record.fate == .applied { held.note.appliedAt = clock.ground(record.leftAt) }
        return true
    }

    private mutating func complete(_ held: inout Held<RecordedCommand>) -> Bool {
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

    /// Whether the setpoint is lost: the companion has reported a later one, ``reordering`` has passed since this one
    /// was sent, and no records are missing.
    private func isLost(_ held: Held<RecordedSetpoint>, _ now: MonotonicTime) -> Bool {
        guard held.isSeen, let key = held.key, let session = sessions[key.session], session.isComplete else {
            return false
        }
        return session.newestSetpoint > key.number && now - held.note.sentAt >= Self.reordering
    }

    /// Drops trace entries that match no note: sent over the link by other callers, or received too late.
    private mutating func tidy(_ now: MonotonicTime) {
        guard nextCleanup <= now else { return }
        nextCleanup = now + Self.memory
        let oldest = now - Self.memory
        called = called.filter { $0.value.calledAt >= oldest }
        begun.removeAll { $0.seen.begunAt < oldest && $0.seen.arrivedAt != nil }
        if begun.count > Self.maximumUnmatchedCommands {
            begun.removeFirst(begun.count - Self.maximumUnmatchedCommands)
        }
        let clocks = sessions.mapValues(\.clock)
        func isFresh(_ key: Key, _ at: MonotonicTime) -> Bool {
            guard let clock = clocks[key.session] ?? nil else { return true }
            return clock.ground(at) >= oldest
        }
        setpointRecords = setpointRecords.filter { isFresh($0.key, $0.value.receivedAt) }
        commandRecords = commandRecords.filter { isFresh($0.key, $0.value.answeredAt) }
        if let newest = sessions.keys.max() { sessions = sessions.filter { $0.key + Self.keptSessions > newest } }
    }

    private static let maximumUnmatchedCommands = 256
    private static let keptSessions = 8
}
