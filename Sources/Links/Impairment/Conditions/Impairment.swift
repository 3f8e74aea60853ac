internal import UAVLink

/// What a bad network does to what goes one way through it.
public struct Impairment: Hashable, Sendable {
    /// A time in which nothing gets through.
    public struct Blackout: Hashable, Sendable {
        /// How long it lasts.
        public var length: Duration
        /// How long after the relay's start it begins.
        public var at: Duration

        /// A blackout.
        public init(length: Duration, at: Duration) {
            self.length = length
            self.at = at
        }
    }

    /// From sending to arrival.
    public var delay: Duration
    /// Added to the delay, evenly spread from zero to this; enough of it changes the order of datagrams.
    public var jitter: Duration
    /// The share that is lost, 0 to 1. A stream loses nothing: what stands for a lost packet comes a retransmission later.
    public var loss: Double
    /// The share of datagrams that come twice, 0 to 1.
    public var duplication: Double
    /// The share of datagrams that come ``reorderingDelay`` later than the rest, 0 to 1.
    public var reordering: Double
    /// How much later those come: more than three periods of steering at 100 Hz.
    public var reorderingDelay: Duration
    /// Bits a second; `nil`: as many as there are.
    public var bitsPerSecond: Double?
    /// A time in which nothing gets through.
    public var blackout: Blackout?

    /// How long what waits for the line's rate may wait: a datagram that would wait longer is dropped, as a router's queue
    /// drops it; a stream's sender is held back.
    public static let queueLength: Duration = .milliseconds(100)
    /// What a loss costs a stream besides a way there and back: the shortest retransmission time-out of Linux. Thin streams, as
    /// these are, have no later packets that would tell of the loss sooner.
    public static let retransmission: Duration = .milliseconds(200)

    /// A network that does no harm but what is named here.
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

    /// Does no harm.
    public static let none = Self()
}
