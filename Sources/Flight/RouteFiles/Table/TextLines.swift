/// The lines of a text in order, one at a time; LF, CR and CRLF end a line.
struct TextLines: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    private var isDone = false

    /// - Parameter bytes: the text; a byte order mark of UTF-8 is skipped.
    init(_ bytes: [UInt8]) { rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...] }

    mutating func next() -> ArraySlice<UInt8>? {
        guard !isDone else { return nil }
        guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
            isDone = true
            return rest
        }
        let line = rest[..<end]
        let isPair = rest[end] == 0x0D && end + 1 < rest.endIndex && rest[end + 1] == 0x0A
        rest = rest[(isPair ? end + 2 : end + 1)...]
        return line
    }
}
