internal import ROSMessages

/// A decoder of the LZ4 frame format (magic 0x184D2204) with linked or independent blocks.
///
/// Checksums are not verified: the bag reader detects damage in the records. The output never exceeds the announced size.
enum LZ4Frame {
    /// - Parameter size: the exact size of the output in bytes.
    /// - Throws: ``ROSError`` with ``ROSError/Code/badBag``.
    static func decode(_ bytes: ArraySlice<UInt8>, size: Int) throws(ROSError) -> [UInt8] {
        var input = Input(bytes)
        guard try input.number(4) == 0x184D_2204 else { throw wrong("not an LZ4 frame") }
        let flags = try input.byte()
        guard flags >> 6 == 1 else { throw wrong("unknown LZ4 version") }
        guard flags & 0x01 == 0 else { throw wrong("it needs an external dictionary") }
        _ = try input.byte()  // the block size, which the output's size bounds
        if flags & 0x08 != 0 { _ = try input.take(8) }
        _ = try input.byte()  // the header's checksum
        let hasBlockChecksums = flags & 0x10 != 0
        var out: [UInt8] = []
        out.reserveCapacity(min(size, bytes.count * 4))
        while true {
            let header = try input.number(4)
            if header == 0 { break }
            let block = try input.take(Int(header & 0x7FFF_FFFF))
            if header & 0x8000_0000 != 0 {
                guard out.count + block.count <= size else { throw wrong("more bytes than announced") }
                out += block
            } else {
                try decodeBlock(block, into: &out, size: size)
            }
            if hasBlockChecksums { _ = try input.take(4) }
        }
        guard out.count == size else { throw wrong("\(out.count) bytes instead of \(size)") }
        return out
    }

    private static func decodeBlock(
        _ block: ArraySlice<UInt8>, into out: inout [UInt8], size: Int
    ) throws(ROSError) {
        var input = Input(block)
        while true {
            let token = try input.byte()
            let literals = try input.take(try input.length(Int(token >> 4)))
            guard out.count + literals.count <= size else { throw wrong("more bytes than announced") }
            out += literals
            if input.isAtEnd { return }
            let distance = Int(try input.number(2))
            let length = try input.length(Int(token & 0x0F)) + 4
            guard distance > 0, distance <= out.count else { throw wrong("a match offset before the beginning") }
            guard out.count + length <= size else { throw wrong("more bytes than announced") }
            // A match may overlap its own output, which repeats a pattern.
            var from = out.count - distance
            for _ in 0..<length {
                out.append(out[from])
                from += 1
            }
        }
    }

    private static func wrong(_ what: String) -> ROSError { ROSError(.badBag, "invalid compressed chunk: \(what)") }

    private struct Input {
        private let bytes: ArraySlice<UInt8>
        private var offset: Int

        init(_ bytes: ArraySlice<UInt8>) {
            self.bytes = bytes
            offset = bytes.startIndex
        }

        var isAtEnd: Bool { offset == bytes.endIndex }

        mutating func byte() throws(ROSError) -> UInt8 {
            guard offset < bytes.endIndex else { throw wrong("cut off") }
            defer { offset += 1 }
            return bytes[offset]
        }

        mutating func take(_ count: Int) throws(ROSError) -> ArraySlice<UInt8> {
            guard count <= bytes.endIndex - offset else { throw wrong("cut off") }
            defer { offset += count }
            return bytes[offset..<offset + count]
        }

        mutating func number(_ count: Int) throws(ROSError) -> UInt32 {
            var value: UInt32 = 0
            for place in 0..<count { value |= UInt32(try byte()) << (8 * UInt32(place)) }
            return value
        }

        /// A length of four bits, extended by whole bytes when all four are set.
        mutating func length(_ nibble: Int) throws(ROSError) -> Int {
            guard nibble == 15 else { return nibble }
            var length = nibble
            while true {
                let more = try byte()
                length += Int(more)
                if more != 255 { return length }
            }
        }
    }
}
