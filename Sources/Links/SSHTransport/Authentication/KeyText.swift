/// The text of a key file where it lies: a `String` of it would be a copy that nobody can wipe.
struct KeyText: ~Copyable {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func hasPrefix(_ mark: StaticString) -> Bool { mark.withUTF8Buffer { bytes.starts(with: $0) } }

    func contains(_ mark: StaticString) -> Bool { end(of: mark) != nil }

    /// What stands behind the line that `mark` ends, without line ends, up to the next line of dashes.
    func body(of mark: StaticString, atMost limit: Int) -> [UInt8] {
        guard let start = end(of: mark) else { return [] }
        let text = bytes[start...].prefix { $0 != UInt8(ascii: "-") }
        return Array(text.lazy.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.prefix(limit))
    }

    /// Where the first `mark` ends.
    private func end(of mark: StaticString) -> Int? {
        mark.withUTF8Buffer { mark in
            guard let first = mark.first, bytes.count >= mark.count else { return nil }
            for place in 0...(bytes.count - mark.count)
            where bytes[place] == first && bytes[place...].starts(with: mark) { return place + mark.count }
            return nil
        }
    }
}
