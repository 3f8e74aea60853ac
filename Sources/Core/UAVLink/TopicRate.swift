/// How a topic's messages arrive, compared with what is usual for it.
public enum TopicCondition: UInt8, Hashable, Sendable, CaseIterable {
    /// Not judged: nothing was received yet, or it is not known yet what is usual.
    case unjudged = 0
    /// About as often as usual.
    case good = 1
    /// Less than half as often as usual.
    case slow = 2
    /// Nothing for a second and for three usual intervals.
    case silent = 3
    /// With long pauses, while it is not known yet what is usual.
    case irregular = 4

    /// The name in output: `unjudged`, `good`, `slow`, `silent`, `irregular`.
    public var word: String {
        switch self {
        case .unjudged: "unjudged"
        case .good: "good"
        case .slow: "slow"
        case .silent: "silent"
        case .irregular: "irregular"
        }
    }

    /// Whether the user is warned of it.
    public var isFault: Bool {
        switch self {
        case .slow, .silent, .irregular: true
        case .unjudged, .good: false
        }
    }
}

/// The measured and the usual rate of a topic.
public struct TopicRate: Hashable, Sendable {
    /// The topic, relative to the vehicle's namespace if it is in there (`hw_api/gnss`).
    public var name: String
    /// Recent messages per second.
    public var measuredHertz: Double
    /// The usual messages per second: what the vehicle itself has shown, or what its profile says; `nil` while not known.
    public var expectedHertz: Double?
    /// How the measured rate compares with the usual one.
    public var condition: TopicCondition
    /// Whether ``expectedHertz`` is the profile's, not learned.
    public var isFromProfile = false

    /// The largest number of topics whose rates are kept and sent.
    public static let maximumCount = 32
    /// A topic below this share of its usual rate is slow.
    ///
    /// Healthy topics stayed above 0.9 of it on a busy machine (measured); what matters is found at a third.
    public static let slowShare = 0.5
    /// A slow topic is good again above this share.
    public static let recoveredShare = 0.7

    /// A topic's rate.
    public init(
        name: String, measuredHertz: Double, expectedHertz: Double? = nil, condition: TopicCondition = .unjudged
    ) {
        self.name = name
        self.measuredHertz = measuredHertz
        self.expectedHertz = expectedHertz
        self.condition = condition
    }

    /// Whether there are too few messages, or none.
    public var isSlow: Bool { condition == .slow || condition == .silent }

    /// Whether no message of it was received.
    public var isAbsent: Bool { condition == .unjudged && !(measuredHertz > 0) }

    /// The rate judged against the one of the vehicle's profile, which counts instead of a learned one.
    ///
    /// - Parameters:
    ///   - hertz: the profile's rate; `nil` if it has none, which changes nothing.
    ///   - previous: how it was judged before.
    public func judged(against hertz: Double?, after previous: TopicCondition = .good) -> TopicRate {
        guard let hertz, hertz > 0, hertz.isFinite else { return self }
        var judged = self
        judged.expectedHertz = hertz
        judged.isFromProfile = true
        if condition == .silent || measuredHertz <= 0 {
            // In the meter's window of eight seconds a rarer topic may have no message.
            let mayPause = condition != .silent && hertz * TopicRateMeter.longestWindowSeconds < 3
            judged.condition = mayPause ? .unjudged : .silent
        } else {
            let least = hertz * (previous == .slow ? Self.recoveredShare : Self.slowShare)
            judged.condition = measuredHertz < least ? .slow : .good
        }
        return judged
    }
}
