#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ROS1
public import UAVLink

/// Turns instants of this machine's monotonic clock into those of its wall clock, by which bags are dated.
///
/// Both clocks are read once, when the recording begins: a wall clock that is set in flight does not tear the recording.
public struct WallClock: Hashable, Sendable {
    /// Wall clock minus monotonic clock, nanoseconds.
    public let offsetNanoseconds: Int64

    /// With this difference.
    public init(offsetNanoseconds: Int64) { self.offsetNanoseconds = offsetNanoseconds }

    /// The machine's wall clock against this clock, as they are now.
    public static func now(_ clock: any MonotonicClock) -> Self {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        let nanoseconds = Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec)
        return Self(offsetNanoseconds: nanoseconds - clock.now.nanoseconds)
    }

    /// An instant as ROS writes it; the time zero, which no recording has, for `nil` and for what ROS cannot write.
    func time(_ instant: MonotonicTime?) -> ROSTime {
        guard let instant else { return ROSTime() }
        let (seconds, rest) = (instant.nanoseconds &+ offsetNanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        guard let whole = UInt32(exactly: seconds), rest >= 0 else { return ROSTime() }
        return ROSTime(seconds: whole, nanoseconds: UInt32(rest))
    }
}
