#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ROS1
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
        var queue: [FlightNote] = []
        var dropped = 0
        var isEnding = false
        var outcome: Outcome?
        var waiting: [CheckedContinuation<Outcome, Never>] = []
        var setpoints: UInt32 = 0
        var commands: UInt32 = 0
    }

    /// How many notes wait at most: ten seconds of what a flight gives at its busiest.
    static let capacity = 8192
    /// How often the thread looks.
    private static let period: UInt32 = 50_000
    /// How long the newest messages may be in memory only.
    private static let chunkPeriod: Duration = .seconds(1)

    private let state = Mutex(State())
    private let clock: any MonotonicClock
    /// The file.
    public let path: String

    /// Makes the file and begins.
    ///
    /// - Throws: ``LinkError`` when the file is there already or cannot be made.
    public init(
        path: String, vehicle: String, clock: any MonotonicClock = SystemMonotonicClock(), wall: WallClock? = nil
    ) throws(LinkError) {
        self.path = path
        self.clock = clock
        let wall = wall ?? WallClock.now(clock)
        let file = try RecordingFile(path: path)
        if let trouble = file.append(FlightBag.beginning) {
            throw LinkError(.invalidInput, "cannot write the recording '\(path)' (\(trouble))")
        }
        state.withLock { $0.queue.reserveCapacity(256) }
        nonisolated(unsafe) let mine = file
        let bag = FlightBag(vehicle: vehicle, wall: wall)
        guard OwnThread.start({ [self] in write(bag, to: mine) }) else {
            throw LinkError(.internalFault, "the system has no thread for the recording")
        }
    }

    /// Puts something into the recording, in a fraction of a microsecond.
    public func note(_ note: FlightNote) {
        state.withLock { state in
            guard !state.isEnding else { return }
            guard state.queue.count < Self.capacity else {
                state.dropped += 1
                return
            }
            state.queue.append(note)
        }
    }

    /// The next setpoint's number.
    func nextSetpoint() -> UInt32 {
        state.withLock { state in
            state.setpoints &+= 1
            return state.setpoints
        }
    }

    /// The next command's number.
    func nextCommand() -> UInt32 {
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

    private func write(_ first: FlightBag, to file: RecordingFile) {
        var bag = first
        var failure: String?
        var told = 0
        var chunkEnds = clock.now + Self.chunkPeriod
        while true {
            let (notes, dropped, isEnding) = state.withLock { state in
                let notes = state.queue
                state.queue.removeAll(keepingCapacity: true)
                return (notes, state.dropped, state.isEnding)
            }
            var bytes: [UInt8] = []
            for note in notes { bytes += bag.add(note) }
            if dropped > told {
                bytes += bag.add(
                    .event(EventNote(.warning, "recording", "\(dropped - told) notes found no room", at: clock.now)))
                told = dropped
            }
            if clock.now >= chunkEnds {
                bytes += bag.endChunk()
                chunkEnds = clock.now + Self.chunkPeriod
            }
            if failure == nil, !bytes.isEmpty { failure = file.append(bytes) }
            if isEnding { break }
            usleep(Self.period)
        }
        let messages = bag.messages
        let ending = bag.finish()
        if failure == nil { failure = file.append(ending.tail) ?? file.replaceHead(ending.head) }
        end(Outcome(path: path, messages: messages, dropped: dropped, failure: failure))
    }

    private func end(_ outcome: Outcome) {
        let waiting = state.withLock { state in
            state.outcome = outcome
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }
}
