/// When a program on the vehicle began and ended, as it said itself; the clock is the vehicle's, so only differences count.
public struct RemoteTimes: Hashable, Sendable {
    /// The set-up before the program, nanoseconds.
    public let setupNanoseconds: Int64
    /// The program, nanoseconds.
    public let programNanoseconds: Int64

    static let mark = "uavlink-times"

    /// What a timed command line said on standard error; `nil` when it said nothing of the kind, as under a shell before
    /// bash 5.
    public init?(standardError text: String) {
        guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix(Self.mark + " ") }) else { return nil }
        let words = line.split(separator: " ").dropFirst().map(Self.nanoseconds)
        guard words.count == 3, let began = words[0], let ready = words[1], let ended = words[2], began <= ready,
            ready <= ended
        else { return nil }
        setupNanoseconds = ready - began
        programNanoseconds = ended - ready
    }

    /// Seconds with six digits behind a point or a comma, as the locale has it.
    private static func nanoseconds(_ word: Substring) -> Int64? {
        let parts = word.split(whereSeparator: { $0 == "." || $0 == "," })
        guard parts.count == 2, parts[1].utf8.count == 6, let seconds = Int64(parts[0]),
            let microseconds = Int64(parts[1]), (0..<(1 << 33)).contains(seconds), microseconds >= 0
        else { return nil }
        return seconds * 1_000_000_000 + microseconds * 1000
    }
}
