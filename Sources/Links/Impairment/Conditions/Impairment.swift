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
    /// Share that is lost, 0 to 1. A stream loses nothing: a lost chunk arrives one retransmission later.
    public var loss: Double
    /// Share of datagrams that are duplicated, 0 to 1.
    public var duplication: Double
    /// Share of datagrams that arrive ``reorderingDelay`` later than the others, 0 to 1.
    public var reordering: Double
    /// Additional delay of reordered datagrams: more than three periods of steering at 100 Hz.
    public var reorderingDelay: Duration
    /// Bits per second; `nil`: unlimited.
    public var bitsPerSecond: Double?
    /// An interval in which nothing gets through.
    public var blackout: Blackout?

    /// Maximum wait for the line's rate: a datagram that would wait longer is dropped, as by a router's queue; a stream's
    /// sender is held back.
    public static let queueLength: Duration = .milliseconds(100)
    /// Added to a lost chunk of a stream, with one more delay: the shortest retransmission timeout of Linux. Thin streams
    /// such as these have no later packets that would reveal the loss sooner.
    public static let retransmission: Duration = .milliseconds(200)

    /// Creates an impairment; the defaults impair nothing.
    public init(
        delay: Duration = .zero, jitter: Duration = .zero, loss: Double = 0, duplication: Double = 0,
        reordering: Double = 0, reorderingDelay: Duration = .milliseconds(35), bitsPerSecond: Double? = nil,
        blackout: Blackout? = nil
    ) {
        self.delay = delay
        self.jitter = jitter
        self.loss = loss
        self.duplication = duplication
        self.reordering = reordering
        self.reorderingDelay = reorderingDelay
        self.bitsPerSecond = bitsPerSecond
        self.blackout = blackout
    }

    /// No impairment.
    public static let none = Self()
}
