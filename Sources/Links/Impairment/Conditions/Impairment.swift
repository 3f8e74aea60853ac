internal import UAVLink

/// Impairment of one direction of a network.
public struct Impairment: Hashable, Sendable {
    /// An interval in which nothing gets through.
    public struct Blackout: Hashable, Sendable {
        /// Its duration.
        public var length: Duration
        /// Its begin, counted from the relay's start.
        public var at: Duration

        /// Creates a blackout.
        public init(length: Duration, at: Duration) {
            self.length = length
            self.at = at
        }
    }

    /// Time from sending to arrival.
    public var delay: Duration
    /// Added to the delay, uniformly distributed from zero to this; if large enough, it reorders datagrams.
    public var jitter: Duration
    /// Share that is lost, 0 to 1. A stream loses nothing at a relay: a lost chunk arrives one retransmission later.
    public var loss: Double
    /// How many are lost in a row on average, if one is: in the bad state of Gilbert's model everything is lost, in the
    /// good one nothing. At 1 losses are independent.
    public var burst: Double
    /// How much the jitter of a packet resembles that of the one before, 0 to 1, as with netem: so much of that one, and
    /// the rest is new. Above 0 packets keep their order.
    public var correlation: Double
    /// Share of datagrams that are duplicated, 0 to 1.
    public var duplication: Double
    /// Share of datagrams that arrive ``reorderingDelay`` later than the others, 0 to 1.
    public var reordering: Double
    /// Additional delay of reordered datagrams: more than three periods of steering at 100 Hz.
    public var reorderingDelay: Duration
    /// Bits per second; `nil`: unlimited.
    public var bitsPerSecond: Double?
    /// How much waits for the line at most, bytes; what does not fit is dropped. `nil`: as much as ``queueLength`` sends.
    public var queueBytes: Int?
    /// When packets leave, in place of a rate: as over a link that was recorded. Of a stream only a ``PacketNetwork`` does that.
    public var trace: PacketTrace?
    /// How many connections of TCP compete for the line, each sending as much as it can (``CompetingTraffic``).
    public var competitors = 0
    /// An interval in which nothing gets through.
    public var blackout: Blackout?
    /// The way back to the ground where it differs, one at most.
    private var wayBack: [Impairment] = []

    /// Maximum wait for the line's rate: a datagram that would wait longer is dropped, as by a router's queue; a stream's
    /// sender is held back.
    public static let queueLength: Duration = .milliseconds(100)
    /// How much waits for a ``trace`` at most, where ``queueBytes`` does not say: a hundred packets, as in a base station's
    /// queue, which is deep.
    public static let traceQueueBytes = 150_000
    /// Added to a lost chunk of a stream, with one more delay: the shortest retransmission timeout of Linux. Thin streams
    /// such as these have no later packets that would reveal the loss sooner.
    public static let retransmission: Duration = .milliseconds(200)

    /// Creates an impairment; the defaults impair nothing.
    public init(
        delay: Duration = .zero, jitter: Duration = .zero, loss: Double = 0, duplication: Double = 0,
        reordering: Double = 0, reorderingDelay: Duration = .milliseconds(35), bitsPerSecond: Double? = nil,
        blackout: Blackout? = nil, burst: Double = 1, correlation: Double = 0, queueBytes: Int? = nil
    ) {
        self.delay = delay
        self.jitter = jitter
        self.loss = loss
        self.duplication = duplication
        self.reordering = reordering
        self.reorderingDelay = reorderingDelay
        self.bitsPerSecond = bitsPerSecond
        self.blackout = blackout
        self.burst = burst
        self.correlation = correlation
        self.queueBytes = queueBytes
    }

    /// No impairment.
    public static let none = Self()

    /// The impairment of what comes back to the ground; the same as towards the vehicle unless it was set. It has no
    /// blackout and no way back of its own: a blackout is of both directions.
    public var down: Impairment {
        get {
            var way = wayBack.first ?? self
            (way.wayBack, way.blackout) = ([], blackout)
            return way
        }
        set {
            var way = newValue
            (way.wayBack, way.blackout) = ([], nil)
            var same = self
            (same.wayBack, same.blackout) = ([], nil)
            wayBack = way == same ? [] : [way]
        }
    }

    /// Whether both directions are impaired in the same way.
    public var isSymmetric: Bool { wayBack.isEmpty }

    /// Whether anything competes for the line, either way.
    public var hasLoad: Bool { competitors > 0 || down.competitors > 0 }

    /// Whether packets do not arrive, or not once and in order: of a stream only the kernel's own TCP shows what that does.
    public var losesPackets: Bool {
        loss > 0 || duplication > 0 || reordering > 0 || blackout != nil || queueBytes != nil || trace != nil
            || competitors > 0
            || wayBack.contains(where: \.losesPackets)
    }
}
