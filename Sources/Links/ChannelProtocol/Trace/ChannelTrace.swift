public import UAVLink

/// The records of both ends of a channel for one traced session. Times in ``records`` are on the companion's clock, all others
/// on the ground's.
public struct ChannelTrace: Sendable {
    /// A setpoint, as recorded by the ground.
    public struct Setpoint: Hashable, Sendable {
        /// Counts the setpoints of the session from 1.
        public var number: UInt64
        /// The setpoint's own `intendedAt`.
        public var intendedAt: MonotonicTime
        /// When `steer` had acquired the link's lock.
        public var calledAt: MonotonicTime
        /// When its frame was sealed, just before it was sent; `nil` when a newer setpoint replaced it before it was sent.
        public var sealedAt: MonotonicTime?
        /// The frame's sequence number; `nil` until it is sealed.
        public var sequence: UInt64?
    }

    /// A command, as recorded by the ground.
    public struct Command: Hashable, Sendable {
        /// Counts the commands of the session from 1.
        public var number: UInt64
        /// When the call had acquired the link's lock.
        public var begunAt: MonotonicTime
        /// When its first frame was sealed, just before it was sent.
        public var sealedAt: MonotonicTime?
        /// When its answer was read from the socket.
        public var arrivedAt: MonotonicTime?
        /// How long the kernel had the answer before that, nanoseconds; `nil` where it does not stamp datagrams.
        public var waitedNanoseconds: Int64?
        /// How often it was sent.
        public var sends = 0
        /// The sequence numbers of the first of these frames, at most 16.
        public var sequences: [UInt64] = []
        /// The command's name, as a user types it.
        public var name = ""

        package init(
            number: UInt64, begunAt: MonotonicTime, sealedAt: MonotonicTime? = nil, arrivedAt: MonotonicTime? = nil,
            sends: Int = 0, sequences: [UInt64] = [], name: String = ""
        ) {
            self.number = number
            self.begunAt = begunAt
            self.sealedAt = sealedAt
            self.arrivedAt = arrivedAt
            self.sends = sends
            self.sequences = sequences
            self.name = name
        }
    }

    /// A state frame, as recorded by the ground.
    public struct State: Hashable, Sendable {
        /// The frame's sequence number.
        public var sequence: UInt64
        /// When it was read from the socket.
        public var arrivedAt: MonotonicTime
        /// How long the kernel had it before that, nanoseconds; `nil` where it does not stamp datagrams.
        public var waitedNanoseconds: Int64?
    }

    /// The offset between the companion's and the ground's clock.
    public struct Clock: Hashable, Sendable {
        /// The companion's clock minus the ground's, nanoseconds.
        public var offsetNanoseconds: Int64
        /// The largest possible error of the offset, nanoseconds.
        public var boundNanoseconds: Int64

        /// Converts an instant of the companion's clock to the ground's.
        public func ground(_ theirs: MonotonicTime) -> MonotonicTime {
            MonotonicTime(nanoseconds: theirs.nanoseconds &- offsetNanoseconds)
        }

        /// An offset and its bound.
        public init(offsetNanoseconds: Int64, boundNanoseconds: Int64) {
            self.offsetNanoseconds = offsetNanoseconds
            self.boundNanoseconds = boundNanoseconds
        }
    }

    /// One exchange of four timestamps (RFC 5905, section 8), nanoseconds.
    public struct Exchange: Hashable, Sendable {
        /// Its middle, on the ground's clock.
        public var at: MonotonicTime
        /// The companion's clock minus the ground's, if both ways took as long.
        public var offsetNanoseconds: Int64
        /// The time on the way, there and back.
        public var roundTripNanoseconds: Int64
        /// How long the companion held the stamps, on its clock.
        public var heldNanoseconds: Int64

        /// An exchange.
        public init(
            at: MonotonicTime, offsetNanoseconds: Int64, roundTripNanoseconds: Int64, heldNanoseconds: Int64
        ) {
            self.at = at
            self.offsetNanoseconds = offsetNanoseconds
            self.roundTripNanoseconds = roundTripNanoseconds
            self.heldNanoseconds = heldNanoseconds
        }
    }

    /// The number of the session, counted from 1 over the link's life, as on a ``UAVLink/SteeringReceipt``.
    public var session = 1
    /// The clock offset of this session when the trace was taken; a companion restarted on another machine has another clock.
    public var clock: Clock?
    /// The exchanges of timestamps of this session, in their order.
    public var exchanges: [Exchange] = []
    /// Setpoints in the order of the calls.
    public var setpoints: [Setpoint] = []
    /// Commands in the order of the calls.
    public var commands: [Command] = []
    /// State frames in the order of arrival.
    public var states: [State] = []
    /// Sequence numbers of state frames that arrived after a newer one and were not used.
    public var outOfOrder: [UInt64] = []
    /// Sequence numbers of frames received more than once.
    public var repeated: [UInt64] = []
    /// The companion's records, in its order.
    public var records: [TraceRecord] = []
    /// Records that the companion overwrote before they could be sent.
    public var recordsOverwritten: UInt64 = 0
    /// Events of the ground that were not recorded because the trace was full.
    public var overflow: UInt64 = 0
    /// The companion's wall clock minus its monotonic one, nanoseconds; `nil` before the first batch.
    public var wallMinusClock: Int64?

    /// An empty trace.
    public init() {}
}

/// The ground's end of a trace. Accessed only under its link's lock; bounded.
package final class GroundTrace {
    private let clock: any MonotonicClock
    private(set) var noted = ChannelTrace()
    /// The number of the first record not yet received.
    private(set) var next: UInt64 = 1
    package var watchesSetpoints: Bool
    /// Whether the companion is to stamp receipts too, and to say when its own subscriber has read setpoints.
    package var (stampsReceipts, watchesOwn): (Bool, Bool)
    /// The requests before the first batch.
    private var unanswered = 0
    package var nextRequest: MonotonicTime
    /// Whether the companion is to be asked to stop.
    package var isEnding = false

    /// The most entries of a kind kept until they are taken: ten minutes of steering at 100 Hz.
    static let capacity = 65_536
    /// The capacity reserved after each take, for a caller that takes several times per second.
    private static let usual = 128
    /// Two seconds of requests; batches come five times a second.
    private static let mostUnanswered = 8
    /// The most sequence numbers recorded per command.
    private static let maximumSequences = 16

    package init(
        clock: any MonotonicClock, session: Int, watchesSetpoints: Bool, stampsReceipts: Bool = false,
        watchesOwn: Bool = false
    ) {
        self.clock = clock
        (self.watchesSetpoints, self.watchesOwn, self.stampsReceipts) = (watchesSetpoints, watchesOwn, stampsReceipts)
        nextRequest = clock.now
        noted.session = session
        noted.setpoints.reserveCapacity(4096)
        noted.states.reserveCapacity(4096)
        noted.exchanges.reserveCapacity(1024)
    }

    /// Returns what was recorded and clears it.
    ///
    /// - Parameter estimate: the session's present clock offset and its bound.
    package func take(_ estimate: (offset: Int64, bound: Int64)? = nil) -> ChannelTrace {
        defer {
            let (session, wall) = (noted.session, noted.wallMinusClock)
            noted = ChannelTrace()
            noted.session = session
            noted.wallMinusClock = wall
            // Steering is recorded on the caller's thread, which should not allocate.
            noted.setpoints.reserveCapacity(Self.usual)
            noted.states.reserveCapacity(Self.usual)
            noted.exchanges.reserveCapacity(Self.usual)
        }
        noted.clock = estimate.map { .init(offsetNanoseconds: $0.offset, boundNanoseconds: $0.bound) }
        return noted
    }

    // MARK: Notes

    func exchanged(_ exchange: ClockExchange, endedAt: MonotonicTime) {
        guard noted.exchanges.count < Self.capacity else { return noted.overflow += 1 }
        noted.exchanges.append(
            .init(
                at: MonotonicTime(nanoseconds: endedAt.nanoseconds &- exchange.span / 2),
                offsetNanoseconds: exchange.offset, roundTripNanoseconds: exchange.roundTrip,
                heldNanoseconds: exchange.span &- exchange.roundTrip))
    }

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
            if command.sequences.count < Self.maximumSequences { command.sequences.append(sequence) }
        }
    }

    func answered(command number: UInt64, now: MonotonicTime, waited: Int64?) {
        change(number) { command in
            guard command.arrivedAt == nil else { return }
            (command.arrivedAt, command.waitedNanoseconds) = (now, waited)
        }
    }

    private func change(_ number: UInt64, _ body: (inout ChannelTrace.Command) -> Void) {
        guard let index = noted.commands.lastIndex(where: { $0.number == number }) else { return }
        body(&noted.commands[index])
    }

    func arrived(state sequence: UInt64, now: MonotonicTime, waited: Int64?) {
        guard noted.states.count < Self.capacity else { return noted.overflow += 1 }
        noted.states.append(.init(sequence: sequence, arrivedAt: now, waitedNanoseconds: waited))
    }

    func outOfOrder(state sequence: UInt64) {
        guard noted.outOfOrder.count < Self.capacity else { return noted.overflow += 1 }
        noted.outOfOrder.append(sequence)
    }

    func repeated(_ sequence: UInt64) {
        guard noted.repeated.count < Self.capacity else { return noted.overflow += 1 }
        noted.repeated.append(sequence)
    }

    // MARK: Records

    func take(_ batch: TraceBatch) {
        noted.wallMinusClock = batch.wall &- batch.sent
        if batch.oldest > next {
            noted.recordsOverwritten += batch.oldest - next
            next = batch.oldest
        }
        // Records received before, and those after a gap, are discarded; the latter are requested again.
        guard batch.first <= next, next - batch.first < UInt64(batch.records.count) else { return }
        let newRecords = batch.records.dropFirst(Int(next - batch.first))
        next += UInt64(newRecords.count)
        let free = max(0, Self.capacity - noted.records.count)
        noted.records += newRecords.prefix(free)
        noted.overflow += UInt64(newRecords.count - min(newRecords.count, free))
    }

    /// The request that is due now, if any.
    func request(now: MonotonicTime) -> TraceRequest? {
        guard nextRequest <= now else { return nil }
        if noted.wallMinusClock == nil {
            unanswered += 1
            // A companion from before these flags were known refuses to be asked for them.
            if unanswered > Self.mostUnanswered { (stampsReceipts, watchesOwn) = (false, false) }
        }
        nextRequest = now + ChannelTimes.traceRequest
        return TraceRequest(
            isWanted: !isEnding, watchesSetpoints: watchesSetpoints, stampsReceipts: stampsReceipts,
            watchesOwn: watchesOwn, next: next)
    }
}
