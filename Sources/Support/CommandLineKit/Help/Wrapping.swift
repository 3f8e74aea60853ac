/// Breaks text into lines between words.
enum Wrapping {
    /// Lines of at most `width` characters; a longer word is broken after its commas and semicolons, else it gets a line of its own.
    static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            for (number, piece) in pieces(of: word, width: width).enumerated() {
                // Within a word there is no blank: the next piece begins a line.
                if !line.isEmpty, number > 0 || line.count + 1 + piece.count > width {
                    lines.append(line)
                    line = ""
                }
                line += (line.isEmpty ? "" : " ") + piece
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// As ``wrap(_:width:)``; all lines but the first are indented.
    static func hanging(_ text: String, width: Int) -> [String] {
        wrap(text, width: width - 4).enumerated().map { $0.offset == 0 ? $0.element : "    " + $0.element }
    }

    private static func pieces(of word: Substring, width: Int) -> [Substring] {
        var (rest, pieces) = (word, [Substring]())
        while rest.count > width, let last = rest.prefix(width).lastIndex(where: { ",;".contains($0) }) {
            let end = rest.index(after: last)
            pieces.append(rest[..<end])
            rest = rest[end...]
        }
        if !rest.isEmpty { pieces.append(rest) }
        return pieces
    }

    /// The paragraphs, separated by empty lines, each as lines of at most `width` characters; one that begins with a
    /// blank is an example, whose lines are kept.
    static func paragraphs(of text: String, width: Int) -> [[String]] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .split(whereSeparator: \.isEmpty)
            .map { lines in
                lines.first?.first == " " ? lines.map(String.init) : wrap(lines.joined(separator: " "), width: width)
            }
    }
}
