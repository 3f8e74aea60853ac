package import ROSMessages

/// Splits a TCPROS byte stream, which may arrive in any fragments, into blocks with a 32-bit little-endian length prefix.
///
/// Memory grows with the bytes received, never with the length that a peer announces.
package struct FrameAssembler: Sendable {
    /// The range of a complete block in ``storage``.
    package typealias Block = Range<Int>

    /// The received bytes; a block from ``next(within:)`` is valid until the next ``append(_:)``.
    package private(set) var storage: [UInt8] = []
    private var start = 0

    /// Creates an empty assembler.
    package init() {}

    /// The number of bytes not yet consumed.
    package var waiting: Int { storage.count - start }

    /// Empty storage with a larger capacity is freed, so that one large message does not occupy memory permanently.
    private static let retainedCapacity = 1 << 20

    /// Appends received bytes.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start == storage.count {
            start = 0
            if storage.capacity > Self.retainedCapacity {
                storage = []
            } else {
                storage.removeAll(keepingCapacity: true)
            }
        } else if start > 0, start >= storage.count / 2 {
            storage.removeFirst(start)
            start = 0
        }
        storage.append(contentsOf: bytes)
    }

    /// The next complete block without its length prefix; `nil` when more bytes are needed.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/tooLarge`` when its length is above `maximum`.
    package mutating func next(within maximum: Int) throws(ROSError) -> Block? {
        guard waiting >= 4 else { return nil }
        let length =
            Int(storage[start]) | Int(storage[start + 1]) << 8 | Int(storage[start + 2]) << 16
            | Int(storage[start + 3]) << 24
        guard length <= maximum else {
            throw ROSError(.tooLarge, "a block of \(length) bytes exceeds the bound of \(maximum)")
        }
        guard waiting - 4 >= length else { return nil }
        defer { start += 4 + length }
        return start + 4..<start + 4 + length
    }

    /// The next byte (the ok byte before a service response); `nil` when there is none.
    package mutating func nextByte() -> UInt8? {
        guard waiting > 0 else { return nil }
        defer { start += 1 }
        return storage[start]
    }

    /// The next ok byte and the block after it; consumes nothing until both are complete.
    package mutating func nextAnswer(within maximum: Int) throws(ROSError) -> (ok: UInt8, block: Block)? {
        let before = start
        guard let ok = nextByte(), let block = try next(within: maximum) else {
            start = before
            return nil
        }
        return (ok, block)
    }
}
