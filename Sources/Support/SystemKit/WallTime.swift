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

    /// An instant as ISO 8601 in UTC with milliseconds, `2023-11-14T22:13:20.250Z`.
    ///
    /// - Parameter nanoseconds: since 1970, UTC.
    public static func utcText(_ nanoseconds: Int64) -> String {
        var seconds = time_t(nanoseconds / 1_000_000_000)
        var rest = nanoseconds % 1_000_000_000
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: some BinaryInteger, _ digits: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let date = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec]
        return padded(date[0], 4) + "-" + padded(date[1], 2) + "-" + padded(date[2], 2) + "T"
            + time.map { padded($0, 2) }.joined(separator: ":") + "." + padded(rest / 1_000_000, 3) + "Z"
    }
}
