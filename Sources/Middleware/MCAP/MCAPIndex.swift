package import ROSMessages

/// The summary of a whole MCAP file, by which its chunks are found: reads what it needs instead of the whole file.
///
/// It does no I/O itself: `read` returns the bytes in a range of positions in the file, all of them or an error. Records of a
/// message outside of chunks are not found by it, as the specification says.
package struct MCAPIndex: Sendable {
    /// Where a chunk is.
    package struct Chunk: Hashable, Sendable {
        /// The time of its first message, nanoseconds since 1970; zero without messages.
        package let first: UInt64
        /// The time of its last message, nanoseconds since 1970; zero without messages.
        package let last: UInt64
        /// The position of the chunk's record in the file.
        package let position: UInt64
        /// The bytes of the record.
        package let length: UInt64
        /// `lz4`, `zstd`, or empty; untrusted.
        package let compression: String
        /// The channels with messages in the chunk, each with the position of its index; empty if there are no message indexes.
        package let messageIndexes: [UInt16: UInt64]
    }

    /// What a file has, counted by its writer.
    package struct Statistics: Hashable, Sendable {
        /// The number of messages.
        package let messages: UInt64
        /// The number of chunks.
        package let chunks: UInt32
        /// The time of the first message, nanoseconds since 1970; zero without messages.
        package let first: UInt64
        /// The time of the last message, nanoseconds since 1970; zero without messages.
        package let last: UInt64
        /// The number of messages of each channel; empty if it is not known.
        package let byChannel: [UInt16: UInt64]
    }

    /// Reads bytes of the file.
    package typealias Read = (Range<UInt64>) throws(ROSError) -> [UInt8]

    /// The largest summary accepted.
    package static let maximumSummaryBytes = 256 << 20

    /// The chunks in the order of the summary.
    package private(set) var chunks: [Chunk] = []
    /// The statistics, if the file has them.
    package private(set) var statistics: Statistics?
    private var directory = MCAPDirectory()

    /// The channels by their numbers.
    package var channels: [UInt16: MCAPChannel] { directory.channels }

    /// Reads the summary.
    ///
    /// - Parameter fileBytes: the size of the file.
    /// - Throws: `ROSError` with `badBag` and the byte offset in the file; also when it has no summary.
    package init(fileBytes: UInt64, read: Read) throws(ROSError) {
        let magic = UInt64(MCAPFormat.magic.count)
        let endBytes = UInt64(MCAPFormat.endBytes)
        guard fileBytes >= magic + endBytes else { throw Self.unfinished }
        let footerPosition = fileBytes - endBytes
        let end = try Self.read(footerPosition..<fileBytes, read)
        guard let head = MCAPFormat.RecordHead(end, at: 0, before: end.count),
            head.opcode == MCAPFormat.Opcode.footer.rawValue, head.length == UInt64(MCAPFormat.footerContentBytes),
            end.suffix(MCAPFormat.magic.count).elementsEqual(MCAPFormat.magic)
        else { throw Self.unfinished }
        var fields = ROSReader(end, range: MCAPFormat.recordHeadBytes..<end.count)
        let start: UInt64
        let checksum: UInt32
        do throws(ROSDecodingError) {
            start = try fields.readUInt64()
            // Where the offsets of groups of records begin, which only readers of a part of the summary need.
            _ = try fields.readUInt64()
            checksum = try fields.readUInt32()
        } catch { throw ROSError(.badBag, "invalid footer: \(error.what)") }
        guard start != 0 else { throw ROSError(.badBag, "the file has no summary", hint: "read it from the beginning") }
        guard start >= magic, start <= footerPosition,
            footerPosition - start <= UInt64(Self.maximumSummaryBytes)
        else {
            throw ROSError(
                .badBag,
                "the summary at byte \(start) is not within \(Self.maximumSummaryBytes) bytes before the footer at byte "
                    + "\(footerPosition)")
        }
        let summary = try Self.read(start..<footerPosition, read)
        var sum = MCAPChecksum()
        sum.add(summary)
        sum.add(end.prefix(MCAPFormat.recordHeadBytes + MCAPFormat.footerContentBytes - 4))
        guard checksum == 0 || checksum == sum.value else {
            throw ROSError(.badBag, "the summary at byte \(start) is damaged: its CRC-32 does not match")
        }
        // Channels refer to schemas, wherever these stand.
        try forEachRecord(of: summary, at: start) { (index, opcode, fields) throws(ROSError) in
            if opcode == .schema { try index.directory.addSchema(&fields) }
        }
        try forEachRecord(of: summary, at: start) { (index, opcode, fields) throws(ROSError) in
            switch opcode {
            case .channel: try index.directory.addChannel(&fields)
            case .chunkIndex: index.chunks.append(try Self.chunk(&fields, before: start))
            case .statistics: index.statistics = try Self.statistics(&fields)
            default: break
            }
        }
    }

    /// The messages of a chunk, in order of their time of recording.
    ///
    /// - Throws: `ROSError` with `badBag` and the byte offset in the file.
    package func messages(in place: Chunk, read: Read) throws(ROSError) -> [MCAPMessage] {
        do throws(ROSError) {
            let headBytes = UInt64(MCAPFormat.recordHeadBytes)
            let (end, overflow) = place.position.addingReportingOverflow(place.length)
            guard !overflow, place.length >= headBytes,
                place.length - headBytes <= UInt64(MCAPReader.maximumRecordBytes)
            else { throw ROSError(.badBag, "a chunk of \(place.length) bytes is out of bounds") }
            let record = try Self.read(place.position..<end, read)
            guard let head = MCAPFormat.RecordHead(record, at: 0, before: record.count),
                head.opcode == MCAPFormat.Opcode.chunk.rawValue, head.length == place.length - headBytes
            else { throw ROSError(.badBag, "the index says that a chunk is here, and there is none") }
            var chunk = try MCAPChunk(record, MCAPFormat.recordHeadBytes..<record.count)
            var directory = directory
            var messages: [MCAPMessage] = []
            while let message = try chunk.next(&directory) { messages.append(message) }
            // Stable, so that messages of the same time stay in the order of the file.
            return messages.enumerated().sorted { ($0.element.logTime, $0.offset) < ($1.element.logTime, $1.offset) }
                .map(\.element)
        } catch {
            throw ROSError(.badBag, "\(error.what) (record at byte \(place.position) of the file)", hint: error.hint)
        }
    }

    private static let unfinished = ROSError(
        .badBag, "the file does not end with a footer: it is not MCAP, or the recording was interrupted",
        hint: "read it from the beginning")

    private static func read(_ range: Range<UInt64>, _ read: Read) throws(ROSError) -> [UInt8] {
        let bytes = try read(range)
        guard UInt64(bytes.count) == UInt64(range.count) else {
            throw ROSError(.badBag, "\(bytes.count) bytes instead of \(range.count) at byte \(range.lowerBound)")
        }
        return bytes
    }

    private mutating func forEachRecord(
        of summary: [UInt8], at start: UInt64,
        _ body: (inout Self, MCAPFormat.Opcode?, inout ROSReader) throws(ROSError) -> Void
    ) throws(ROSError) {
        var offset = 0
        while offset < summary.count {
            let place = start + UInt64(offset)
            let begin = offset + MCAPFormat.recordHeadBytes
            guard let head = MCAPFormat.RecordHead(summary, at: offset, before: summary.count),
                head.length <= UInt64(summary.count - begin)
            else { throw ROSError(.badBag, "the record at byte \(place) of the file is truncated") }
            offset = begin + Int(head.length)
            var fields = ROSReader(summary, range: begin..<offset)
            do throws(ROSError) {
                try body(&self, MCAPFormat.Opcode(rawValue: head.opcode), &fields)
            } catch {
                throw ROSError(.badBag, "\(error.what) (record at byte \(place) of the file)", hint: error.hint)
            }
        }
    }

    private static func chunk(_ fields: inout ROSReader, before summary: UInt64) throws(ROSError) -> Chunk {
        do throws(ROSDecodingError) {
            let (first, last) = (try fields.readUInt64(), try fields.readUInt64())
            let (position, length) = (try fields.readUInt64(), try fields.readUInt64())
            let indexes = try numbers(&fields)
            _ = try fields.readUInt64()
            let compression = try fields.readString()
            guard position <= summary, length <= summary - position else {
                throw ROSDecodingError(
                    "\(length) bytes at byte \(position), and the data end at byte \(summary)", at: 0)
            }
            return Chunk(
                first: first, last: last, position: position, length: length, compression: compression,
                messageIndexes: indexes)
        } catch { throw ROSError(.badBag, "invalid chunk index: \(error.what)") }
    }

    private static func statistics(_ fields: inout ROSReader) throws(ROSError) -> Statistics {
        do throws(ROSDecodingError) {
            let messages = try fields.readUInt64()
            // The schemas; then the channels, attachments and metadata.
            _ = (try fields.readUInt16(), try fields.readUInt32(), try fields.readUInt32(), try fields.readUInt32())
            let chunks = try fields.readUInt32()
            let (first, last) = (try fields.readUInt64(), try fields.readUInt64())
            return Statistics(
                messages: messages, chunks: chunks, first: first, last: last, byChannel: try numbers(&fields))
        } catch { throw ROSError(.badBag, "invalid statistics: \(error.what)") }
    }

    /// A map of channels to numbers: its length in bytes, then pairs of two and eight bytes.
    private static func numbers(_ fields: inout ROSReader) throws(ROSDecodingError) -> [UInt16: UInt64] {
        let length = try fields.readCount(minimumElementSize: 1)
        guard length.isMultiple(of: 10) else {
            throw ROSDecodingError("a map of \(length) bytes has no whole number of entries", at: 0)
        }
        var numbers: [UInt16: UInt64] = [:]
        for _ in 0..<length / 10 {
            let channel = try fields.readUInt16()
            numbers[channel] = try fields.readUInt64()
        }
        return numbers
    }
}
