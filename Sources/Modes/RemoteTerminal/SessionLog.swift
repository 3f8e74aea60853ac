internal import TerminalEmulation
internal import UAVLink

/// What happened in a terminal session, in order, with times: connections, what was sent, what was received. Bounded.
public struct SessionLog: Sendable {
    /// What an entry is about.
    public enum Kind: String, Sendable {
        /// The connection came, went or failed.
        case connection = "--"
        /// A line that the person sent. Keys of the shell are not here: whether the other end shows them cannot be known, and
        /// they may be a password.
        case sent = "Tx"
        /// What the other end wrote.
        case received = "Rx"
    }

    /// One entry.
    public struct Entry: Hashable, Sendable {
        /// When, in seconds since 1970.
        public var seconds: Double
        /// What it is about.
        public var kind: Kind
        /// The text, of one or more lines, harmless.
        public var text: String
    }

    /// The most bytes of text that are kept; the oldest go first.
    public static let mostBytes = 1 << 20
    /// What is received goes on in the same entry up to this length.
    private static let longestEntry = 4096

    /// The entries, the oldest first.
    public private(set) var entries: [Entry] = []
    /// How many entries were left out for want of space.
    public private(set) var dropped = 0
    private var byteCount = 0
    private var filter = PlainTextFilter()

    /// An empty log.
    public init() {}

    /// Writes down something about the connection, or a line that was sent.
    public mutating func add(_ kind: Kind, _ text: String, at seconds: Double) {
        append(Entry(seconds: seconds, kind: kind, text: text.harmlessLine))
    }

    /// Writes down bytes that were received: their text, without sequences for the terminal.
    public mutating func addReceived(_ bytes: some Collection<UInt8>, at seconds: Double) {
        // A flood is in the log with its end: all of it would only push everything else out.
        if bytes.count > Self.mostBytes / 4 { filter = PlainTextFilter() }
        let text = filter.feed(bytes.suffix(Self.mostBytes / 4)).filter { $0 != "\r" && $0 != "\u{8}" }
            .replacing("\r\n", with: "\n")
        guard !text.isEmpty else { return }
        if let last = entries.last, last.kind == .received, seconds - last.seconds < 1,
            last.text.utf8.count + text.utf8.count <= Self.longestEntry
        {
            entries[entries.count - 1].text += text.harmless
            byteCount += text.utf8.count
            trim()
        } else {
            append(Entry(seconds: seconds, kind: .received, text: text.harmless))
        }
    }

    private mutating func append(_ entry: Entry) {
        entries.append(entry)
        byteCount += entry.text.utf8.count
        trim()
    }

    private mutating func trim() {
        guard byteCount > Self.mostBytes, entries.count > 1 else { return }
        var gone = 0
        while byteCount > Self.mostBytes * 3 / 4, gone < entries.count - 1 {
            byteCount -= entries[gone].text.utf8.count
            gone += 1
        }
        entries.removeFirst(gone)
        dropped += gone
    }

    /// The log as a file has it.
    ///
    /// - Parameters:
    ///   - place: where the session was.
    ///   - time: an instant in seconds since 1970 as text.
    public func text(place: String, time: (Double) -> String) -> String {
        var out = "uavlink terminal session on \(place.harmlessLine)\n"
        if dropped > 0 { out += "(\(dropped) older entries were left out)\n" }
        for entry in entries {
            let head = "\(time(entry.seconds)) \(entry.kind.rawValue) "
            let lines = entry.text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where index == 0 || index < lines.count - 1 || !line.isEmpty {
                out += head + line + "\n"
            }
        }
        return out
    }
}
