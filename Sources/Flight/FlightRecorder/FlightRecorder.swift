#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ROS1
internal import SocketTransport
internal import Synchronization
internal import Threads
public import UAVLink

/// Records a flight as a ROS 1 bag, on a thread of its own.
///
/// It must cost the flight nothing: whoever has something to note puts it into a bounded queue under a lock and wakes nobody;
/// the thread looks into the queue twenty times a second. What finds the queue full is counted and told in the recording.
public final class FlightRecorder: Sendable {
    /// What a recording holds when it has ended.
    public struct Outcome: Hashable, Sendable {
        /// The file.
        public var path: String
        /// How many messages were written.
        public var messages: Int
        /// How many notes found no room.
        public var dropped: Int
        /// Why it ended early: a disk that is full.
        public var failure: String?
    }

    private struct State {
        var queue: [QueuedNote] = []
        var channels: [Int: @Sendable () -> [ChannelTrace]] = [:]
        var nextChannel = 0
        var settling: [Settling] = []
        var dropped = 0
        var isEnding = false
        var outcome: Outcome?
        var waiting: [CheckedContinuation<Outcome, Never>] = []
        var setpoints: UInt32 = 0
        var commands: UInt32 = 0
    }

    /// Somebody who waits until nothing of a channel waits.
    private struct Settling {
        let channel: Int
        let until: MonotonicTime
        let continuation: CheckedContinuation<Void, Never>
    }

    /// How many notes wait at most: ten seconds of what a flight gives at its busiest.
    static let capacity = 8192
    /// How often the thread looks.
    private static let period: Duration = .milliseconds(50)
    /// How long the newest messages may be in memory only.
    private static let chunkPeriod: Duration = .milliseconds(500)
    /// Every how many looks the channels are asked for what their ends noted: they have news five times a second.
    private static let gatherEvery = 4

    private let state = Mutex(State())
    private let clock: any MonotonicClock
    /// The file.
    public let path: String

    /// Makes the file and begins.
    ///
    /// - Throws: ``LinkError`` when the file is there already or cannot be made.
    public convenience init(
        path: String, vehicle: String, clock: any MonotonicClock = SystemMonotonicClock(), wall: WallClock? = nil
    ) throws(LinkError) {
        try self.init(path: path, vehicle: vehicle, to: try RecordingFile(path: path), clock: clock, wall: wall)
    }

    init(
        path: String, vehicle: String, to file: any RecordingSink,
        clock: any MonotonicClock = SystemMonotonicClock(), wall: WallClock? = nil
    ) throws(LinkError) {
        self.path = path
        self.clock = clock
        let wall = wall ?? WallClock.now(clock)
        if let trouble = file.append(FlightBag.beginning) {
            throw LinkError(.invalidInput, "cannot write the recording '\(path)' (\(trouble))")
        }
        state.withLock { $0.queue.reserveCapacity(256) }
        // From here on only the thread touches it; the compiler cannot see that nothing does before it begins.
        nonisolated(unsafe) let mine = file
        let bag = FlightBag(vehicle: vehicle, wall: wall)
        guard OwnThread.startWork({ [self] in write(bag, to: mine) }) else {
            throw LinkError(.internalFault, "the system has no thread for the recording")
        }
    }

    /// Puts something into the recording, in a fraction of a microsecond.
    public func note(_ note: FlightNote) { self.note(note, over: nil) }

    /// Puts something into the recording that waits for what the channel's ends note of it.
    func note(_ note: FlightNote, over channel: Int?) {
        state.withLock { state in
            guard !state.isEnding else { return }
            guard state.queue.count < Self.capacity else {
                state.dropped += 1
                return
            }
            state.queue.append(QueuedNote(note: note, channel: channel))
        }
    }

    /// Puts many things into the recording, which takes them as it has room. For whoever has time.
    public func add(_ notes: [FlightNote]) async {
        var rest = notes[...]
        while !rest.isEmpty {
            let taken = state.withLock { state in
                guard !state.isEnding else { return rest.count }
                let room = min(rest.count, max(0, Self.capacity / 2 - state.queue.count))
                state.queue += rest.prefix(room).map { QueuedNote(note: $0, channel: nil) }
                return room
            }
            rest = rest.dropFirst(taken)
            if !rest.isEmpty { try? await clock.sleep(for: Self.period) }
            if Task.isCancelled { return rest.forEach { note($0) } }
        }
    }

    // MARK: Channels

    /// Has a channel traced from now on; gives its number.
    func follow(_ channel: some TracedChannel) -> Int {
        channel.startTracing(watchesSetpoints: false)
        return state.withLock { state in
            state.nextChannel += 1
            state.channels[state.nextChannel] = { [weak channel] in channel?.takeTrace() ?? [] }
            return state.nextChannel
        }
    }

    /// Waits until all that went over a channel is complete, but no longer than this.
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

    /// The channel is no more.
    func leave(_ channel: Int) { state.withLock { $0.channels[channel] = nil } }

    /// The next setpoint's number.
    public func nextSetpoint() -> UInt32 {
        state.withLock { state in
            state.setpoints &+= 1
            return state.setpoints
        }
    }

    /// The next command's number.
    public func nextCommand() -> UInt32 {
        state.withLock { state in
            state.commands &+= 1
            return state.commands
        }
    }

    /// How many notes found no room so far.
    public var dropped: Int { state.withLock(\.dropped) }

    /// Ends the recording; returns when the file is whole. Safe to call twice.
    public func finish() async -> Outcome {
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
        var told = 0
        var round = 0
        var chunkEnds = clock.now + Self.chunkPeriod
        while true {
            let turn = takeTurn()
            let now = clock.now
            var bytes: [UInt8] = []
            for queued in turn.notes {
                if let note = joins.sort(queued, now: now) { bytes += bag.add(note) }
            }
            if round % Self.gatherEvery == 0 || turn.isEnding || turn.isSettling { joins.gather(turn.channels) }
            for note in joins.take(now: now, isLast: turn.isEnding) { bytes += bag.add(note) }
            settle(joins, now: now)
            if turn.dropped > told {
                bytes += bag.add(
                    .event(EventNote(.warning, "recording", "\(turn.dropped - told) notes found no room", at: now)))
                told = turn.dropped
            }
            if now >= chunkEnds {
                bytes += bag.endChunk()
                chunkEnds = now + Self.chunkPeriod
            }
            if failure == nil, !bytes.isEmpty {
                failure = file.append(bytes)
                if failure == nil { messages = bag.messagesGiven }
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
        end(Outcome(path: path, messages: messages, dropped: told, failure: failure))
    }

    private struct Turn {
        var notes: [QueuedNote]
        var channels: [Int: @Sendable () -> [ChannelTrace]]
        var dropped: Int
        var isEnding: Bool
        var isSettling: Bool
    }

    private func takeTurn() -> Turn {
        state.withLock { state in
            defer { state.queue.removeAll(keepingCapacity: true) }
            return Turn(
                notes: state.queue, channels: state.channels, dropped: state.dropped, isEnding: state.isEnding,
                isSettling: !state.settling.isEmpty)
        }
    }

    /// Tells those who wait for a channel of which nothing waits any more.
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
