/// What the drone says on the port of its commands. No reply says to which command it belongs.
package enum TelloReply: Hashable, Sendable {
    /// Done.
    case ok
    /// A move that `stop` has ended: the move's own answer.
    case forcedStop
    /// The firmware does not know that command; its first word as it was sent.
    case unknownCommand(String)
    /// Refused or failed, in the drone's words.
    case failure(String)
    /// An answer to a question, or anything else that is text.
    case value(String)

    /// The most bytes of a reply that are looked at; the longest known one has 60.
    package static let mostBytes = 512

    /// Reads a datagram.
    ///
    /// Replies end bare, with CR LF or with a NUL, in lower case or not. The vendor's binary protocol shares the port: what is
    /// not printable ASCII is none of ours.
    ///
    /// - Returns: `nil` for an empty, too long or binary datagram.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.mostBytes else { return nil }
        let isEnd = { (byte: UInt8) in byte == 0 || byte == 0x20 || (0x09...0x0D).contains(byte) }
        let begun = bytes.drop(while: isEnd)
        var content = Array(begun)
        while let last = content.last, isEnd(last) { content.removeLast() }
        guard !content.isEmpty, content.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        self.init(text: String(decoding: content, as: UTF8.self))
    }

    private init(text: String) {
        let lower = text.lowercased()
        if lower == "ok" || lower.hasPrefix("ok,") || Self.expansionDone.contains(lower) {
            self = .ok
        } else if lower == "forced stop" {
            self = .forcedStop
        } else if let name = Self.unknownStarts.lazy.compactMap({ Self.rest(of: lower, after: $0) }).first {
            self = .unknownCommand(String(name.prefix { $0 != " " }))
        } else if Self.failureStarts.contains(where: { lower.hasPrefix($0) }) {
            self = .failure(text)
        } else {
            self = .value(text)
        }
    }

    /// Whether it says that the drone lands by itself: `error Auto land`.
    package var announcesLanding: Bool {
        if case .failure(let text) = self { text.lowercased().hasSuffix("auto land") } else { false }
    }

    /// What is done by the expansion is answered so.
    private static let expansionDone: Set<String> = ["led ok", "matrix ok"]
    // Seen in both spellings.
    private static let unknownStarts = ["unknown command:", "unknow command:"]
    private static let failureStarts = ["error", "out of range", "command error", "false", "led error", "matrix error"]

    private static func rest(of text: String, after start: String) -> String? {
        guard text.hasPrefix(start) else { return nil }
        return String(text.dropFirst(start.count).drop { $0 == " " })
    }
}
