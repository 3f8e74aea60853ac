/// Writes records of an MCAP file: numbers little-endian, lengths in front.
struct MCAPRecordWriter: Sendable {
    /// The bytes written so far.
    private(set) var bytes: [UInt8] = []

    /// A record: its opcode, the length of its content, and the content.
    mutating func record(_ opcode: MCAPFormat.Opcode, _ content: (inout Self) -> Void) {
        bytes.append(opcode.rawValue)
        counted(UInt64.self, content)
    }

    /// Numbers, one behind the other.
    mutating func numbers<each Number: FixedWidthInteger>(_ numbers: repeat each Number) {
        for number in repeat each numbers {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
    }

    /// Text behind its length.
    mutating func text(_ text: String) { block(text.utf8) }

    /// Bytes behind their length.
    mutating func block(_ block: some Collection<UInt8>) { counted(UInt32.self) { $0.raw(block) } }

    /// Bytes.
    mutating func raw(_ raw: some Collection<UInt8>) { bytes.append(contentsOf: raw) }

    /// The entries of a map or an array behind their length in bytes.
    mutating func entries<Entry>(_ entries: some Sequence<Entry>, _ write: (inout Self, Entry) -> Void) {
        counted(UInt32.self) { content in
            for entry in entries { write(&content, entry) }
        }
    }

    /// Overwrites the last four bytes.
    mutating func replaceLast(with number: UInt32) {
        guard bytes.count >= 4 else { return }
        bytes.removeLast(4)
        numbers(number)
    }

    /// What `content` writes, behind its length.
    private mutating func counted<Length: FixedWidthInteger>(_ type: Length.Type, _ content: (inout Self) -> Void) {
        let place = bytes.count
        numbers(Length.zero)
        let start = bytes.count
        content(&self)
        let length = Length(clamping: bytes.count - start)
        withUnsafeBytes(of: length.littleEndian) { length in
            for (index, byte) in length.enumerated() { bytes[place + index] = byte }
        }
    }
}
