/// Breaks text into lines between words.
enum Wrapping {
    /// Lines of at most `width` characters; a longer word gets a line of its own.
    static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines
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
