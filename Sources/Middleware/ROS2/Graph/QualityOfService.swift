/// The quality of service of an endpoint, as tokens announce it. Under Zenoh any publisher matches any subscriber.
public struct QualityOfService: Hashable, Sendable {
    // The numbers are those of rmw. A publisher or subscriber never has what stands for "unknown" or "system default" there; others
    // may write it.

    /// Whether a publication is repeated until it has arrived, or may be dropped.
    public enum Reliability: UInt8, Sendable, CaseIterable {
        case systemDefault
        case reliable
        case bestEffort
        case unknown
        case bestAvailable
    }

    /// Whether those that come later get earlier publications.
    public enum Durability: UInt8, Sendable, CaseIterable {
        case systemDefault
        case transientLocal
        case volatile
        case unknown
        case bestAvailable
    }

    /// How many publications are kept.
    public enum History: UInt8, Sendable, CaseIterable {
        case systemDefault
        case keepLast
        case keepAll
        case unknown
    }

    /// How an endpoint shows that it is alive.
    public enum Liveliness: UInt8, Sendable, CaseIterable {
        case systemDefault
        case automatic
        case manualByNode
        case manualByTopic
        case unknown
        case bestAvailable
    }

    /// A time span.
    public struct Span: Hashable, Sendable {
        /// Whole seconds.
        public var seconds: UInt64
        /// The fraction in nanoseconds.
        public var nanoseconds: UInt64

        /// Creates a span.
        public init(seconds: UInt64, nanoseconds: UInt64) {
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }

        /// What stands for no limit: 2^63 - 1 ns.
        public static let infinite = Span(seconds: 9_223_372_036, nanoseconds: 854_775_807)
    }

    /// Whether a publication may be dropped.
    public var reliability = Reliability.reliable
    /// Whether those that come later get earlier publications.
    public var durability = Durability.volatile
    /// How many publications are kept.
    public var history = History.keepLast
    /// How many with `keepLast`.
    public var depth: UInt64 = 42
    /// The longest time between two publications.
    public var deadline = Span.infinite
    /// How long a publication is good for.
    public var lifespan = Span.infinite
    /// How an endpoint shows that it is alive.
    public var liveliness = Liveliness.automatic
    /// Within what time it does.
    public var lease = Span.infinite

    /// The default of `rmw_zenoh`, which the system default and a depth of 0 become.
    public init() {}

    /// Reliable, volatile, the last ten: the default of topics and services in the ROS 2 libraries.
    public static let usual: Self = {
        var quality = Self()
        quality.depth = 10
        return quality
    }()

    /// Best effort, volatile, the last five: of sensors.
    public static let sensors: Self = {
        var quality = Self()
        quality.reliability = .bestEffort
        quality.depth = 5
        return quality
    }()

    /// Parses the text of a token; `nil` when it is malformed. What is empty is the default.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 6 else { return nil }
        let groups = parts.map { part in
            part.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        guard groups[0].count == 1, groups[1].count == 1, groups[2].count >= 2, groups[3].count >= 2,
            groups[4].count >= 2, groups[5].count >= 3
        else { return nil }
        let isRead =
            Self.set(&reliability, groups[0][0]) && Self.set(&durability, groups[1][0])
            && Self.set(&history, groups[2][0]) && Self.set(&depth, groups[2][1])
            && Self.set(&deadline.seconds, groups[3][0]) && Self.set(&deadline.nanoseconds, groups[3][1])
            && Self.set(&lifespan.seconds, groups[4][0]) && Self.set(&lifespan.nanoseconds, groups[4][1])
            && Self.set(&liveliness, groups[5][0]) && Self.set(&lease.seconds, groups[5][1])
            && Self.set(&lease.nanoseconds, groups[5][2])
        guard isRead else { return nil }
    }

    private static func set(_ value: inout UInt64, _ text: String) -> Bool {
        guard !text.isEmpty else { return true }
        guard let number = UInt64(text) else { return false }
        value = number
        return true
    }

    private static func set<Policy: RawRepresentable<UInt8>>(_ policy: inout Policy, _ text: String) -> Bool {
        guard !text.isEmpty else { return true }
        guard let read = UInt8(text).flatMap(Policy.init(rawValue:)) else { return false }
        policy = read
        return true
    }

    /// As tokens have it; what is the default is left out.
    public var text: String {
        let usual = Self()
        func policy(_ value: some RawRepresentable<UInt8>, _ usual: some RawRepresentable<UInt8>) -> String {
            value.rawValue == usual.rawValue ? "" : "\(value.rawValue)"
        }
        func number(_ value: UInt64, _ usual: UInt64) -> String { value == usual ? "" : "\(value)" }
        func span(_ value: Span) -> String {
            number(value.seconds, Span.infinite.seconds) + "," + number(value.nanoseconds, Span.infinite.nanoseconds)
        }
        return [
            policy(reliability, usual.reliability), policy(durability, usual.durability),
            policy(history, usual.history) + "," + number(depth, usual.depth), span(deadline), span(lifespan),
            policy(liveliness, usual.liveliness) + "," + span(lease),
        ].joined(separator: ":")
    }
}
