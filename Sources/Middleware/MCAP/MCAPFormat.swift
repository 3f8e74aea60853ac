/// What every MCAP file (version 0) consists of: the magic, records, the magic again. The specification is at
/// https://mcap.dev/spec; all numbers are little-endian.
enum MCAPFormat {
    /// The first and the last bytes of a file; the character behind the name is the version.
    static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
    /// An opcode of one byte, and a length of eight.
    static let recordHeadBytes = 9
    /// Two positions and a checksum.
    static let footerContentBytes = 20
    /// The footer with the magic behind it: the end of every whole file.
    static let endBytes = recordHeadBytes + footerContentBytes + magic.count

    /// The kinds of records. Others are skipped.
    enum Opcode: UInt8 {
        case header = 0x01
        case footer = 0x02
        case schema = 0x03
        case channel = 0x04
        case message = 0x05
        case chunk = 0x06
        case messageIndex = 0x07
        case chunkIndex = 0x08
        case attachment = 0x09
        case attachmentIndex = 0x0A
        case statistics = 0x0B
        case metadata = 0x0C
        case metadataIndex = 0x0D
        case summaryOffset = 0x0E
        case dataEnd = 0x0F
    }

    /// The beginning of a record.
    struct RecordHead {
        /// The opcode, known or not.
        let opcode: UInt8
        /// The bytes of the content; the file's word, not compared with anything yet.
        let length: UInt64

        /// The head at a position; `nil` when it is incomplete.
        init?(_ bytes: [UInt8], at offset: Int, before end: Int) {
            guard offset >= 0, end <= bytes.count, end - offset >= MCAPFormat.recordHeadBytes else { return nil }
            opcode = bytes[offset]
            length = bytes[(offset + 1)..<(offset + MCAPFormat.recordHeadBytes)].reversed()
                .reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
