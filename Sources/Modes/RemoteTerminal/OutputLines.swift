internal import TerminalEmulation
internal import UAVLink

/// What a command line in the simple form and its output came to, as lines.
public struct OutputLine: Hashable, Sendable {
    /// What a line is.
    public enum Kind: Hashable, Sendable {
        /// A command that was sent.
        case command
        /// What it wrote.
        case output
        /// What it wrote to standard error.
        case error
        /// How it ended, well or badly.
        case ending(isSuccess: Bool)
        /// A note of ours.
        case note
    }

    /// What it is.
    public var kind: Kind
    /// The text, harmless.
    public var text: String

    /// A line.
    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

/// Makes lines of output in pieces, and keeps the newest of them.
public struct OutputLines: Sendable {
    /// The most lines that are kept.
    public static let mostLines = 5000
    /// A longer line is cut there.
    public static let longestLine = 4096

    /// The lines, the newest last.
    public private(set) var lines: [OutputLine] = []
    /// Whether some was left out for want of space.
    public private(set) var isCut = false
    private var filters: [Bool: PlainTextFilter] = [:]
    /// Whether the newest line is still being written, and by which of the two outputs.
    private var openBy: Bool?

    /// No output.
    public init() {}

    /// Adds a line of ours.
    public mutating func add(_ kind: OutputLine.Kind, _ text: String) {
        openBy = nil
        filters = [:]
        append(OutputLine(kind, text.harmlessLine))
    }

    /// Of a larger piece only the end is looked at: it is part of a flood, of which nobody sees more.
    private static let mostAtOnce = 64 * 1024

    /// Adds a piece of output.
    public mutating func add(_ piece: CommandPiece) {
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

    /// A carriage return begins the line anew, as progress bars have it.
    private mutating func extend(with part: Substring) {
        let at = lines.count - 1
        let text = part.split(separator: "\r", omittingEmptySubsequences: false)
        let hasReturn = text.count > 1
        let newest = text.last.map { $0.isEmpty && hasReturn ? text[text.count - 2] : $0 } ?? part
        let before = hasReturn ? "" : lines[at].text
        let room = max(0, Self.longestLine - before.count)
        lines[at].text = before + String(newest.prefix(room)).replacing("\t", with: "    ").harmlessLine
    }

    private mutating func append(_ line: OutputLine) {
        lines.append(line)
        if lines.count > Self.mostLines + 500 {
            isCut = true
            lines.removeFirst(lines.count - Self.mostLines)
        }
    }
}
