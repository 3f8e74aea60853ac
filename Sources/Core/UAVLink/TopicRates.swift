/// The measured and the expected rate of a topic.
public struct TopicRate: Hashable, Sendable {
    /// The topic, relative to the vehicle's namespace if it is in there (`hw_api/gnss`).
    public var name: String
    /// Recent messages per second.
    public var measuredHertz: Double
    /// Messages per second on a healthy vehicle; `nil` if unknown.
    public var expectedHertz: Double?

    /// The largest number of topics whose rates are kept and sent.
    public static let maximumCount = 32
    /// A topic below this share of its expected rate is slow. Healthy topics stayed above 0.9 on a busy machine (measured).
    public static let slowShare = 0.7

    /// A topic's rate.
    public init(name: String, measuredHertz: Double, expectedHertz: Double? = nil) {
        self.name = name
        self.measuredHertz = measuredHertz
        self.expectedHertz = expectedHertz
    }

    /// Whether the measured rate is too far below the expected one.
    public var isSlow: Bool { expectedHertz.map { measuredHertz < $0 * Self.slowShare } ?? false }
}

/// Measures the message rates of a fixed list of topics in a sliding window.
///
/// The window has eight buckets, so that counting a message is one addition. It is about two seconds long for frequent
/// topics, and eight for those of about 1 Hz, whose rate would otherwise vary by half.
public struct TopicRateMeter: Sendable {
    private static let buckets: Int64 = 8
    private static let fastWindow: Duration = .seconds(2)
    private static let slowWindow: Duration = .seconds(8)
    /// Topics with an expected rate below this, in hertz, use the long window.
    private static let fastWindowMinimumHertz = 4.0
    /// No rates are given before this time after the first message: a rate over less time would be noise.
    private static let settlingTime: Duration = .seconds(1)

    private struct Counter {
        let name: String
        let expectedHertz: Double?
        let width: Int64
        var counts: [UInt32] = Array(repeating: 0, count: Int(TopicRateMeter.buckets))
        /// The number of the current bucket: time divided by ``width``.
        var bucket: Int64 = .min

        init(name: String, expectedHertz: Double?) {
            self.name = name
            self.expectedHertz = expectedHertz
            let isFast = expectedHertz.map { $0 >= TopicRateMeter.fastWindowMinimumHertz } ?? true
            let window = isFast ? TopicRateMeter.fastWindow : TopicRateMeter.slowWindow
            width = window.nanoseconds / TopicRateMeter.buckets
        }

        /// Clears the buckets that have left the window.
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
            // The current bucket is not full yet; the window ends with it.
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

    /// Counts a message of the topic with this index in the list.
    public mutating func count(_ topic: Int, at now: MonotonicTime) {
        guard counters.indices.contains(topic) else { return }
        if start == nil { start = now }
        counters[topic].count(at: now)
    }

    /// The current rates; `nil` until enough time has passed.
    public mutating func rates(at now: MonotonicTime) -> [TopicRate]? {
        guard let start, now - start >= Self.settlingTime else { return nil }
        for index in counters.indices { counters[index].advance(to: now) }
        return counters.map { counter in
            TopicRate(
                name: counter.name, measuredHertz: counter.hertz(at: now, since: start),
                expectedHertz: counter.expectedHertz)
        }
    }
}

extension Int {
    /// A remainder as an index; instants before the clock's zero point are negative.
    fileprivate var magnitudeIndex: Int { self < 0 ? -self : self }
}
