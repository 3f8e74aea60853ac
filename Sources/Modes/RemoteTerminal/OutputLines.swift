internal import TerminalEmulation
internal import UAVLink

/// A line of the simple form: a command, its output, or a note.
package struct OutputLine: Hashable, Sendable {
    /// The kind of a line.
    package enum Kind: Hashable, Sendable {
        /// A command that was sent.
        case command
        /// Its output.
        case output
        /// Its output on standard error.
        case error
        /// How it ended.
        case ending(isSuccess: Bool)
        /// A note of the program.
        case note
    }

    package var kind: Kind
    /// The text, sanitized.
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

/// Splits output chunks into lines and keeps the newest.
package struct OutputLines: Sendable {
    /// The most lines kept.
    package static let mostLines = 5000
    /// Longer lines are truncated.
    package static let longestLine = 4096

    /// The lines, the newest last.
    package private(set) var lines: [OutputLine] = []
    /// Whether output was dropped because the buffer was full.
    package private(set) var isCut = false
    private var filters: [Bool: PlainTextFilter] = [:]
    /// Whether the newest line is unfinished: `true` if it is from standard error, `false` from standard output.
    private var openBy: Bool?

    /// Starts without output.
    package init() {}

    /// Adds a line of the program.
    package mutating func add(_ kind: OutputLine.Kind, _ text: String) {
        openBy = nil
        filters = [:]
        append(OutputLine(kind, text.sanitizedLine))
    }

    /// Only the end of a larger chunk is processed: it is part of a flood that the user cannot read.
    private static let mostAtOnce = 64 * 1024

    /// Adds a chunk of output.
    package mutating func add(_ piece: CommandChunk) {
        var filter = filters[piece.isError] ?? PlainTextFilter()
        if piece.bytes.count > Self.mostAtOnce { isCut = true }
        let text = filter.feed(piece.bytes.suffix(Self.mostAtOnce))
        filters[piece.isError] = filter
        if openBy != piece.isError { openBy = nil }
        let kind: OutputLine.Kind = piece.isError ? .error : .output
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            if isLast, part.isEmpty { break }
            if openBy == nil { append(OutputLine(kind, "")) }
            extend(with: part)
            openBy = isLast ? piece.isError : nil
        }
        if parts.count > 1, parts.last?.isEmpty == true { openBy = nil }
    }

    /// A carriage return restarts the line, as progress bars do.
    private mutating func extend(with part: Substring) {
        let at = lines.count - 1
        let text = part.split(separator: "\r", omittingEmptySubsequences: false)
        let hasReturn = text.count > 1
        let newest = text.last.map { $0.isEmpty && hasReturn ? text[text.count - 2] : $0 } ?? part
        let before = hasReturn ? "" : lines[at].text
        let available = max(0, Self.longestLine - before.count)
        lines[at].text = before + String(newest.prefix(available)).replacing("\t", with: "    ").sanitizedLine
    }

    private mutating func append(_ line: OutputLine) {
        lines.append(line)
        if lines.count > Self.mostLines + 500 {
            isCut = true
            lines.removeFirst(lines.count - Self.mostLines)
        }
    }
}
