/// Splits a byte stream, which may arrive in any parts, into batches with a 16-bit little-endian length before each.
package struct BatchAssembler: Sendable {
    /// The received bytes; a batch is valid until the next ``append(_:)``.
    package private(set) var storage: [UInt8] = []
    private var start = 0

    /// Creates an empty assembler.
    package init() {}

    /// The number of bytes not yet consumed.
    package var waiting: Int { storage.count - start }

    /// Appends received bytes.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start == storage.count {
            start = 0
            storage.removeAll(keepingCapacity: true)
        } else if start > 0, start >= storage.count / 2 {
            storage.removeFirst(start)
            start = 0
        }
        storage.append(contentsOf: bytes)
    }

    /// The next complete batch without its length; `nil` when more bytes are needed. No batch has more than 65,535
    /// bytes.
    package mutating func next() -> Range<Int>? {
        guard waiting >= 2 else { return nil }
        let length = Int(storage[start]) | Int(storage[start + 1]) << 8
        guard waiting - 2 >= length else { return nil }
        defer { start += 2 + length }
        return start + 2..<start + 2 + length
    }
}
