internal import CZlib

/// A CRC-32 as zlib has it. In a file, zero means that there is none.
struct MCAPChecksum: Hashable, Sendable {
    /// Of all bytes so far.
    private(set) var value: UInt32 = 0

    /// The checksum of some bytes.
    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var sum = Self()
        sum.add(bytes)
        return sum.value
    }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        let added: Void? = bytes.withContiguousStorageIfAvailable { add(buffer: $0) }
        if added == nil { Array(bytes).withUnsafeBufferPointer { add(buffer: $0) } }
    }

    private mutating func add(buffer: UnsafeBufferPointer<UInt8>) {
        // Without bytes zlib would begin again.
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return }
        value = UInt32(truncatingIfNeeded: crc32_z(uLong(value), start, z_size_t(buffer.count)))
    }
}
