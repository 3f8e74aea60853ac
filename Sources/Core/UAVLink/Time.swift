#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An instant on this machine's monotonic clock, in nanoseconds; its zero point has no meaning outside this process.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since the clock's zero point.
    public var nanoseconds: Int64

    /// An instant by its nanoseconds since the clock's zero point.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Whether `left` is before `right`.
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The instant `duration` later.
    public static func + (instant: Self, duration: Duration) -> Self {
        Self(nanoseconds: instant.nanoseconds &+ duration.nanoseconds)
    }

    /// The instant `duration` earlier.
    public static func - (instant: Self, duration: Duration) -> Self {
        Self(nanoseconds: instant.nanoseconds &- duration.nanoseconds)
    }

    /// The time from `earlier` to `later`; negative if `later` is first.
    public static func - (later: Self, earlier: Self) -> Duration {
        .nanoseconds(later.nanoseconds &- earlier.nanoseconds)
    }
}

extension Duration {
    /// The duration in nanoseconds, clamped to the range of `Int64` (292 years).
    public var nanoseconds: Int64 {
        // Up to 9 s, as nearly all are that a frame's way needs: a division of 64 bits, six times as fast as one of 128.
        if let attoseconds = Int64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
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

/// A monotonic clock that can wait; tests inject their own.
public protocol MonotonicClock: Sendable {
    /// The present instant.
    var now: MonotonicTime { get }
    /// Suspends the task until `deadline`; returns at once if it has passed.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(until deadline: MonotonicTime) async throws(CancellationError)
    /// Blocks the calling thread until `deadline`; for dedicated threads only, never in Swift's cooperative pool.
    func block(until deadline: MonotonicTime)
}

extension MonotonicClock {
    /// Suspends the task for `duration`.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws(CancellationError) { try await sleep(until: now + duration) }
}

/// The system's monotonic clock.
///
/// It advances while the machine is suspended: a setpoint from before a suspend is expired after it.
public struct SystemMonotonicClock: MonotonicClock {
    #if os(Linux)
        private static let origin = systemNanoseconds

        /// What `ContinuousClock` reads on Linux, without its conversions to 128 bits and back, which take longer than reading it.
        private static var systemNanoseconds: Int64 {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        }
    #else
        private static let origin = ContinuousClock.now
    #endif

    /// The system clock.
    public init() {}

    /// The present instant; costs one clock reading and no allocation.
    public var now: MonotonicTime {
        #if os(Linux)
            // The origin first: the first reading makes it, and would be before it.
            let origin = Self.origin
            return MonotonicTime(nanoseconds: Self.systemNanoseconds &- origin)
        #else
            MonotonicTime(nanoseconds: Self.origin.duration(to: ContinuousClock.now).nanoseconds)
        #endif
    }

    /// Suspends the task until `deadline`.
    public func sleep(until deadline: MonotonicTime) async throws(CancellationError) {
        let left = deadline - now
        guard left > .zero else {
            if Task.isCancelled { throw CancellationError() }
            return
        }
        do { try await Task.sleep(for: left) } catch { throw CancellationError() }
    }

    /// Blocks the calling thread until `deadline`.
    public func block(until deadline: MonotonicTime) {
        while true {
            let left = (deadline - now).nanoseconds
            guard left > 0 else { return }
            var pause = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
            nanosleep(&pause, nil)
        }
    }
}
