#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ChannelProtocol
package import ROSRecordings
internal import Synchronization
internal import Threads
package import UAVLink

/// Records a flight as a ROS 1 bag or an MCAP file, on a dedicated thread.
///
/// It must not delay the flight: callers put notes into a bounded queue under a lock and wake no thread; the recording's
/// thread polls the queue twenty times a second. Notes dropped because the queue is full are counted and recorded.
package final class FlightRecorder: Sendable {
    /// The result of a finished recording.
    package struct Outcome: Hashable, Sendable {
        /// The file.
        package var path: String
        /// The number of messages written.
        package var messages: Int
        /// The number of notes dropped because the queue was full.
        package var dropped: Int
        /// Why it ended early, such as a full disk; `nil` if it did not.
        package var failure: String?
    }

    private struct State {
        var queue: [QueuedEntry] = []
        var channels: [Int: @Sendable () -> [ChannelTrace]] = [:]
        /// Stops the trace of each channel.
        var stops: [Int: @Sendable () -> Void] = [:]
        var nextChannel = 0
        var settling: [Settling] = []
        var dropped = 0
        var isEnding = false
        var outcome: Outcome?
        var waiting: [CheckedContinuation<Outcome, Never>] = []
        var setpoints: UInt32 = 0
        var commands: UInt32 = 0
    }

    /// A caller that waits until a channel's notes are complete.
    private struct Settling {
        let channel: Int
        let until: MonotonicTime
        let continuation: CheckedContinuation<Void, Never>
    }

    /// The capacity of the queue: ten seconds of a flight's highest rate of notes.
    static let capacity = 8192
    /// The polling period of the thread.
    private static let period: Duration = .milliseconds(50)
    /// The longest time that messages are in memory only.
    private static let chunkPeriod: Duration = .milliseconds(500)
    /// The number of polls between two collections of the channels' traces, which are updated five times a second.
    private static let gatherEvery = 4

    private let state = Mutex(State())
    private let clock: any MonotonicClock
    /// The file.
    package let path: String

    /// Creates the file and starts recording.
    ///
    /// - Throws: ``LinkError`` if the file exists already or cannot be created.
    package convenience init(
        path: String, vehicle: String, format: RecordingFormat = .bag,
        clock: any MonotonicClock = SystemMonotonicClock(), wall: WallClock? = nil
    ) throws(LinkError) {
        try self.init(
            path: path, vehicle: vehicle, format: format, to: try RecordingFile(path: path), clock: clock, wall: wall)
    }

    init(
        path: String, vehicle: String, format: RecordingFormat = .bag, to file: any RecordingSink,
        clock: any MonotonicClock = SystemMonotonicClock(), wall: WallClock? = nil
    ) throws(LinkError) {
        self.path = path
        self.clock = clock
        let bag = FlightBag(
            vehicle: vehicle, wall: wall ?? WallClock.now(clock), format: format, began: clock.now)
        if let trouble = file.append(bag.beginning) {
            throw LinkError(.invalidInput, "cannot write the recording '\(path)' (\(trouble))")
        }
        state.withLock { $0.queue.reserveCapacity(256) }
        // From here on only the thread uses it; the compiler cannot prove that nothing else does.
        nonisolated(unsafe) let mine = file
        guard DedicatedThread.startWork({ [self] in write(bag, to: mine) }) else {
            throw LinkError(.internalFault, "cannot create a thread for the recording", hint: "raise 'ulimit -u'")
        }
    }

    /// Adds a note to the recording; takes a fraction of a microsecond.
    package func note(_ note: RecordingEntry) { self.note(note, over: nil) }

    /// Adds a note that waits for the channel's trace of it.
    ///
    /// - Parameter receipt: the channel's, of a setpoint.
    func note(_ note: RecordingEntry, over channel: Int?, _ receipt: SteeringReceipt? = nil) {
        state.withLock { state in
            guard !state.isEnding else { return }
            guard state.queue.count < Self.capacity else {
                state.dropped += 1
                return
            }
            state.queue.append(QueuedEntry(note: note, channel: channel, receipt: receipt))
        }
    }

    /// Adds many notes, waiting for space in the queue. Not for time-critical callers.
    package func add(_ notes: [RecordingEntry]) async {
        var rest = notes[...]
        while !rest.isEmpty {
            let taken = state.withLock { state in
                guard !state.isEnding else { return rest.count }
                let free = min(rest.count, max(0, Self.capacity / 2 - state.queue.count))
                state.queue += rest.prefix(free).map { QueuedEntry(note: $0, channel: nil) }
                return free
            }
            rest = rest.dropFirst(taken)
            if !rest.isEmpty { try? await clock.sleep(for: Self.period) }
            if Task.isCancelled { return rest.forEach { note($0) } }
        }
    }

    // MARK: Channels

    /// Starts tracing a channel.
    ///
    /// - Returns: the channel's number.
    func follow(_ channel: some TracedChannel) -> Int {
        channel.startTracing(watchesSetpoints: false)
        return state.withLock { state in
            state.nextChannel += 1
            state.channels[state.nextChannel] = { [weak channel] in channel?.takeTrace() ?? [] }
            state.stops[state.nextChannel] = { [weak channel] in channel?.stopTracing() }
            return state.nextChannel
        }
    }

    /// Waits until all notes of a channel are complete, or the timeout expires.
    func settle(_ channel: Int, within time: Duration) async {
        let until = clock.now + time
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.outcome == nil else { return true }
                state.settling.append(Settling(channel: channel, until: until, continuation: continuation))
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Removes a channel and stops its trace, which would otherwise go on for the rest of the link's life.
    func leave(_ channel: Int) {
        let stop = state.withLock { state in
            state.channels[channel] = nil
            return state.stops.removeValue(forKey: channel)
        }
        stop?()
    }

    /// The next setpoint's number.
    package func nextSetpoint() -> UInt32 {
        state.withLock { state in
            state.setpoints &+= 1
            return state.setpoints
        }
    }

    /// The next command's number.
    package func nextCommand() -> UInt32 {
        state.withLock { state in
            state.commands &+= 1
            return state.commands
        }
    }

    /// The number of notes dropped so far because the queue was full.
    package var dropped: Int { state.withLock(\.dropped) }

    /// Ends the recording; returns when the file is complete. Safe to call twice.
    package func finish() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> Outcome? in
                state.isEnding = true
                if state.outcome == nil { state.waiting.append(continuation) }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    private func write(_ first: FlightBag, to file: any RecordingSink) {
        var bag = first
        var joins = ChannelJoins()
        var failure: String?
        var messages = 0
        var reportedDrops = 0
        var round = 0
        var chunkEnds = clock.now + Self.chunkPeriod
        while true {
            let turn = drainQueue()
            let now = clock.now
            var bytes: [UInt8] = []
            for queued in turn.notes {
                if let note = joins.sort(queued, now: now) { bytes += bag.add(note) }
            }
            if round % Self.gatherEvery == 0 || turn.isEnding || turn.isSettling { joins.gather(turn.channels) }
            for note in joins.take(now: now, isLast: turn.isEnding) { bytes += bag.add(note) }
            settle(joins, now: now)
            if turn.dropped > reportedDrops {
                bytes += bag.add(
                    .event(
                        RecordedEvent(
                            .warning, "recording", "\(turn.dropped - reportedDrops) entries dropped (buffer full)",
                            at: now)))
                reportedDrops = turn.dropped
            }
            if now >= chunkEnds {
                bytes += bag.endChunk()
                chunkEnds = now + Self.chunkPeriod
            }
            if failure == nil, !bytes.isEmpty {
                failure = file.append(bytes)
                if failure == nil { messages = bag.completedMessages }
            }
            if turn.isEnding { break }
            round &+= 1
            clock.block(until: clock.now + Self.period)
        }
        let ending = bag.finish()
        if failure == nil {
            failure = file.append(ending.tail) ?? file.replaceHead(ending.head)
            if failure == nil { messages = bag.messages }
        }
        end(Outcome(path: path, messages: messages, dropped: reportedDrops, failure: failure))
    }

    private struct Turn {
        var notes: [QueuedEntry]
        var channels: [Int: @Sendable () -> [ChannelTrace]]
        var dropped: Int
        var isEnding: Bool
        var isSettling: Bool
    }

    private func drainQueue() -> Turn {
        state.withLock { state in
            defer { state.queue.removeAll(keepingCapacity: true) }
            return Turn(
                notes: state.queue, channels: state.channels, dropped: state.dropped, isEnding: state.isEnding,
                isSettling: !state.settling.isEmpty)
        }
    }

    /// Resumes the callers that wait for a channel whose notes are complete, or whose timeout has expired.
    private func settle(_ joins: ChannelJoins, now: MonotonicTime) {
        let settled = state.withLock { state in
            guard !state.settling.isEmpty else { return [Settling]() }
            let queued = Set(state.queue.compactMap(\.channel))
            let isOver = { (wait: Settling) in
                wait.until <= now || joins.isSettled(wait.channel) && !queued.contains(wait.channel)
            }
            defer { state.settling.removeAll(where: isOver) }
            return state.settling.filter(isOver)
        }
        for wait in settled { wait.continuation.resume() }
    }

    private func end(_ outcome: Outcome) {
        let (waiting, settling) = state.withLock { state in
            state.outcome = outcome
            defer { (state.waiting, state.settling) = ([], []) }
            return (state.waiting, state.settling)
        }
        for wait in settling { wait.continuation.resume() }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }
}
