/// A `.hdr` file: histograms with tags and times, one per line, as HdrHistogram's tools read them.
public struct HDRLog: Sendable {
    /// The histogram of an interval.
    public struct Entry: Sendable {
        /// What was measured, for example `udp.command`. Commas and blanks become underscores.
        public var tag: String
        /// Start of the interval, seconds since the start of the log.
        public var startSeconds: Double
        /// Length of the interval, seconds.
        public var lengthSeconds: Double
        /// The values, nanoseconds.
        public var histogram: HDRHistogram

        /// Creates an entry.
        public init(tag: String, startSeconds: Double, lengthSeconds: Double, histogram: HDRHistogram) {
            self.tag = tag
            self.startSeconds = startSeconds
            self.lengthSeconds = lengthSeconds
            self.histogram = histogram
        }
    }

    /// Comments at the top, one line each.
    public var comments: [String]
    /// Start of the log, seconds since 1970.
    public var startSeconds: Double
    /// The intervals.
    public var entries: [Entry]

    /// Creates a log.
    public init(comments: [String] = [], startSeconds: Double, entries: [Entry] = []) {
        self.comments = comments
        self.startSeconds = startSeconds
        self.entries = entries
    }

    /// The text of the file. Maxima are in milliseconds, as the tools expect for nanosecond values.
    public var text: String {
        var lines = comments.map { "#" + $0.map { $0.isNewline ? " " : $0 } }
        lines.append("#[Histogram log format version 1.3]")
        lines.append("#[StartTime: \(Self.number(startSeconds)) (seconds since epoch)]")
        lines.append("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"")
        for entry in entries {
            let tag = String(entry.tag.map { $0 == "," || $0.isWhitespace ? "_" : $0 })
            let largest = Double(entry.histogram.largest ?? 0) / 1e6
            lines.append(
                "Tag=\(tag),\(Self.number(entry.startSeconds)),\(Self.number(entry.lengthSeconds)),"
                    + "\(Self.number(largest)),\(entry.histogram.compressed())")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A number with three decimals.
    private static func number(_ value: Double) -> String {
        let thousandths = Int64((value * 1000).rounded())
        let digits = String(abs(thousandths) % 1000 + 1000).dropFirst()
        return "\(thousandths < 0 ? "-" : "")\(abs(thousandths) / 1000).\(digits)"
    }
}

extension HDRHistogram {
    /// The largest value counted, to three digits; `nil` if empty.
    public var largest: Int64? {
        counts.lastIndex { $0 > 0 }.map { Self.highestEquivalentValue(Self.value(at: $0)) }
    }
}
