#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The clock of this computer.
enum WallClock {
    /// Nanoseconds since 1970.
    static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
