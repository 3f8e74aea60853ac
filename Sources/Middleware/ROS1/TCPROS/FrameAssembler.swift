/// Cuts a TCPROS byte stream, fed in any split, into blocks with a 32-bit little-endian length in front.
///
/// Memory grows with the bytes that have come, never with the length that a peer merely announces.
package struct FrameAssembler: Sendable {
    /// Where a whole block lies in ``storage``.
    package typealias Block = Range<Int>

    /// The bytes; a block from ``next(within:)`` is valid until the next ``append(_:)``.
    package private(set) var storage: [UInt8] = []
    private var start = 0

    /// An assembler that has been fed nothing.
    package init() {}

    /// How many bytes wait.
    package var waiting: Int { storage.count - start }

    /// Storage above this is given back when it is empty, so that one large message is not paid for ever after.
    private static let keptCapacity = 1 << 20

    /// Takes bytes in.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start == storage.count {
            start = 0
            if storage.capacity > Self.keptCapacity { storage = [] } else { storage.removeAll(keepingCapacity: true) }
        } else if start > 0, start >= storage.count / 2 {
            storage.removeFirst(start)
            start = 0
        }
        storage.append(contentsOf: bytes)
    }

    /// The next whole block without its length, `nil` when more bytes are needed.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/tooLarge`` when its length is above `maximum`.
    package mutating func next(within maximum: Int) throws(ROSError) -> Block? {
        guard waiting >= 4 else { return nil }
        let length =
            Int(storage[start]) | Int(storage[start + 1]) << 8 | Int(storage[start + 2]) << 16
            | Int(storage[start + 3]) << 24
        guard length <= maximum else {
            throw ROSError(.tooLarge, "a block of \(length) bytes is above the bound of \(maximum)")
        }
        guard waiting - 4 >= length else { return nil }
        defer { start += 4 + length }
        return start + 4..<start + 4 + length
    }

    /// The next byte, `nil` when there is none (the ok byte before a service's answer).
    package mutating func nextByte() -> UInt8? {
        guard waiting > 0 else { return nil }
        defer { start += 1 }
        return storage[start]
    }

    /// Looks at the next byte and a block behind it, and takes both only when both are whole.
    package mutating func nextAnswer(within maximum: Int) throws(ROSError) -> (ok: UInt8, block: Block)? {
        let before = start
        guard let ok = nextByte(), let block = try next(within: maximum) else {
            start = before
            return nil
        }
        return (ok, block)
    }
}
