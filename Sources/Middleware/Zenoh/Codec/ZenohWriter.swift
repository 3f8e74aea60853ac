/// Encodes the values of the Zenoh protocol. ``removeAll()`` keeps the storage, so that a writer that is used again
/// allocates nothing.
package struct ZenohWriter: Sendable {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty writer.
    package init(reservingCapacity capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// The number of bytes written so far.
    package var count: Int { bytes.count }

    /// Storage of an empty writer above that is freed, so that one large message does not occupy memory permanently.
    private static let retainedCapacity = 1 << 20

    /// Removes all bytes and keeps the storage, unless it is large.
    package mutating func removeAll() {
        if bytes.capacity > Self.retainedCapacity { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
    }

    /// One byte.
    package mutating func write(_ byte: UInt8) { bytes.append(byte) }

    /// A number: seven bits a byte, the low ones first; a ninth byte holds eight.
    package mutating func writeNumber(_ number: UInt64) {
        var rest = number
        for _ in 0..<8 {
            guard rest > 0x7F else { break }
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A number that is never negative.
    package mutating func writeNumber(_ number: Int) { writeNumber(UInt64(clamping: number)) }

    /// How many bytes a number takes.
    package static func size(ofNumber number: Int) -> Int {
        var rest = UInt64(clamping: number)
        var size = 1
        while rest > 0x7F, size < 9 {
            rest >>= 7
            size += 1
        }
        return size
    }

    /// Bytes without a length.
    package mutating func writeRaw(_ raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }

    /// Bytes without a length.
    package mutating func writeRaw(_ raw: [UInt8]) { bytes.append(contentsOf: raw) }

    /// Bytes after their length.
    package mutating func writeBlock(_ raw: UnsafeRawBufferPointer) {
        writeNumber(raw.count)
        bytes.append(contentsOf: raw)
    }

    /// A text after its length in bytes.
    package mutating func writeText(_ text: String) {
        var text = text
        text.withUTF8 { writeBlock(UnsafeRawBufferPointer($0)) }
    }

    /// The bytes of an identity, without a length.
    package mutating func write(_ id: ZenohID) {
        for place in 0..<id.count { bytes.append(id[place]) }
    }

    /// A number of 16 bits, low byte first: the size of a batch.
    package mutating func writeUInt16(_ number: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: number))
        bytes.append(UInt8(truncatingIfNeeded: number >> 8))
    }

    /// Writes a number of 16 bits in place of the two bytes at `offset`.
    package mutating func replaceUInt16(at offset: Int, with number: UInt16) {
        guard offset >= 0, offset + 1 < bytes.count else { return }
        bytes[offset] = UInt8(truncatingIfNeeded: number)
        bytes[offset + 1] = UInt8(truncatingIfNeeded: number >> 8)
    }
}
