public import UAVLink

/// One record of the companion; all times are on the companion's clock.
public enum TraceRecord: Hashable, Sendable {
    /// What happened to a setpoint.
    public enum Fate: UInt8, Sendable, CaseIterable {
        /// Forwarded to the vehicle.
        case applied = 0
        /// Refused by the companion's handler.
        case refused = 1
        /// Expired, or its age could not be bounded by its validity.
        case stale = 2
        /// A newer setpoint or a later command arrived before it, or it arrived twice.
        case superseded = 3
    }

    /// A setpoint of this session.
    public struct Setpoint: Hashable, Sendable {
        /// Counts the setpoints of the session from 1.
        public var number: UInt64
        /// When its frame was read from the socket.
        public var receivedAt: MonotonicTime
        /// When it was decrypted, checked and passed to the handler; for a dropped one, when it was checked.
        public var handedAt: MonotonicTime
        /// When the ROS message had been written to the subscribers' sockets; for a dropped one, ``handedAt``.
        public var leftAt: MonotonicTime
        /// What happened to it.
        public var fate: Fate
    }

    /// A command of this session.
    public struct Command: Hashable, Sendable {
        /// Counts the commands of the session from 1.
        public var number: UInt64
        /// When its first frame was read from the socket.
        public var receivedAt: MonotonicTime
        /// When it was passed to the vehicle.
        public var askedAt: MonotonicTime
        /// When the vehicle had answered.
        public var answeredAt: MonotonicTime
        /// When the answer was ready to be sealed and sent.
        public var readyAt: MonotonicTime

        package init(
            number: UInt64, receivedAt: MonotonicTime, askedAt: MonotonicTime, answeredAt: MonotonicTime,
            readyAt: MonotonicTime
        ) {
            self.number = number
            self.receivedAt = receivedAt
            self.askedAt = askedAt
            self.answeredAt = answeredAt
            self.readyAt = readyAt
        }
    }

    /// A state frame.
    public struct State: Hashable, Sendable {
        /// The frame's sequence number.
        public var sequence: UInt64
        /// When it was sealed.
        public var sentAt: MonotonicTime
        /// When the message with the pose reached the companion.
        public var arrivedAt: MonotonicTime
        /// The message's own stamp; `nil` when unknown.
        public var stampedAt: MonotonicTime?
    }

    /// A velocity reference of another node, seen on the vehicle's topic.
    public struct Seen: Hashable, Sendable {
        /// The `seq` of its header.
        public var sequence: UInt32
        /// When it was read from the socket.
        public var at: MonotonicTime

        package init(sequence: UInt32, at: MonotonicTime) {
            self.sequence = sequence
            self.at = at
        }
    }

    /// A frame of this session received again: a duplicated datagram or a replay.
    public struct Repeated: Hashable, Sendable {
        /// The frame's sequence number.
        public var sequence: UInt64
        /// When it was read from the socket.
        public var at: MonotonicTime
    }

    /// How long the companion's kernel had a frame with a setpoint or a command before it was read. Recorded where a request asks for
    /// it and the kernel stamps datagrams.
    public struct Receipt: Hashable, Sendable {
        /// The frame's sequence number.
        public var sequence: UInt64
        /// Nanoseconds.
        public var waitedNanoseconds: Int64

        package init(sequence: UInt64, waitedNanoseconds: Int64) {
            self.sequence = sequence
            self.waitedNanoseconds = waitedNanoseconds
        }
    }

    /// See ``Setpoint``.
    case setpoint(Setpoint)
    /// See ``Command``.
    case command(Command)
    /// See ``State``.
    case state(State)
    /// See ``Seen``.
    case seen(Seen)
    /// See ``Repeated``.
    case repeated(Repeated)
    /// See ``Receipt``.
    case receipt(Receipt)
    /// When the companion's own subscriber has read the setpoint of that number, as it reads those of other nodes. Recorded where
    /// a request asks for it.
    case observed(number: UInt64, at: MonotonicTime)
}

extension TraceRecord {
    /// The largest size of a record on the wire, in bytes.
    static let largestSize = 49

    func write(_ writer: inout WireWriter) {
        switch self {
        case .setpoint(let record):
            writer.put(1 as UInt8)
            writer.put(record.number)
            writer.put(record.receivedAt.nanoseconds)
            writer.put(record.handedAt.nanoseconds)
            writer.put(record.leftAt.nanoseconds)
            writer.put(record.fate.rawValue)
        case .command(let record):
            writer.put(2 as UInt8)
            writer.put(record.number)
            writer.put(record.receivedAt.nanoseconds)
            writer.put(record.askedAt.nanoseconds)
            writer.put(record.answeredAt.nanoseconds)
            writer.put(record.readyAt.nanoseconds)
        case .state(let record):
            writer.put(3 as UInt8)
            writer.put(record.sequence)
            writer.put(record.sentAt.nanoseconds)
            writer.put(record.arrivedAt.nanoseconds)
            writer.put(record.stampedAt != nil)
            writer.put(record.stampedAt?.nanoseconds ?? 0)
        case .seen(let record):
            writer.put(4 as UInt8)
            writer.put(record.sequence)
            writer.put(record.at.nanoseconds)
        case .repeated(let record):
            writer.put(5 as UInt8)
            writer.put(record.sequence)
            writer.put(record.at.nanoseconds)
        case .receipt(let record):
            writer.put(6 as UInt8)
            writer.put(record.sequence)
            writer.put(record.waitedNanoseconds)
        case .observed(let number, let at):
            writer.put(7 as UInt8)
            writer.put(number)
            writer.put(at.nanoseconds)
        }
    }

    /// - Returns: `nil` for a type of a later version, whose length is unknown.
    init?(_ reader: inout WireReader) throws(WireError) {
        func time() throws(WireError) -> MonotonicTime { MonotonicTime(nanoseconds: try reader.integer()) }
        switch try reader.integer(UInt8.self) {
        case 1:
            let number = try reader.integer(UInt64.self)
            let (received, handed, left) = (try time(), try time(), try time())
            guard let fate = Fate(rawValue: try reader.integer()) else { throw .invalid }
            self = .setpoint(
                Setpoint(number: number, receivedAt: received, handedAt: handed, leftAt: left, fate: fate))
        case 2:
            let number = try reader.integer(UInt64.self)
            let (received, asked, answered, ready) = (try time(), try time(), try time(), try time())
            self = .command(
                Command(
                    number: number, receivedAt: received, askedAt: asked, answeredAt: answered, readyAt: ready))
        case 3:
            let sequence = try reader.integer(UInt64.self)
            let (sent, arrived) = (try time(), try time())
            let isStamped = try reader.flag()
            let stamp = try time()
            self = .state(
                State(sequence: sequence, sentAt: sent, arrivedAt: arrived, stampedAt: isStamped ? stamp : nil))
        case 4:
            let sequence = try reader.integer(UInt32.self)
            self = .seen(Seen(sequence: sequence, at: try time()))
        case 5:
            let sequence = try reader.integer(UInt64.self)
            self = .repeated(Repeated(sequence: sequence, at: try time()))
        case 6:
            let sequence = try reader.integer(UInt64.self)
            let waited = try reader.integer(Int64.self)
            // More is a clock that was set: a companion does not record it.
            guard (0...10_000_000_000).contains(waited) else { throw .invalid }
            self = .receipt(Receipt(sequence: sequence, waitedNanoseconds: waited))
        case 7:
            let number = try reader.integer(UInt64.self)
            self = .observed(number: number, at: try time())
        default: return nil
        }
    }
}
