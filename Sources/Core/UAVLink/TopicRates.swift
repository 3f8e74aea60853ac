/// How often a topic's messages come, and how often they should.
public struct TopicRate: Hashable, Sendable {
    /// The topic, below the vehicle's name where it is the vehicle's own (`hw_api/gnss`).
    public var name: String
    /// Messages a second over the recent past.
    public var measuredHertz: Double
    /// Messages a second on a vehicle where all is well; `nil` when nobody knows.
    public var expectedHertz: Double?

    /// The most topics whose rates are kept and sent.
    public static let maximumCount = 32
    /// Below this share of what is expected a topic is slow. Healthy topics were seen to stay above 0.9 of it on a busy
    /// machine.
    public static let slowShare = 0.7

    /// A topic's rate.
    public init(name: String, measuredHertz: Double, expectedHertz: Double? = nil) {
        self.name = name
        self.measuredHertz = measuredHertz
        self.expectedHertz = expectedHertz
    }

    /// Whether fewer messages come than should.
    public var isSlow: Bool { expectedHertz.map { measuredHertz < $0 * Self.slowShare } ?? false }
}

/// Counts messages of a fixed list of topics in a sliding window.
///
/// The window is made of eight buckets, so that counting a message is an addition. It is about two seconds long for topics
/// that come often, and eight for those that come about once a second, whose rate would otherwise jump by half.
public struct TopicRateMeter: Sendable {
    private static let buckets: Int64 = 8
    private static let fastWindow: Duration = .seconds(2)
    private static let slowWindow: Duration = .seconds(8)
    /// A topic expected less often than this has the long window.
    private static let fastFrom = 4.0
    /// Nothing is told before this long after the first message: a rate over less would be noise.
    private static let patience: Duration = .seconds(1)

    private struct Counter {
        let name: String
        let expectedHertz: Double?
        let width: Int64
        var counts: [UInt32] = Array(repeating: 0, count: Int(TopicRateMeter.buckets))
        /// The number of the bucket that counts now: time divided by ``width``.
        var bucket: Int64 = .min

        init(name: String, expectedHertz: Double?) {
            self.name = name
            self.expectedHertz = expectedHertz
            let isFast = expectedHertz.map { $0 >= TopicRateMeter.fastFrom } ?? true
            let window = isFast ? TopicRateMeter.fastWindow : TopicRateMeter.slowWindow
            width = window.nanoseconds / TopicRateMeter.buckets
        }

        /// Forgets what has left the window.
        mutating func advance(to now: MonotonicTime) {
            let present = now.nanoseconds / width
            guard present > bucket else { return }
            let stale = bucket == .min ? TopicRateMeter.buckets : min(TopicRateMeter.buckets, present - bucket)
            for step in 0..<stale { counts[Int((present - step) % TopicRateMeter.buckets).magnitudeIndex] = 0 }
            bucket = present
        }

        mutating func count(at now: MonotonicTime) {
            advance(to: now)
            counts[Int(bucket % TopicRateMeter.buckets).magnitudeIndex] += 1
        }

        func hertz(at now: MonotonicTime, since start: MonotonicTime) -> Double {
            let total = counts.reduce(0) { $0 + Int($1) }
            // The present bucket is not full yet; the window ends with it.
            let begin = max(start.nanoseconds, (bucket - TopicRateMeter.buckets + 1) * width)
            let span = max(Double(now.nanoseconds - begin) / 1e9, 1e-3)
            return Double(total) / span
        }
    }

    private var counters: [Counter]
    private var start: MonotonicTime?

    /// A meter for these topics, at most ``TopicRate/maximumCount`` of them; further ones are not counted.
    public init(_ topics: [(name: String, expectedHertz: Double?)]) {
        counters = topics.prefix(TopicRate.maximumCount).map { Counter(name: $0.name, expectedHertz: $0.expectedHertz) }
    }

    /// A message of the topic at that place in the list came.
    public mutating func count(_ topic: Int, at now: MonotonicTime) {
        guard counters.indices.contains(topic) else { return }
        if start == nil { start = now }
        counters[topic].count(at: now)
    }

    /// The rates now; `nil` while it is too early to tell.
    public mutating func rates(at now: MonotonicTime) -> [TopicRate]? {
        guard let start, now - start >= Self.patience else { return nil }
        for index in counters.indices { counters[index].advance(to: now) }
        return counters.map { counter in
            TopicRate(
                name: counter.name, measuredHertz: counter.hertz(at: now, since: start),
                expectedHertz: counter.expectedHertz)
        }
    }
}

extension Int {
    /// A remainder as an index; a clock's zero may lie in the future, and its instants be negative.
    fileprivate var magnitudeIndex: Int { self < 0 ? -self : self }
}
