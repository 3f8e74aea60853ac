/// The command lines of one vehicle, the newest last, and the place of a person who goes through them.
public struct CommandHistory: Hashable, Sendable {
    /// The most lines that are kept.
    public static let most = 1000

    /// The lines, the newest last.
    public private(set) var lines: [String]
    /// Where the person is: `lines.count` is the line being typed.
    private var place: Int
    private var draft = ""

    /// A history of these lines.
    public init(_ lines: [String] = []) {
        self.lines = Array(lines.suffix(Self.most))
        place = self.lines.count
    }

    /// Keeps a line that was sent. One that begins with a blank is not kept, nor one that repeats the newest.
    ///
    /// - Returns: whether it was kept.
    @discardableResult
    public mutating func add(_ line: String) -> Bool {
        defer {
            place = lines.count
            draft = ""
        }
        guard let first = line.first, !first.isWhitespace, line != lines.last else { return false }
        lines.append(line)
        if lines.count > Self.most { lines.removeFirst(lines.count - Self.most) }
        return true
    }

    /// Goes to an older line (-1) or a newer one (1) from what is in the field; `nil` when there is none.
    public mutating func go(_ step: Int, from text: String) -> String? {
        let next = place + step
        guard (0...lines.count).contains(next) else { return nil }
        if place == lines.count { draft = text }
        place = next
        return next == lines.count ? draft : lines[next]
    }

    /// The newest line that holds a text, older than the one at `before` where that is given.
    public func search(_ text: String, before: Int? = nil) -> (index: Int, line: String)? {
        let end = min(before ?? lines.count, lines.count)
        guard let index = lines[..<max(0, end)].lastIndex(where: { text.isEmpty || $0.contains(text) }) else {
            return nil
        }
        return (index, lines[index])
    }
}
