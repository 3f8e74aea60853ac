public import ROSMessages
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The time of the graph: the wall clock, or the time published on `/clock` when time is simulated.
public final class ROSClock: Sendable {
    private let simulated = Atomic(false)
    /// Seconds in the upper 32 bits, nanoseconds in the lower.
    private let latest = Atomic<UInt64>(0)

    /// Creates a clock that returns the wall clock time until ``follow()``.
    public init() {}

    /// Whether time comes from `/clock`.
    public var isSimulated: Bool { simulated.load(ordering: .relaxed) }

    /// The current time; 0 when time is simulated and nothing was received on `/clock` yet.
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

    /// Switches to simulated time, see ``set(_:)``.
    func follow() { simulated.store(true, ordering: .relaxed) }

    /// Sets the simulated time.
    func set(_ time: ROSTime) {
        latest.store(UInt64(time.seconds) << 32 | UInt64(time.nanoseconds), ordering: .releasing)
    }
}
