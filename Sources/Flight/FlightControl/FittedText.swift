extension String {
    /// The longest prefix of whole characters within a number of UTF-8 bytes.
    package func fitted(toBytes most: Int) -> String {
        var (text, bytes) = ("", 0)
        for character in self {
            bytes += character.utf8.count
            guard bytes <= most else { break }
            text.append(character)
        }
        return text
    }

    /// Whether it has only white space, or nothing.
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
