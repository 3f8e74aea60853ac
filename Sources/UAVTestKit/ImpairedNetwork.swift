public import UAVLink

/// What a bad network does to what is sent through it; each direction of a test has its own.
public struct Impairment: Sendable {
    /// From sending to arrival.
    public var delay: Duration
    /// Added to the delay, evenly spread from zero to this; enough of it changes the order.
    public var jitter: Duration
    /// The share that is lost, 0 to 1.
    public var loss: Double
    /// The share that arrives twice, 0 to 1.
    public var duplication: Double
    /// The share that comes ``latecomersDelay`` later than the rest, 0 to 1.
    public var latecomers: Double
    /// How much later latecomers come.
    public var latecomersDelay: Duration

    /// A network that does no harm but what is named here.
    public init(
        delay: Duration = .zero, jitter: Duration = .zero, loss: Double = 0, duplication: Double = 0,
        latecomers: Double = 0, latecomersDelay: Duration = .milliseconds(100)
    ) {
        self.delay = delay
        self.jitter = jitter
        self.loss = loss
        self.duplication = duplication
        self.latecomers = latecomers
        self.latecomersDelay = latecomersDelay
    }

    /// Does no harm.
    public static let none = Self()

    /// A bad day on a mobile network.
    public static let bad = Self(
        delay: .milliseconds(25), jitter: .milliseconds(30), loss: 0.2, duplication: 0.1, latecomers: 0.05)

    /// When copies of something sent now arrive; empty when it is lost.
    public func arrivals<Source: RandomNumberGenerator>(of now: MonotonicTime, random: inout Source) -> [MonotonicTime]
    {
        guard Double.random(in: 0..<1, using: &random) >= loss else { return [] }
        var copies = 1
        if Double.random(in: 0..<1, using: &random) < duplication { copies = 2 }
        return (0..<copies).map { _ in
            var at = now + delay + .nanoseconds(Int64.random(in: 0...max(0, jitter.nanoseconds), using: &random))
            if Double.random(in: 0..<1, using: &random) < latecomers { at = at + latecomersDelay }
            return at
        }
    }
}

/// A network in memory whose time is the test's: seeded, so that a bad day can be had again.
public struct ImpairedNetwork<End: Hashable & Sendable>: Sendable {
    private struct Packet {
        var at: MonotonicTime
        var order: UInt64
        var to: End
        var bytes: [UInt8]
    }

    private var packets: [Packet] = []
    private var random: SeededRandom
    private var order: UInt64 = 0
    /// What is done to what is sent from now on.
    public var impairment: Impairment
    /// While true everything sent is lost.
    public var isDark = false
    /// How many were sent, lost ones too.
    public private(set) var sent = 0

    /// A network that does the same for the same seed.
    public init(seed: UInt64, _ impairment: Impairment = .none) {
        random = SeededRandom(seed: seed)
        self.impairment = impairment
    }

    /// Sends; what becomes of it is the impairment's.
    public mutating func send(_ bytes: [UInt8], to end: End, now: MonotonicTime) {
        sent += 1
        let times = impairment.arrivals(of: now, random: &random)
        guard !isDark else { return }
        for at in times {
            order += 1
            packets.append(Packet(at: at, order: order, to: end, bytes: bytes))
        }
    }

    /// When the next packet arrives; nothing when none is under way.
    public var nextArrival: MonotonicTime? { packets.map(\.at).min() }

    /// Takes out what has arrived, in the order of arrival.
    public mutating func arrivals(at now: MonotonicTime) -> [(to: End, bytes: [UInt8])] {
        let due = packets.filter { $0.at <= now }.sorted { ($0.at, $0.order) < ($1.at, $1.order) }
        guard !due.isEmpty else { return [] }
        packets.removeAll { $0.at <= now }
        return due.map { ($0.to, $0.bytes) }
    }
}
