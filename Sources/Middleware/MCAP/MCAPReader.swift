package import ROSMessages

/// An incremental reader of the messages of an MCAP file; bytes may arrive in any split.
///
/// It reads the file sequentially and needs no index, so a file that was cut off is read up to its last whole record. Messages are
/// returned in the order of the file. Chunks may be uncompressed, LZ4 or Zstandard; records of kinds that it does not know, and
/// attachments, are skipped. Checksums are verified where the file has them.
package struct MCAPReader: Sendable {
    /// The largest chunk, message, schema or channel accepted; other records are skipped whatever their size.
    package static let maximumRecordBytes = 256 << 20

    /// What is expected next.
    private enum Section { case magic, header, data, summary, endMagic, end }
    /// What came of an attempt to take a record.
    private enum Step { case incomplete, taken(MCAPMessage?) }

    /// What the file was recorded for: `ros2`, `ros1`, or else. Untrusted; `nil` before the header was read.
    package private(set) var profile: String?
    /// The program that wrote the file. Untrusted; `nil` before the header was read.
    package private(set) var library: String?

    private var directory = MCAPDirectory()
    private var chunk = MCAPChunk()
    private var section = Section.magic
    private var checksum = MCAPChecksum()
    private var buffer: [UInt8] = []
    private var start = 0
    /// The position of `start` in the file.
    private var consumed: UInt64 = 0
    /// The bytes that remain of a record that is skipped, and its position in the file.
    private var skipping: UInt64 = 0
    private var skipped: UInt64 = 0

    package init() {}

    /// Whether a file that begins with this byte may be an MCAP file; no bag does.
    package static func mayBegin(with byte: UInt8) -> Bool { byte == MCAPFormat.magic[0] }

    /// The channels read so far.
    package var channels: [UInt16: MCAPChannel] { directory.channels }

    /// Whether the whole file was read, so that the recording was ended properly.
    package var isFinished: Bool { section == .end }

    /// Appends bytes of the file.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next message; `nil` when more bytes are needed, or at the end.
    ///
    /// - Throws: `ROSError` with `badBag` and the byte offset in the file.
    package mutating func next() throws(ROSError) -> MCAPMessage? {
        while true {
            let place = consumed
            do throws(ROSError) {
                if let message = try chunk.next(&directory) { return message }
            } catch {
                throw ROSError(.badBag, "\(error.what) (the chunk before byte \(place) of the file)", hint: error.hint)
            }
            skip()
            guard skipping == 0 else { return nil }
            switch section {
            case .magic, .endMagic: guard try takeMagic() else { return nil }
            case .end:
                guard start == buffer.count else {
                    throw ROSError(.badBag, "the file does not end behind its footer, at byte \(consumed)")
                }
                return nil
            case .header, .data, .summary:
                do throws(ROSError) {
                    guard case .taken(let message) = try takeRecord() else { return nil }
                    if let message { return message }
                } catch {
                    throw ROSError(
                        .badBag, "\(error.what) (record at byte \(place) of the file)", hint: error.hint)
                }
            }
        }
    }

    /// Checks that the file ended at the end of a record; see ``isFinished``.
    ///
    /// - Throws: `ROSError` with `badBag` when it is truncated; all messages from ``next()`` are valid.
    package func finish() throws(ROSError) {
        guard section != .magic else { throw notAFile }
        guard start == buffer.count, skipping == 0 else {
            let place = skipping > 0 ? skipped : consumed
            throw ROSError(
                .badBag, "the file is truncated inside the record at byte \(place)",
                hint: "the messages before it were read; was the recording interrupted?")
        }
    }

    private var notAFile: ROSError { ROSError(.badBag, "this is not an MCAP file of version 0") }

    private mutating func takeMagic() throws(ROSError) -> Bool {
        let magic = MCAPFormat.magic
        let found = buffer[start...].prefix(magic.count)
        guard found.elementsEqual(magic.prefix(found.count)) else {
            if section == .magic { throw notAFile }
            throw ROSError(.badBag, "the file does not end with the magic of MCAP, at byte \(consumed)")
        }
        guard found.count == magic.count else { return false }
        consume(magic.count)
        section = section == .magic ? .header : .end
        return true
    }

    private mutating func takeRecord() throws(ROSError) -> Step {
        guard let head = MCAPFormat.RecordHead(buffer, at: start, before: buffer.count) else { return .incomplete }
        guard head.opcode != 0 else { throw ROSError(.badBag, "0 is not the opcode of a record") }
        let opcode = MCAPFormat.Opcode(rawValue: head.opcode)
        guard section != .header || opcode == .header else {
            throw ROSError(.badBag, "the file does not begin with a header")
        }
        switch opcode {
        case .header, .footer, .schema, .channel, .message, .chunk, .dataEnd: break
        case nil, .messageIndex, .chunkIndex, .attachment, .attachmentIndex, .statistics, .metadata, .metadataIndex,
            .summaryOffset:
            skipped = consumed
            skipping = head.length
            consume(MCAPFormat.recordHeadBytes)
            return .taken(nil)
        }
        guard head.length <= UInt64(Self.maximumRecordBytes) else {
            throw ROSError(
                .badBag, "a record of \(head.length) bytes exceeds the bound of \(Self.maximumRecordBytes)")
        }
        let content = start + MCAPFormat.recordHeadBytes..<start + MCAPFormat.recordHeadBytes + Int(head.length)
        guard content.upperBound <= buffer.count else { return .incomplete }
        let message = try take(opcode, content)
        consume(content.upperBound - start)
        return .taken(message)
    }

    private mutating func take(
        _ opcode: MCAPFormat.Opcode?, _ content: Range<Int>
    ) throws(ROSError) -> MCAPMessage? {
        var fields = ROSReader(buffer, range: content)
        switch (section, opcode) {
        case (.header, _):
            do throws(ROSDecodingError) {
                profile = try fields.readString()
                library = try fields.readString()
            } catch { throw ROSError(.badBag, "invalid header: \(error.what)") }
            section = .data
        case (_, .header): throw ROSError(.badBag, "a second header")
        case (_, .footer):
            guard content.count == MCAPFormat.footerContentBytes else {
                throw ROSError(.badBag, "a footer of \(content.count) bytes")
            }
            section = .endMagic
        case (.data, .message): return try directory.message(buffer, content)
        case (.data, .chunk): chunk = try MCAPChunk(buffer, content)
        case (.data, .dataEnd):
            do throws(ROSDecodingError) {
                let expected = try fields.readUInt32()
                guard expected == 0 || expected == checksum.value else {
                    throw ROSDecodingError("the CRC-32 of the data does not match", at: 0)
                }
            } catch { throw ROSError(.badBag, "invalid end of the data: \(error.what)") }
            section = .summary
        case (.summary, .message), (.summary, .chunk), (.summary, .dataEnd):
            throw ROSError(.badBag, "a message, a chunk or a second end behind the end of the data")
        case (_, .schema): try directory.addSchema(&fields)
        case (_, .channel): try directory.addChannel(&fields)
        default: break
        }
        return nil
    }

    private mutating func skip() {
        guard skipping > 0 else { return }
        let count = Int(min(skipping, UInt64(buffer.count - start)))
        consume(count)
        skipping -= UInt64(count)
    }

    private mutating func consume(_ count: Int) {
        // Of the data only; its end has been compared before it is consumed.
        if section == .magic || section == .header || section == .data {
            checksum.add(buffer[start..<start + count])
        }
        start += count
        consumed &+= UInt64(count)
    }
}
