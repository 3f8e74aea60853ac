internal import FlightRecorder
internal import ChannelProtocol
internal import UAVLink

/// The traces of both ends of a channel under one condition, matched by session and number.
struct ChannelMeasurement: Sendable {
    private struct Key: Hashable {
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
    private var commands: [(key: Key, command: ChannelTrace.Command)] = []
    /// The index of each command in `commands`.
    private var places: [Key: Int] = [:]
    private var commandRecords: [Key: TraceRecord.Command] = [:]
    private var arrivals: [Key: MonotonicTime] = [:]
    private var states: [(key: Key, record: TraceRecord.State)] = []
    /// Duplicate frames, by their sequence numbers.
    private var repeatedUp: [Key: Int] = [:]
    private var repeatedDown: [Key: Int] = [:]
    /// State frames that arrived after newer ones.
    private var outOfOrder: Set<Key> = []
    /// Trace records that never reached the ground. If there are any, loss towards the vehicle cannot be determined.
    private(set) var lostRecords: UInt64 = 0

    init() {}

    mutating func add(_ part: ChannelTrace) {
        func key(_ number: UInt64) -> Key { Key(session: part.session, number: number) }
        lostRecords += part.recordsOverwritten + part.overflow
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
        for state in part.states { arrivals[key(state.sequence)] = state.arrivedAt }
        for record in part.records {
            switch record {
            case .setpoint(let record): setpointRecords[key(record.number), default: []].append(record)
            case .command(let record): commandRecords[key(record.number)] = record
            case .state(let record): states.append((key(record.sequence), record))
            case .repeated(let record): repeatedUp[key(record.sequence), default: 0] += 1
            case .seen: break
            }
        }
    }

    /// How many records may still arrive: of commands, and of setpoints after the newest with a record. Records arrive in order,
    /// so an earlier setpoint without one was lost on its way.
    var missingRecords: Int {
        var newest: [Int: UInt64] = [:]
        for key in setpointRecords.keys { newest[key.session] = max(newest[key.session] ?? 0, key.number) }
        return setpoints.count { $0.value.sealed != nil && $0.key.number > newest[$0.key.session] ?? 0 }
            + commands.count { $0.command.sealedAt != nil && commandRecords[$0.key] == nil }
    }

    // MARK: Series

    /// - Parameters:
    ///   - offset: the companion's clock minus ours, nanoseconds.
    ///   - seconds: total duration of the schedule.
    func steering(
        _ shots: [SteeringAttempt], since start: MonotonicTime, offset: Int64, bound: Int64, warmUpDropped: Int,
        hertz: Double, seconds: Double
    ) -> LatencySeries {
        var samples: [LatencySample] = []
        var traffic = LatencySeries.Traffic(intended: shots.count, sent: 0)
        var (applied, stale, lost, reordered, repeated) = (0, 0, 0, 0, 0)
        for shot in shots {
            var sample = shot.sample(since: start)
            defer { samples.append(sample) }
            guard let key = Key(shot), let ours = setpoints[key], let sealed = ours.sealed else { continue }
            traffic.sent += 1
            if let frame = ours.frame { repeated += repeatedUp[frame] ?? 0 }
            let records = setpointRecords[key] ?? []
            if records.isEmpty { lost += 1 }
            if records.contains(where: { $0.fate == .stale }) { stale += 1 }
            if records.contains(where: { $0.fate == .superseded }) { reordered += 1 }
            guard let record = records.first(where: { $0.fate == .applied || $0.fate == .refused }) else { continue }
            if record.fate == .applied { applied += 1 }
            let whole = record.leftAt.nanoseconds &- offset &- shot.intendedAt.nanoseconds
            sample.nanoseconds = whole
            sample.stages = StageTimes(
                whole: whole,
                known: [
                    .queue: (shot.calledAt - shot.intendedAt).nanoseconds,
                    .encode: (sealed - shot.calledAt).nanoseconds,
                    .companion: (record.handedAt - record.receivedAt).nanoseconds,
                    .ros: (record.leftAt - record.handedAt).nanoseconds,
                ])
        }
        traffic.lostUp = lostRecords == 0 ? lost : nil
        traffic.duplicates = lostRecords == 0 ? repeated : nil
        traffic.stale = stale
        traffic.reordered = reordered
        return LatencySeries(
            samples: samples, warmUpDropped: warmUpDropped, traffic: traffic,
            clock: .measured(offsetNanoseconds: offset, boundNanoseconds: bound), intendedHertz: hertz,
            achievedHertz: seconds > 0 ? Double(applied) / seconds : nil)
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
        _ setpointShots: [SteeringAttempt], _ commandShots: [CommandAttempt], _ clock: ChannelTrace.Clock?,
        in recording: RunRecording
    ) -> [RecordingEntry] {
        var notes: [RecordingEntry] = []
        for shot in setpointShots {
            let key = Key(shot)
            let ours = key.flatMap { setpoints[$0] }
            var passage = RunRecording.Passage(intendedAt: shot.intendedAt, sentAt: ours?.sealed ?? shot.returnedAt)
            let record = key.flatMap { setpointRecords[$0]?.first }
            passage.take(
                clock, receivedAt: record?.receivedAt, appliedAt: record?.fate == .applied ? record?.leftAt : nil)
            let wasLost = record == nil && ours?.sealed != nil && lostRecords == 0
            notes.append(
                recording.setpoint(
                    passage, fate: record.map { RecordedSetpoint.Fate($0.fate) } ?? (wasLost ? .lost : nil),
                    error: shot.receipt != nil ? nil : "the link refused it"))
        }
        for (shot, noted, record) in paired(commandShots) {
            var passage = RunRecording.Passage(
                intendedAt: shot.intendedAt, sentAt: noted?.command.sealedAt ?? shot.calledAt)
            passage.take(clock, receivedAt: record?.receivedAt, appliedAt: record?.askedAt)
            notes.append(recording.command(passage, answeredAt: shot.answeredAt, shot.reply))
        }
        return notes
    }

    /// The series of the state frames that were sent within the windows, which are sorted and do not overlap.
    ///
    /// - Parameters:
    ///   - rounds: the round of each window; their numbers if none are given.
    ///   - stampClock: the clock of the stamps as the companion knows it; `nil` if it does not.
    func telemetry(
        _ windows: [Range<MonotonicTime>], rounds: [Int] = [], since start: MonotonicTime, offset: Int64, bound: Int64,
        stampClock: StampClock? = nil
    ) -> LatencySeries {
        let origin = TelemetryOrigin.chosen(
            stampClock,
            delays: states.map { state in
                state.record.stampedAt.map { (state.record.arrivedAt - $0).nanoseconds }
            })
        var samples: [LatencySample] = []
        var traffic = LatencySeries.Traffic(intended: 0, sent: 0)
        var (arrived, late, repeated) = (0, 0, 0)
        for (key, record) in states {
            func local(_ theirs: MonotonicTime) -> MonotonicTime {
                MonotonicTime(nanoseconds: theirs.nanoseconds &- offset)
            }
            let sent = local(record.sentAt)
            guard let window = Self.place(of: sent, in: windows) else { continue }
            // Without a timestamp of the vehicle that can be used, the message's arrival at the companion counts.
            let beganOnBoard = origin == .stamp ? record.stampedAt ?? record.arrivedAt : record.arrivedAt
            let began = local(beganOnBoard)
            var sample = LatencySample(
                number: samples.count, intendedNanoseconds: (began - start).nanoseconds, nanoseconds: nil,
                round: rounds.indices.contains(window) ? rounds[window] : window)
            traffic.intended += 1
            traffic.sent += 1
            repeated += repeatedDown[key] ?? 0
            if outOfOrder.contains(key) { late += 1 }
            if let at = arrivals[key] {
                arrived += 1
                let whole = (at - began).nanoseconds
                sample.nanoseconds = whole
                sample.stages = StageTimes(
                    whole: whole,
                    known: [
                        .ros: (record.arrivedAt - beganOnBoard).nanoseconds,
                        .companion: (record.sentAt - record.arrivedAt).nanoseconds,
                    ])
            }
            samples.append(sample)
        }
        traffic.lostDown = traffic.sent - arrived - late
        traffic.duplicates = repeated
        traffic.reordered = late
        let seconds = windows.reduce(0.0) { $0 + ($1.upperBound - $1.lowerBound).inSeconds }
        return LatencySeries(
            samples: samples, traffic: traffic, clock: .measured(offsetNanoseconds: offset, boundNanoseconds: bound),
            achievedHertz: seconds > 0 ? Double(arrived) / seconds : nil, origin: origin)
    }

    /// Binary search: a run of a day has tens of thousands of windows and millions of frames.
    private static func place(of instant: MonotonicTime, in windows: [Range<MonotonicTime>]) -> Int? {
        var (low, high) = (0, windows.count)
        while low < high {
            let middle = (low + high) / 2
            if windows[middle].upperBound <= instant { low = middle + 1 } else { high = middle }
        }
        return low < windows.count && windows[low].contains(instant) ? low : nil
    }
}
