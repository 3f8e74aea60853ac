/// The command lines of one vehicle, the newest last, with the user's position while browsing.
package struct CommandHistory: Hashable, Sendable {
    /// The most lines kept.
    package static let most = 1000

    /// The lines, the newest last.
    package private(set) var lines: [String]
    /// The user's position: `lines.count` is the line being typed.
    private var place: Int
    private var draft = ""

    package init(_ lines: [String] = []) {
        self.lines = Array(lines.suffix(Self.most))
        place = self.lines.count
    }

    /// Adds a line that was sent, unless it begins with a blank or repeats the newest.
    ///
    /// - Returns: whether it was added.
    @discardableResult
    package mutating func add(_ line: String) -> Bool {
        defer {
            place = lines.count
            draft = ""
        }
        guard let first = line.first, !first.isWhitespace, line != lines.last else { return false }
        lines.append(line)
        if lines.count > Self.most { lines.removeFirst(lines.count - Self.most) }
        return true
    }

    /// Moves to an older line (-1) or a newer one (1) from the text in the field; `nil` if there is none.
    package mutating func go(_ step: Int, from text: String) -> String? {
        let next = place + step
        guard (0...lines.count).contains(next) else { return nil }
        if place == lines.count { draft = text }
        place = next
        return next == lines.count ? draft : lines[next]
    }

    /// The newest line that contains a text; with `before`, the newest older than that one.
    package func search(_ text: String, before: Int? = nil) -> (index: Int, line: String)? {
        let end = min(before ?? lines.count, lines.count)
        guard let index = lines[..<max(0, end)].lastIndex(where: { text.isEmpty || $0.contains(text) }) else {
            return nil
        }
        return (index, lines[index])
    }
}
