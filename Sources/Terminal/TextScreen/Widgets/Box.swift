extension Canvas {
    /// Draws a border around an area with a title in the top line; returns the area inside.
    @discardableResult
    public mutating func box(
        _ area: ScreenArea, title: String = "", _ style: Style = .muted, titleStyle: Style = .title
    ) -> ScreenArea {
        guard area.rows >= 2, area.columns >= 2 else { return area.inset(top: 1, left: 1, bottom: 1, right: 1) }
        let line = String(repeating: "─", count: area.columns - 2)
        write("┌" + line + "┐", row: 0, in: area, style)
        write("└" + line + "┘", row: area.rows - 1, in: area, style)
        for row in 1..<max(1, area.rows - 1) {
            write("│", row: row, in: area, style)
            write("│", row: row, column: area.columns - 1, in: area, style)
        }
        if !title.isEmpty, area.columns > 6 {
            write(" " + title.fitted(to: area.columns - 6) + " ", row: 0, column: 2, in: area, titleStyle)
        }
        return area.inset(top: 1, left: 1, bottom: 1, right: 1)
    }

    /// Writes text into an area, wrapped at spaces; returns the number of lines used.
    @discardableResult
    public mutating func writeParagraph(_ text: String, in area: ScreenArea, _ style: Style = .plain) -> Int {
        let lines = text.wrapped(to: area.columns, atMost: max(0, area.rows))
        for (row, line) in lines.enumerated() { write(line, row: row, in: area, style) }
        return lines.count
    }
}

extension StringProtocol {
    /// Wraps the text to lines of at most `width` cells, at spaces where possible and at line feeds.
    public func wrapped(to width: Int) -> [String] {
        guard width > 0 else { return [] }
        var lines: [String] = []
        for paragraph in split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                var word = String(word)
                if !line.isEmpty, line.cells + 1 + word.cells <= width {
                    line += " " + word
                    continue
                }
                if !line.isEmpty { lines.append(line) }
                while word.cells > width {
                    var head = ""
                    while let first = word.first, head.cells + first.cells <= width {
                        head.append(first)
                        word.removeFirst()
                    }
                    // A list without blanks, such as the parts of a network condition, is broken behind a comma.
                    if let comma = head.lastIndex(of: ","), head[...comma].cells * 2 >= width {
                        let next = head.index(after: comma)
                        word = head[next...] + word
                        head = String(head[..<next])
                    }
                    // A character wider than the line is dropped.
                    if head.isEmpty { word.removeFirst() } else { lines.append(head) }
                }
                line = word
            }
            lines.append(line)
        }
        return lines
    }
}
