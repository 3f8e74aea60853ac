/// The text of a key file, read in place: a `String` would be a copy that cannot be wiped.
struct KeyText: ~Copyable {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func hasPrefix(_ mark: StaticString) -> Bool { mark.withUTF8Buffer { bytes.starts(with: $0) } }

    func contains(_ mark: StaticString) -> Bool { end(of: mark) != nil }

    /// The text after the first `mark` up to the next dash, without line ends.
    func body(of mark: StaticString, atMost limit: Int) -> [UInt8] {
        guard let start = end(of: mark) else { return [] }
        let text = bytes[start...].prefix { $0 != UInt8(ascii: "-") }
        return Array(text.lazy.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.prefix(limit))
    }

    /// The offset after the first occurrence of `mark`.
    private func end(of mark: StaticString) -> Int? {
        mark.withUTF8Buffer { mark in
            guard let first = mark.first, bytes.count >= mark.count else { return nil }
            for place in 0...(bytes.count - mark.count)
            where bytes[place] == first && bytes[place...].starts(with: mark) { return place + mark.count }
            return nil
        }
    }
}
