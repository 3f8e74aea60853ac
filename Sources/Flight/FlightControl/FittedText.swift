extension String {
    /// As many of its first characters as fit into so many bytes of UTF-8; none of them is cut in two.
    public func fitted(toBytes most: Int) -> String {
        var (text, bytes) = ("", 0)
        for character in self {
            bytes += character.utf8.count
            guard bytes <= most else { break }
            text.append(character)
        }
        return text
    }

    /// Whether a person who reads it sees nothing.
    public var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
