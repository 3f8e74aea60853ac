internal import TerminalEmulation
internal import UAVLink

/// The events of a terminal session in order, with times: connections, what was sent, what was received. Bounded.
package struct SessionLog: Sendable {
    /// The kind of an entry.
    package enum Kind: String, Sendable {
        /// The connection was opened, closed or failed.
        case connection = "--"
        /// A line that the user sent. Keys sent to the shell are not logged: it is unknown whether the peer echoes
        /// them, and they may be a password.
        case sent = "Tx"
        /// Output of the peer.
        case received = "Rx"
    }

    /// One entry.
    package struct Entry: Hashable, Sendable {
        /// Time, in seconds since 1970.
        package var seconds: Double
        package var kind: Kind
        /// The text, of one or more lines, sanitized.
        package var text: String
    }

    /// The most bytes of text kept; the oldest entries are dropped first.
    package static let mostBytes = 1 << 20
    /// Received text is appended to the same entry up to this length.
    private static let maximumEntryLength = 4096

    /// The entries, the oldest first.
    package private(set) var entries: [Entry] = []
    /// The number of entries dropped because the log was full.
    package private(set) var dropped = 0
    private var byteCount = 0
    private var filter = PlainTextFilter()

    package init() {}

    /// Adds an event of the connection, or a line that was sent.
    package mutating func add(_ kind: Kind, _ text: String, at seconds: Double) {
        append(Entry(seconds: seconds, kind: kind, text: text.sanitizedLine))
    }

    /// Adds received bytes: their text, without terminal escape sequences.
    package mutating func addReceived(_ bytes: some Collection<UInt8>, at seconds: Double) {
        // Only the end of a flood is logged: all of it would displace everything else.
        if bytes.count > Self.mostBytes / 4 { filter = PlainTextFilter() }
        let text = filter.feed(bytes.suffix(Self.mostBytes / 4)).filter { $0 != "\r" && $0 != "\u{8}" }
            .replacing("\r\n", with: "\n")
        guard !text.isEmpty else { return }
        if let last = entries.last, last.kind == .received, seconds - last.seconds < 1,
            last.text.utf8.count + text.utf8.count <= Self.maximumEntryLength
        {
            entries[entries.count - 1].text += text.sanitized
            byteCount += text.utf8.count
            trim()
        } else {
            append(Entry(seconds: seconds, kind: .received, text: text.sanitized))
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

    /// The text of the log file.
    ///
    /// - Parameters:
    /// - place: where the session took place.
    ///   - time: an instant in seconds since 1970 as text.
    package func text(place: String, time: (Double) -> String) -> String {
        var out = "uavlink terminal session on \(place.sanitizedLine)\n"
        if dropped > 0 { out += "(\(dropped) older entries were dropped)\n" }
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
