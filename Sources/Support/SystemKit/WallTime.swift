#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The time of day, for comparison with another machine's and for stamps; everything else uses a monotonic clock.
public enum WallTime {
    /// Nanoseconds since 1970, UTC.
    public static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
