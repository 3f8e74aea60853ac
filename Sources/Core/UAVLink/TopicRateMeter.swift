/// Measures the message rates of a fixed list of topics in a sliding window, and judges each against its own usual rate.
///
/// The window has buckets, so that counting a message is one addition. It is about two seconds long for frequent
/// topics, and eight for those of about 1 Hz, whose rate would otherwise vary by half.
public struct TopicRateMeter: Sendable {
    private static let bucketNanoseconds: Int64 = 250_000_000
    private static let buckets: Int64 = 32
    private static let recentBuckets: Int64 = 8
    /// Topics below this rate, in hertz, use the long window.
    private static let recentMinimumHertz = 4.0
    /// Below this rate, in hertz, even the long window has too few messages: the time between them is measured.
    private static let longestMinimumHertz = 0.5
    /// No rates are given before this time after the first message: a rate over less time would be noise.
    private static let settlingTime: Duration = .seconds(1)
    /// If nothing came for this long, the vehicle's programs were started again, perhaps with other rates: the real flight
    /// stack is silent for 15 s then (measured).
    private static let restartSilence: Duration = .seconds(5)
    /// The length of the long window.
    static let longestWindowSeconds = Double(bucketNanoseconds * buckets) / 1e9

    private struct Counter {
        let name: String
        var learner = TopicRateLearner()
        var counts: [UInt32] = Array(repeating: 0, count: Int(TopicRateMeter.buckets))
        /// The number of the current bucket: time divided by its length.
        var bucket: Int64 = .min

        init(name: String) { self.name = name }

        /// Clears the buckets that have left the window.
        mutating func advance(to now: MonotonicTime) {
            let present = now.nanoseconds / TopicRateMeter.bucketNanoseconds
            guard present > bucket else { return }
            let stale = bucket == .min ? TopicRateMeter.buckets : min(TopicRateMeter.buckets, present - bucket)
            for step in 0..<stale { counts[Self.index(present - step)] = 0 }
            bucket = present
        }

        mutating func count(at now: MonotonicTime) {
            learner.arrive(at: now)
            advance(to: now)
            let index = Self.index(bucket)
            if counts[index] < .max { counts[index] += 1 }
        }

        func rate(at now: MonotonicTime, since start: MonotonicTime) -> TopicRate {
            let condition = learner.condition(at: now)
            return TopicRate(
                name: name, measuredHertz: hertz(condition, at: now, since: start), expectedHertz: learner.usualHertz,
                condition: condition)
        }

        private func hertz(_ condition: TopicCondition, at now: MonotonicTime, since start: MonotonicTime) -> Double {
            let recent = hertz(over: TopicRateMeter.recentBuckets, at: now, since: start)
            guard let usual = learner.usualHertz else {
                // What is faster than that is measured over the short window, since it may have stopped.
                return recent >= TopicRateMeter.recentMinimumHertz
                    ? recent : hertz(over: TopicRateMeter.buckets, at: now, since: start)
            }
            if usual >= TopicRateMeter.recentMinimumHertz { return recent }
            if usual < TopicRateMeter.longestMinimumHertz { return condition == .silent ? 0 : learner.latestHertz ?? 0 }
            return hertz(over: TopicRateMeter.buckets, at: now, since: start)
        }

        private func hertz(over buckets: Int64, at now: MonotonicTime, since start: MonotonicTime) -> Double {
            var total = 0
            for step in 0..<buckets { total += Int(counts[Self.index(bucket - step)]) }
            // The current bucket is not full yet; the window ends with it.
            let windowBegin = (bucket &- buckets &+ 1) &* TopicRateMeter.bucketNanoseconds
            let span = max(Double(now.nanoseconds &- max(start.nanoseconds, windowBegin)) / 1e9, 1e-3)
            return Double(total) / span
        }

        /// A remainder as an index; instants before the clock's zero point are negative.
        private static func index(_ bucket: Int64) -> Int {
            let rest = Int(bucket % TopicRateMeter.buckets)
            return rest < 0 ? rest + Int(TopicRateMeter.buckets) : rest
        }
    }

    private var counters: [Counter]
    private var start: MonotonicTime?
    private var newest: MonotonicTime?

    /// A meter for these topics, at most ``TopicRate/maximumCount`` of them; further ones are not counted.
    public init(_ topics: [String]) {
        counters = topics.prefix(TopicRate.maximumCount).map { Counter(name: $0) }
    }

    /// Counts a message of the topic with this index in the list.
    public mutating func count(_ topic: Int, at now: MonotonicTime) {
        guard counters.indices.contains(topic) else { return }
        if let newest, now - newest > Self.restartSilence { forgetIfSilent(at: now) }
        newest = now
        if start == nil { start = now }
        counters[topic].count(at: now)
    }

    /// Lets all topics be learned anew, unless so long a silence is usual.
    private mutating func forgetIfSilent(at now: MonotonicTime) {
        guard counters.contains(where: { $0.learner.condition(at: now) == .silent }) else { return }
        for index in counters.indices { counters[index].learner.forget() }
    }

    /// The current rates; `nil` until enough time has passed.
    public mutating func rates(at now: MonotonicTime) -> [TopicRate]? {
        guard let start, now - start >= Self.settlingTime else { return nil }
        for index in counters.indices { counters[index].advance(to: now) }
        return counters.map { $0.rate(at: now, since: start) }
    }
}
