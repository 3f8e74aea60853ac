extension StringProtocol {
    /// The text shortened to a width in cells at the end of a word, with ` …` where words were left out.
    ///
    /// What has no word end in its second half, such as a path, is cut as by ``fitted(to:)``.
    public func shortened(to width: Int) -> String {
        guard cells > width else { return String(self) }
        var (used, end) = (0, startIndex)
        var (lastWord, lastWidth) = (startIndex, 0)
        while end < endIndex, used + self[end].cells <= width - 2 {
            used += self[end].cells
            end = index(after: end)
            // A word ends here: what follows is a blank.
            if end < endIndex, self[end] == " ", self[index(before: end)] != " " { (lastWord, lastWidth) = (end, used) }
        }
        return lastWidth > 0 && lastWidth * 2 >= width ? String(self[..<lastWord]) + " …" : fitted(to: width)
    }

    /// Wraps the text as ``wrapped(to:)`` does, to at most so many lines; what does not fit is marked by ` …` after the last word.
    public func wrapped(to width: Int, atMost most: Int) -> [String] {
        let lines = wrapped(to: width)
        guard lines.count > most else { return lines }
        guard most > 0 else { return [] }
        var last = lines[most - 1]
        while last.cells + 2 > width, let end = last.lastIndex(of: " ") { last = String(last[..<end]) }
        let marked = last.cells + 2 <= width ? last + " …" : (last + "…").fitted(to: width)
        return Array(lines.prefix(most - 1)) + [marked]
    }
}
