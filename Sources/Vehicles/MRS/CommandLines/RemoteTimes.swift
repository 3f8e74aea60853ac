/// How long a command and its set-up took on the vehicle, from timestamps of the vehicle's clock.
public struct RemoteTimes: Hashable, Sendable {
    /// Duration of the start of a login shell; `nil` where none was timed.
    public let shellNanoseconds: Int64?
    /// Duration of the set-up, nanoseconds.
    public let setupNanoseconds: Int64
    /// Duration of the program, nanoseconds.
    public let programNanoseconds: Int64

    static let mark = "uavlink-times"

    /// Parses the standard error of a timed command; `nil` if it has no timestamps, as under a shell before bash 5.
    public init?(standardError text: String) {
        guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix(Self.mark + " ") }) else { return nil }
        let words = line.split(separator: " ").dropFirst()
        let times = words.compactMap(Self.nanoseconds)
        guard times.count == words.count, times == times.sorted(), (3...4).contains(times.count) else { return nil }
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        shellNanoseconds = steps.count == 3 ? steps[0] : nil
        setupNanoseconds = steps[steps.count - 2]
        programNanoseconds = steps[steps.count - 1]
    }

    /// Seconds with six decimals after a point or a comma, depending on the locale.
    private static func nanoseconds(_ word: Substring) -> Int64? {
        let parts = word.split(whereSeparator: { $0 == "." || $0 == "," })
        guard parts.count == 2, parts[1].utf8.count == 6, let seconds = Int64(parts[0]),
            let microseconds = Int64(parts[1]), (0..<(1 << 33)).contains(seconds), microseconds >= 0
        else { return nil }
        return seconds * 1_000_000_000 + microseconds * 1000
    }
}
