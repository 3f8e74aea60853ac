internal import FlightRecorder
internal import ChannelProtocol
internal import LatencyStatistics
internal import UAVLink

/// The traces of both ends of a channel under one condition, matched by session and number.
struct ChannelMeasurement: Sendable {
    struct Key: Hashable {
        let session: Int
        let number: UInt64

        init(session: Int, number: UInt64) { (self.session, self.number) = (session, number) }

        /// The key of a setpoint that the link accepted.
        init?(_ shot: SteeringAttempt) {
            guard let receipt = shot.receipt else { return nil }
            self.init(session: receipt.session, number: receipt.number)
        }
    }

    private var setpoints: [Key: (sealed: MonotonicTime?, frame: Key?)] = [:]
    private var setpointRecords: [Key: [TraceRecord.Setpoint]] = [:]
    /// When the companion's own subscriber had read setpoints.
    private var observed: [Key: MonotonicTime] = [:]
    private var commands: [(key: Key, command: ChannelTrace.Command)] = []
    /// The index of each command in `commands`.
    private var places: [Key: Int] = [:]
    private var commandRecords: [Key: TraceRecord.Command] = [:]
    var arrivals: [Key: MonotonicTime] = [:]
    var states: [(key: Key, record: TraceRecord.State)] = []
    /// Duplicate frames, by their sequence numbers.
    private var repeatedUp: [Key: Int] = [:]
    var repeatedDown: [Key: Int] = [:]
    /// How long kernels had frames before they were read, by their sequence numbers, nanoseconds.
    private var waitedUp: [Key: Int64] = [:]
    var waitedDown: [Key: Int64] = [:]
    /// Whether both kernels have stamped datagrams.
    var hasReceipts: Bool { !waitedUp.isEmpty && !waitedDown.isEmpty }
    /// State frames that arrived after newer ones.
    var outOfOrder: Set<Key> = []
    /// Trace records that never reached the ground. If there are any, loss towards the vehicle cannot be determined.
    private(set) var lostRecords: UInt64 = 0
    /// The exchanges of timestamps over this link.
    private(set) var exchanges: [ChannelTrace.Exchange] = []

    init() {}

    mutating func add(_ part: ChannelTrace) {
        func key(_ number: UInt64) -> Key { Key(session: part.session, number: number) }
        lostRecords += part.recordsOverwritten + part.overflow
        exchanges += part.exchanges
        for setpoint in part.setpoints {
            setpoints[key(setpoint.number)] = (setpoint.sealedAt, setpoint.sequence.map(key))
        }
        for command in part.commands {
            // A command in flight while the trace is taken comes in two parts; the first has its begin time.
            if let known = places[key(command.number)] {
                commands[known].command = command
            } else {
                places[key(command.number)] = commands.count
                commands.append((key(command.number), command))
            }
        }
        for sequence in part.repeated { repeatedDown[key(sequence), default: 0] += 1 }
        for sequence in part.outOfOrder { outOfOrder.insert(key(sequence)) }
        for state in part.states {
            arrivals[key(state.sequence)] = state.arrivedAt
            if let waited = state.waitedNanoseconds { waitedDown[key(state.sequence)] = waited }
        }
        for record in part.records {
            switch record {
            case .setpoint(let record): setpointRecords[key(record.number), default: []].append(record)
            case .command(let record): commandRecords[key(record.number)] = record
            case .state(let record): states.append((key(record.sequence), record))
            case .repeated(let record): repeatedUp[key(record.sequence), default: 0] += 1
            case .receipt(let record): waitedUp[key(record.sequence)] = record.waitedNanoseconds
            case .observed(let number, let at): observed[key(number)] = at
            case .seen: break
            }
        }
    }

    /// How many records may still arrive: of commands, and of setpoints after the newest with a record. Records arrive in order,
    /// so an earlier setpoint without one was lost on its way.
    var missingRecords: Int {
        func newest(_ keys: some Sequence<Key>) -> [Int: UInt64] {
            keys.reduce(into: [:]) { $0[$1.session] = max($0[$1.session] ?? 0, $1.number) }
        }
        let (recorded, read) = (newest(setpointRecords.keys), newest(observed.keys))
        return setpoints.count { $0.value.sealed != nil && $0.key.number > recorded[$0.key.session] ?? 0 }
            + setpointRecords.count { key, records in
                // Where nothing is observed, nothing more is waited for.
                read[key.session].map { key.number > $0 && records.contains { $0.fate == .applied } } ?? false
            }
            + commands.count { $0.command.sealedAt != nil && commandRecords[$0.key] == nil }
    }

    // MARK: Series

    /// - Parameters:
    ///   - clock: the companion's.
    ///   - seconds: total duration of the schedule.
    ///   - countsRefused: whether a setpoint that the vehicle's own link refuses has arrived: of a drone with its own protocol, which stands
    ///     on the ground and is steered in flight only.
    /// - Returns: latencies until the companion's own subscriber has read the setpoints; until they had left where it has read none, as
    ///   with an older companion, or a vehicle that is not reached by a topic.
    func steering(
        _ shots: [SteeringAttempt], since start: MonotonicTime, clock: ClockTrack, warmUpDropped: Int, hertz: Double,
        seconds: Double, countsRefused: Bool = false
    ) -> LatencySeries {
        var samples: [LatencySample] = []
        var traffic = LatencySeries.Traffic(intended: shots.count, sent: 0)
        var (arrived, stale, lost, reordered, repeated) = (0, 0, 0, 0, 0)
        for shot in shots {
            var sample = shot.sample(since: start)
            defer { samples.append(sample) }
            guard let key = Key(shot), let ours = setpoints[key] else { continue }
            guard let sealed = ours.sealed else {
                sample.fate = .superseded
                continue
            }
            traffic.sent += 1
            if let frame = ours.frame { repeated += repeatedUp[frame] ?? 0 }
            let records = setpointRecords[key] ?? []
            if records.isEmpty { lost += 1 }
            if records.contains(where: { $0.fate == .stale }) { stale += 1 }
            if records.contains(where: { $0.fate == .superseded }) { reordered += 1 }
            let record = records.first { $0.fate == .applied || (countsRefused && $0.fate == .refused) }
            guard let record else {
                if let record = records.first {
                    sample.fate = SampleFate(ofUseless: record.fate)
                    let received = clock.ours(record.receivedAt, near: sealed)
                    sample.uselesslyReceivedNanoseconds = (received.at - start).nanoseconds
                    sample.clockBoundNanoseconds = received.bound
                }
                continue
            }
            // One that left and that no subscriber has read is lost, as over the links that say nothing of leaving.
            guard let ending = observed.isEmpty ? record.leftAt : observed[key] else { continue }
            arrived += 1
            let end = clock.ours(ending, near: sealed)
            let whole = (end.at - shot.intendedAt).nanoseconds
            sample.nanoseconds = whole
            sample.clockBoundNanoseconds = end.bound
            sample.stages = StageTimes(
                whole: whole,
                known: [
                    .queue: (shot.calledAt - shot.intendedAt).nanoseconds,
                    .encode: (sealed - shot.calledAt).nanoseconds,
                    .receive: ours.frame.flatMap { waitedUp[$0] } ?? 0,
                    .companion: (record.handedAt - record.receivedAt).nanoseconds,
                    .ros: (ending - record.handedAt).nanoseconds,
                ])
        }
        traffic.lostUp = lostRecords == 0 ? lost : nil
        traffic.duplicates = lostRecords == 0 ? repeated : nil
        traffic.stale = stale
        traffic.reordered = reordered
        var series = LatencySeries(
            samples: samples, warmUpDropped: warmUpDropped, traffic: traffic,
            clock: clock.relation(over: samples, since: start), intendedHertz: hertz,
            achievedHertz: seconds > 0 ? Double(arrived) / seconds : nil)
        series.endsAtSubscriber = !observed.isEmpty
        return series
    }

    func commands(_ shots: [CommandAttempt], since start: MonotonicTime, warmUpDropped: Int, hertz: Double)
        -> LatencySeries
    {
        var samples: [LatencySample] = []
        var traffic = LatencySeries.Traffic(intended: shots.count, sent: 0)
        var (lostUp, lostDown, repeated, untraced) = (0, 0, 0, 0)
        for (shot, noted, record) in paired(shots) {
            if let noted {
                if noted.command.sealedAt != nil { traffic.sent += 1 }
                for sequence in noted.command.sequences {
                    repeated += repeatedUp[Key(session: noted.key.session, number: sequence)] ?? 0
                }
            }
            var sample = shot.sample(since: start)
            if let answeredAt = shot.answeredAt {
                let whole = (answeredAt - shot.intendedAt).nanoseconds
                sample.nanoseconds = whole
                var known: [LatencyStage: Int64] = [.queue: (shot.calledAt - shot.intendedAt).nanoseconds]
                if let sealed = noted?.command.sealedAt { known[.encode] = (sealed - shot.calledAt).nanoseconds }
                if let noted {
                    // The frame that was performed is the first that was read.
                    let up = noted.command.sequences.compactMap {
                        waitedUp[Key(session: noted.key.session, number: $0)]
                    }
                    known[.receive] = (up.first ?? 0) &+ (noted.command.waitedNanoseconds ?? 0)
                }
                if let record {
                    known[.companion] =
                        (record.askedAt - record.receivedAt + (record.readyAt - record.answeredAt)).nanoseconds
                    known[.ros] = (record.answeredAt - record.askedAt).nanoseconds
                } else {
                    untraced += 1
                }
                sample.stages = StageTimes(whole: whole, known: known)
            } else if record == nil {
                lostUp += 1
            } else {
                lostDown += 1
            }
            samples.append(sample)
        }
        traffic.lostUp = lostRecords == 0 ? lostUp : nil
        traffic.lostDown = lostRecords == 0 ? lostDown : nil
        traffic.duplicates = lostRecords == 0 ? repeated : nil
        return LatencySeries(
            samples: samples, warmUpDropped: warmUpDropped, traffic: traffic, clock: .same, intendedHertz: hertz,
            untraced: untraced)
    }

    /// Each call with the trace of both ends.
    private func paired(
        _ shots: [CommandAttempt]
    ) -> [(shot: CommandAttempt, noted: (key: Key, command: ChannelTrace.Command)?, record: TraceRecord.Command?)] {
        var next = 0
        return shots.map { shot in
            // Calls and traces are in the same order; a call that the link refused has no trace.
            while next < commands.count, commands[next].command.begunAt < shot.calledAt { next += 1 }
            guard next < commands.count, shot.answeredAt.map({ commands[next].command.begunAt <= $0 }) ?? true else {
                return (shot, nil, nil)
            }
            defer { next += 1 }
            return (shot, commands[next], commandRecords[commands[next].key])
        }
    }

    /// The notes for a recording of the run.
    func recorded(
        _ setpointShots: [SteeringAttempt], _ commandShots: [CommandAttempt], _ clock: ClockTrack?,
        in recording: RunRecording
    ) -> [RecordingEntry] {
        var notes: [RecordingEntry] = []
        for shot in setpointShots {
            let key = Key(shot)
            let ours = key.flatMap { setpoints[$0] }
            var passage = RunRecording.Passage(intendedAt: shot.intendedAt, sentAt: ours?.sealed ?? shot.returnedAt)
            let record = key.flatMap { setpointRecords[$0]?.first }
            passage.take(
                clock?.clock(at: passage.sentAt), receivedAt: record?.receivedAt,
                appliedAt: record?.fate == .applied ? record?.leftAt : nil)
            let wasLost = record == nil && ours?.sealed != nil && lostRecords == 0
            notes.append(
                recording.setpoint(
                    passage, fate: record.map { RecordedSetpoint.Fate($0.fate) } ?? (wasLost ? .lost : nil),
                    error: shot.receipt != nil ? nil : "the link refused it"))
        }
        for (shot, noted, record) in paired(commandShots) {
            var passage = RunRecording.Passage(
                intendedAt: shot.intendedAt, sentAt: noted?.command.sealedAt ?? shot.calledAt)
            passage.take(
                clock?.clock(at: passage.sentAt), receivedAt: record?.receivedAt, appliedAt: record?.askedAt)
            notes.append(recording.command(passage, answeredAt: shot.answeredAt, shot.reply))
        }
        return notes
    }
}

extension SampleFate {
    /// What becomes of a setpoint that reached the companion and had no effect.
    fileprivate init(ofUseless fate: TraceRecord.Fate) {
        switch fate {
        case .stale: self = .late
        case .superseded: self = .superseded
        // It never reaches the vehicle.
        case .refused, .applied: self = .lost
        }
    }
}
