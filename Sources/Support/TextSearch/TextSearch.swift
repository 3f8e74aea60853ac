/// Search in texts, byte for byte.
///
/// The standard library's `contains(_: String)` is in the module of its regular expressions, which would be a tenth of the size of a
/// program that is linked statically.
extension StringProtocol {
    /// Whether a text occurs in this one.
    package func includes(_ text: some StringProtocol) -> Bool { end(of: text) != nil }

    /// What comes after the first occurrence of a text; `nil` if it does not occur.
    package func rest(after text: some StringProtocol) -> SubSequence? { end(of: text).map { self[$0...] } }

    /// The end of the first occurrence.
    private func end(of text: some StringProtocol) -> Index? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return startIndex }
        var from = utf8.startIndex
        while let begin = utf8[from...].firstIndex(of: first) {
            var index = begin
            var matched = 0
            while matched < wanted.count, index < utf8.endIndex, utf8[index] == wanted[matched] {
                utf8.formIndex(after: &index)
                matched += 1
            }
            if matched == wanted.count { return index }
            from = utf8.index(after: begin)
        }
        return nil
    }
}
