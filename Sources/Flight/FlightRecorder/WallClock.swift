#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ROSMessages
package import UAVLink

/// Converts instants of this machine's monotonic clock to its wall clock, which is used in bags.
///
/// Both clocks are read once, at the start of the recording, so that setting the wall clock in flight causes no jump.
package struct WallClock: Hashable, Sendable {
    /// Wall clock minus monotonic clock, nanoseconds.
    package let offsetNanoseconds: Int64

    /// A conversion with a known offset.
    package init(offsetNanoseconds: Int64) { self.offsetNanoseconds = offsetNanoseconds }

    /// Measures the offset of the system's wall clock from `clock`.
    package static func now(_ clock: any MonotonicClock) -> Self {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        let nanoseconds = Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec)
        return Self(offsetNanoseconds: nanoseconds - clock.now.nanoseconds)
    }

    /// The instant as a ROS time; zero, which no recording has, for `nil` and for instants out of its range.
    func time(_ instant: MonotonicTime?) -> ROSTime {
        guard let instant else { return ROSTime() }
        let (seconds, rest) = (instant.nanoseconds &+ offsetNanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        guard let whole = UInt32(exactly: seconds), rest >= 0 else { return ROSTime() }
        return ROSTime(seconds: whole, nanoseconds: UInt32(rest))
    }
}
