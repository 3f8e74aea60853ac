internal import BagCompression
internal import ROSMessages

/// The records of a chunk, uncompressed, and how far they are read.
struct MCAPChunk: Sendable {
    private let bytes: [UInt8]
    private var offset = 0

    /// No records.
    init() { bytes = [] }

    /// Uncompresses the content of a chunk record, and verifies its checksum if it has one.
    ///
    /// - Throws: `ROSError` with `badBag`.
    init(_ file: [UInt8], _ content: Range<Int>) throws(ROSError) {
        var fields = ROSReader(file, range: content)
        let size: Int
        let checksum: UInt32
        let compression: String
        let packed: ArraySlice<UInt8>
        do throws(ROSDecodingError) {
            // The times of the first and the last message.
            _ = (try fields.readUInt64(), try fields.readUInt64())
            size = Self.bounded(try fields.readUInt64())
            checksum = try fields.readUInt32()
            compression = try fields.readString()
            packed = try fields.readRaw(count: Self.bounded(try fields.readUInt64()))
        } catch { throw ROSError(.badBag, "invalid chunk: \(error.what)") }
        guard size <= MCAPReader.maximumRecordBytes else {
            throw ROSError(.badBag, "a chunk of \(size) bytes exceeds the bound of \(MCAPReader.maximumRecordBytes)")
        }
        bytes = try Self.uncompress(packed, compression, size: size)
        guard checksum == 0 || checksum == MCAPChecksum.of(bytes) else {
            throw ROSError(.badBag, "the chunk is damaged: its CRC-32 does not match")
        }
    }

    /// The next message; schemas and channels before it are added to the directory. `nil` at the end.
    ///
    /// - Throws: `ROSError` with `badBag` and the position in the chunk.
    mutating func next(_ directory: inout MCAPDirectory) throws(ROSError) -> MCAPMessage? {
        while offset < bytes.count {
            let place = offset
            do throws(ROSError) {
                if let message = try take(&directory) { return message }
            } catch {
                throw ROSError(.badBag, "\(error.what), at byte \(place) of a chunk", hint: error.hint)
            }
        }
        return nil
    }

    private mutating func take(_ directory: inout MCAPDirectory) throws(ROSError) -> MCAPMessage? {
        guard let head = MCAPFormat.RecordHead(bytes, at: offset, before: bytes.count) else {
            throw ROSError(.badBag, "a record is truncated")
        }
        let start = offset + MCAPFormat.recordHeadBytes
        guard head.length <= UInt64(bytes.count - start) else {
            throw ROSError(
                .badBag, "a record of \(head.length) bytes is truncated: only \(bytes.count - start) bytes follow")
        }
        let content = start..<start + Int(head.length)
        offset = content.upperBound
        var fields = ROSReader(bytes, range: content)
        switch MCAPFormat.Opcode(rawValue: head.opcode) {
        case .message: return try directory.message(bytes, content)
        case .schema: try directory.addSchema(&fields)
        case .channel: try directory.addChannel(&fields)
        case .chunk: throw ROSError(.badBag, "a chunk within a chunk")
        case nil where head.opcode == 0: throw ROSError(.badBag, "0 is not the opcode of a record")
        case nil, .header, .footer, .messageIndex, .chunkIndex, .attachment, .attachmentIndex, .statistics, .metadata,
            .metadataIndex, .summaryOffset, .dataEnd:
            break
        }
        return nil
    }

    private static func uncompress(
        _ packed: ArraySlice<UInt8>, _ compression: String, size: Int
    ) throws(ROSError) -> [UInt8] {
        switch compression {
        case "":
            guard packed.count == size else {
                throw ROSError(.badBag, "a chunk of \(packed.count) bytes announces \(size)")
            }
            return Array(packed)
        // Some writers compress nothing to nothing.
        case "lz4" where packed.isEmpty && size == 0, "zstd" where packed.isEmpty && size == 0: return []
        case "lz4": return try LZ4Frame.decode(packed, size: size)
        case "zstd": return try ZstdFrame.decode(packed, size: size)
        default:
            throw ROSError(
                .badBag, "chunks compressed with '\(compression)' cannot be read", hint: "lz4 and zstd can be read")
        }
    }

    /// A length that a file announces; one that is no `Int` is larger than everything.
    private static func bounded(_ length: UInt64) -> Int { Int(clamping: length) }
}
