public import UAVLink

/// What both ends of a channel noted of one session while it was traced. The ends are told apart by the types: times of
/// ``records`` are on the companion's clock, all others on the ground's.
public struct ChannelTrace: Sendable {
    /// A setpoint, seen from the ground.
    public struct Setpoint: Hashable, Sendable {
        /// Counts the setpoints of the session from 1.
        public var number: UInt64
        /// When it was meant.
        public var intendedAt: MonotonicTime
        /// When `steer` had the link to itself.
        public var calledAt: MonotonicTime
        /// When its frame was sealed, just before it was sent; `nil` of one that a newer one replaced before it could go.
        public var sealedAt: MonotonicTime?
        /// The frame's sequence number; `nil` while it has none.
        public var sequence: UInt64?
    }

    /// A command, seen from the ground.
    public struct Command: Hashable, Sendable {
        /// Counts the commands of the session from 1.
        public var number: UInt64
        /// When the call had the link to itself.
        public var begunAt: MonotonicTime
        /// When its first frame was sealed, just before it was sent.
        public var sealedAt: MonotonicTime?
        /// When its answer was read from the socket.
        public var arrivedAt: MonotonicTime?
        /// How often a frame of it was sent.
        public var sends = 0
        /// The sequence numbers of the first of these frames.
        public var sequences: [UInt64] = []
        /// What was asked for, as a person types it.
        public var name = ""
    }

    /// A state frame, seen from the ground.
    public struct State: Hashable, Sendable {
        /// The frame's sequence number.
        public var sequence: UInt64
        /// When it was read from the socket.
        public var arrivedAt: MonotonicTime
    }

    /// How the companion's clock stands to the ground's.
    public struct Clock: Hashable, Sendable {
        /// The companion's clock minus the ground's, nanoseconds.
        public var offsetNanoseconds: Int64
        /// How far from the truth that can be, nanoseconds.
        public var boundNanoseconds: Int64

        /// The ground's instant for one of the companion's.
        public func ground(_ theirs: MonotonicTime) -> MonotonicTime {
            MonotonicTime(nanoseconds: theirs.nanoseconds &- offsetNanoseconds)
        }

        /// An offset and its bound.
        public init(offsetNanoseconds: Int64, boundNanoseconds: Int64) {
            self.offsetNanoseconds = offsetNanoseconds
            self.boundNanoseconds = boundNanoseconds
        }
    }

    /// Which session, counted from 1 over the link's life.
    public var session = 1
    /// The clocks when this was taken, of this session: a companion that was restarted on another machine has another clock.
    public var clock: Clock?
    /// Setpoints in the order of the calls.
    public var setpoints: [Setpoint] = []
    /// Commands in the order of the calls.
    public var commands: [Command] = []
    /// State frames in the order of arrival.
    public var states: [State] = []
    /// Sequence numbers of state frames that came behind a newer one, and were not used.
    public var overtaken: [UInt64] = []
    /// Sequence numbers of frames that came again.
    public var repeated: [UInt64] = []
    /// What the companion noted, in its order.
    public var records: [TraceRecord] = []
    /// Records that the companion had to forget before they could be sent.
    public var recordsLost: UInt64 = 0
    /// Events here that were not noted since there was no more room.
    public var overflow: UInt64 = 0
    /// The companion's wall clock minus its monotonic one, nanoseconds; `nil` before the first batch.
    public var wallMinusClock: Int64?

    /// Nothing noted.
    public init() {}
}

/// The ground's end of a trace. Touched only under its link's lock; bounded.
final class GroundTrace {
    private let clock: any MonotonicClock
    private(set) var noted = ChannelTrace()
    /// The first record that has not come.
    private(set) var next: UInt64 = 1
    var watchesSetpoints: Bool
    var nextRequest: MonotonicTime
    /// Whether the companion was told to stop.
    var isEnding = false

    /// What is kept until it is taken: ten minutes of steering at 100 Hz.
    static let capacity = 65_536
    /// What is noted between two takings of one who takes some times a second.
    private static let usual = 128
    /// A command that is sent more often than this has other troubles.
    private static let mostSequences = 16

    init(clock: any MonotonicClock, session: Int, watchesSetpoints: Bool) {
        self.clock = clock
        self.watchesSetpoints = watchesSetpoints
        nextRequest = clock.now
        noted.session = session
        noted.setpoints.reserveCapacity(4096)
        noted.states.reserveCapacity(4096)
    }

    /// Gives what was noted and forgets it.
    ///
    /// - Parameter estimate: the session's offset of clocks by now.
    func take(_ estimate: (offset: Int64, bound: Int64)? = nil) -> ChannelTrace {
        defer {
            let (session, wall) = (noted.session, noted.wallMinusClock)
            noted = ChannelTrace()
            noted.session = session
            noted.wallMinusClock = wall
            // Steering is noted on the caller's thread, where memory should be there already.
            noted.setpoints.reserveCapacity(Self.usual)
            noted.states.reserveCapacity(Self.usual)
        }
        noted.clock = estimate.map { .init(offsetNanoseconds: $0.offset, boundNanoseconds: $0.bound) }
        return noted
    }

    // MARK: Notes

    func called(setpoint number: UInt64, intendedAt: MonotonicTime, now: MonotonicTime) {
        guard noted.setpoints.count < Self.capacity else { return noted.overflow += 1 }
        noted.setpoints.append(.init(number: number, intendedAt: intendedAt, calledAt: now))
    }

    func sealed(setpoint number: UInt64, sequence: UInt64) {
        // Only the newest is ever sent.
        guard let index = noted.setpoints.indices.last, noted.setpoints[index].number == number else { return }
        noted.setpoints[index].sealedAt = clock.now
        noted.setpoints[index].sequence = sequence
    }

    func begun(command number: UInt64, name: String, now: MonotonicTime) {
        guard noted.commands.count < Self.capacity else { return noted.overflow += 1 }
        noted.commands.append(.init(number: number, begunAt: now, name: name))
    }

    func sealed(command number: UInt64, sequence: UInt64) {
        change(number) { command in
            command.sealedAt = command.sealedAt ?? clock.now
            command.sends += 1
            if command.sequences.count < Self.mostSequences { command.sequences.append(sequence) }
        }
    }

    func answered(command number: UInt64, now: MonotonicTime) {
        change(number) { $0.arrivedAt = $0.arrivedAt ?? now }
    }

    private func change(_ number: UInt64, _ body: (inout ChannelTrace.Command) -> Void) {
        guard let index = noted.commands.lastIndex(where: { $0.number == number }) else { return }
        body(&noted.commands[index])
    }

    func arrived(state sequence: UInt64, now: MonotonicTime) {
        guard noted.states.count < Self.capacity else { return noted.overflow += 1 }
        noted.states.append(.init(sequence: sequence, arrivedAt: now))
    }

    func overtaken(state sequence: UInt64) {
        guard noted.overtaken.count < Self.capacity else { return noted.overflow += 1 }
        noted.overtaken.append(sequence)
    }

    func repeated(_ sequence: UInt64) {
        guard noted.repeated.count < Self.capacity else { return noted.overflow += 1 }
        noted.repeated.append(sequence)
    }

    // MARK: Records

    func take(_ batch: TraceBatch) {
        noted.wallMinusClock = batch.wall &- batch.sent
        if batch.oldest > next {
            noted.recordsLost += batch.oldest - next
            next = batch.oldest
        }
        // What came before, and what lies behind a gap, is asked for again.
        guard batch.first <= next, next - batch.first < UInt64(batch.records.count) else { return }
        let news = batch.records.dropFirst(Int(next - batch.first))
        next += UInt64(news.count)
        let room = max(0, Self.capacity - noted.records.count)
        noted.records += news.prefix(room)
        noted.overflow += UInt64(news.count - min(news.count, room))
    }

    /// The request that is due now.
    func request(now: MonotonicTime) -> TraceRequest? {
        guard nextRequest <= now else { return nil }
        nextRequest = now + ChannelTimes.traceRequest
        return TraceRequest(isWanted: !isEnding, watchesSetpoints: watchesSetpoints, next: next)
    }
}
