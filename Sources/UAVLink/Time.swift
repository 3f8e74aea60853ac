/// An instant on this machine's monotonic clock, in nanoseconds; its zero has no meaning outside this process.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since the clock's own zero.
    public var nanoseconds: Int64

    /// The instant that many nanoseconds after the clock's own zero.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Whether `left` comes before `right`.
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The instant `duration` later.
    public static func + (instant: Self, duration: Duration) -> Self {
        Self(nanoseconds: instant.nanoseconds &+ duration.nanoseconds)
    }

    /// The instant `duration` earlier.
    public static func - (instant: Self, duration: Duration) -> Self {
        Self(nanoseconds: instant.nanoseconds &- duration.nanoseconds)
    }

    /// The time from `earlier` to `later`; negative when `later` comes first.
    public static func - (later: Self, earlier: Self) -> Duration {
        .nanoseconds(later.nanoseconds &- earlier.nanoseconds)
    }
}

extension Duration {
    /// The whole duration in nanoseconds, cut to what an `Int64` holds (292 years).
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !overflow, !carry else { return seconds < 0 ? .min : .max }
        return sum
    }

    /// The duration in seconds.
    public var inSeconds: Double { Double(nanoseconds) / 1e9 }

    /// The duration in milliseconds.
    public var inMilliseconds: Double { Double(nanoseconds) / 1e6 }
}

/// Where the time comes from; tests put a clock of their own here.
public protocol MonotonicClock: Sendable {
    /// The present instant.
    var now: MonotonicTime { get }
}

/// The machine's own monotonic clock.
///
/// It goes on while the machine sleeps: a setpoint from before a suspend is old after it.
public struct SystemMonotonicClock: MonotonicClock {
    private static let origin = ContinuousClock.now

    /// The machine's clock.
    public init() {}

    /// The present instant; costs one system clock reading and no allocation.
    public var now: MonotonicTime {
        MonotonicTime(nanoseconds: Self.origin.duration(to: ContinuousClock.now).nanoseconds)
    }
}
