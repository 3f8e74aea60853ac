internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The time of the graph: the wall clock, or what `/clock` says when time is simulated.
public final class ROSClock: Sendable {
    private let simulated = Atomic(false)
    /// Seconds above, nanoseconds below.
    private let latest = Atomic<UInt64>(0)

    /// A clock that goes by the wall until ``follow()``.
    public init() {}

    /// Whether `/clock` says the time.
    public var isSimulated: Bool { simulated.load(ordering: .relaxed) }

    /// The present time; 0 when time is simulated and `/clock` has said nothing yet.
    public var now: ROSTime {
        if simulated.load(ordering: .relaxed) {
            let packed = latest.load(ordering: .acquiring)
            return ROSTime(seconds: UInt32(packed >> 32), nanoseconds: UInt32(truncatingIfNeeded: packed))
        }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return ROSTime(
            seconds: UInt32(truncatingIfNeeded: time.tv_sec), nanoseconds: UInt32(truncatingIfNeeded: time.tv_nsec))
    }

    /// Goes by ``set(_:)`` from now on.
    func follow() { simulated.store(true, ordering: .relaxed) }

    /// `/clock` has said the time.
    func set(_ time: ROSTime) {
        latest.store(UInt64(time.seconds) << 32 | UInt64(time.nanoseconds), ordering: .releasing)
    }
}
