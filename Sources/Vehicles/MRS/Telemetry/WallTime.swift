#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The machine's wall clock, which ROS stamps its messages with.
enum WallTime {
    /// Nanoseconds since 1970.
    static var now: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
