internal import BagCompression
package import ROS2
internal import ROSMessages

/// Encodes messages as an MCAP file: chunks with message indexes, and a summary with chunk indexes and statistics.
///
/// It returns bytes and does no file I/O; all are appended to the file in order, ``beginning`` first. A file that was cut off is
/// read up to its last whole chunk by ``MCAPReader``, and repaired for other readers by `mcap recover`.
package struct MCAPEncoder: Sendable {
    /// How chunks are compressed.
    package enum Compression: String, Sendable, CaseIterable {
        /// Not at all.
        case none = ""
        /// As an LZ4 frame.
        case lz4
    }

    private struct Entry: Sendable {
        let time: UInt64
        let offset: UInt64
    }

    private struct Channel: Sendable {
        let schemaID: UInt16
        /// The record.
        let record: [UInt8]
        var messages: UInt64 = 0
    }

    /// The size at which a chunk is ended, that of other writers.
    package static let defaultChunkBytes = 768 * 1024

    /// The first bytes of the file: the magic and the header.
    package let beginning: [UInt8]

    private let compression: Compression
    private let chunkBytes: Int
    private var schemaIDs: [MCAPSchema: UInt16] = [:]
    /// The records of schemas and channels by number, which counts from 1. Those without messages are not written.
    private var schemas: [(record: [UInt8], isWritten: Bool)] = []
    private var channels: [Channel] = []
    private var chunk = MCAPRecordWriter()
    private var entries: [UInt16: [Entry]] = [:]
    private var chunkIndexes: [[UInt8]] = []
    private var position: UInt64
    private var checksum = MCAPChecksum()
    private var first: UInt64?
    private var last: UInt64 = 0

    /// Creates an encoder of an empty file.
    ///
    /// - Parameters:
    ///   - profile: `ros2`: messages in CDR, definitions as `ros2msg`.
    ///   - library: the program that writes the file.
    ///   - chunkBytes: the size at which a chunk is ended.
    package init(
        profile: String = "ros2", library: String, compression: Compression = .none,
        chunkBytes: Int = defaultChunkBytes
    ) {
        self.compression = compression
        self.chunkBytes = max(1, chunkBytes)
        var head = MCAPRecordWriter()
        head.raw(MCAPFormat.magic)
        head.record(.header) {
            $0.text(profile)
            $0.text(library)
        }
        beginning = head.bytes
        position = UInt64(head.bytes.count)
        checksum.add(head.bytes)
    }

    /// Adds a channel.
    ///
    /// - Parameter metadata: of a channel of ROS 2 at least `offered_qos_profiles`, which may be empty.
    /// - Returns: its number, for ``message(on:at:publishedAt:_:)``; zero, which no channel has, after 65,535 channels.
    package mutating func channel(
        _ topic: String, schema: MCAPSchema, messageEncoding: String = "cdr",
        metadata: [String: String] = ["offered_qos_profiles": ""]
    ) -> UInt16 {
        guard let number = UInt16(exactly: channels.count + 1) else { return 0 }
        let schemaID: UInt16
        if let known = schemaIDs[schema] {
            schemaID = known
        } else {
            // There are never more schemas than channels.
            schemaID = UInt16(clamping: schemas.count + 1)
            schemaIDs[schema] = schemaID
            var writer = MCAPRecordWriter()
            writer.record(.schema) {
                $0.numbers(schemaID)
                $0.text(schema.name)
                $0.text(schema.encoding)
                $0.block(schema.data)
            }
            schemas.append((writer.bytes, false))
        }
        var writer = MCAPRecordWriter()
        writer.record(.channel) { content in
            content.numbers(number, schemaID)
            content.text(topic)
            content.text(messageEncoding)
            content.entries(metadata.sorted { $0.key < $1.key }) {
                $0.text($1.key)
                $0.text($1.value)
            }
        }
        channels.append(Channel(schemaID: schemaID, record: writer.bytes))
        return number
    }

    /// Adds a channel of ROS 2 with a type that is generated here.
    ///
    /// - Returns: its number, for ``message(on:at:publishedAt:_:)``.
    package mutating func channel<Message: ROS2Message>(_ topic: String, _ type: Message.Type) -> UInt16 {
        channel(
            topic,
            schema: MCAPSchema(
                name: type.ros2TypeName, encoding: "ros2msg", data: Array(type.ros2Definition.utf8)),
            metadata: ["offered_qos_profiles": "", "topic_type_hash": type.ros2TypeHash.text])
    }

    /// Adds a serialised message.
    ///
    /// - Parameters:
    ///   - time: when it was recorded, nanoseconds since 1970.
    ///   - published: when it was published; at the same time if that is not known.
    /// - Returns: the bytes to append to the file; empty until a chunk is full.
    package mutating func message(
        on number: UInt16, at time: UInt64, publishedAt published: UInt64? = nil, _ bytes: some Collection<UInt8>
    ) -> [UInt8] {
        let index = Int(number) - 1
        guard channels.indices.contains(index) else { return [] }
        if channels[index].messages == 0 {
            let schema = Int(channels[index].schemaID) - 1
            if !schemas[schema].isWritten { chunk.raw(schemas[schema].record) }
            schemas[schema].isWritten = true
            chunk.raw(channels[index].record)
        }
        entries[number, default: []].append(Entry(time: time, offset: UInt64(chunk.bytes.count)))
        let sequence = UInt32(truncatingIfNeeded: channels[index].messages)
        chunk.record(.message) {
            $0.numbers(number, sequence, time, published ?? time)
            $0.raw(bytes)
        }
        channels[index].messages += 1
        first = min(first ?? time, time)
        last = max(last, time)
        return chunk.bytes.count >= chunkBytes ? endChunk() : []
    }

    /// Ends the current chunk, so that its messages are not lost when the program ends.
    ///
    /// - Returns: the bytes to append to the file.
    package mutating func endChunk() -> [UInt8] {
        guard !entries.isEmpty else { return [] }
        let times = entries.values.flatMap { $0.map(\.time) }
        let (first, last) = (times.min() ?? 0, times.max() ?? 0)
        let records = chunk.bytes
        let packed = compression == .lz4 ? LZ4Frame.encode(records) : nil
        let name = (packed == nil ? Compression.none : compression).rawValue
        let data = packed ?? records
        var out = MCAPRecordWriter()
        out.record(.chunk) {
            $0.numbers(first, last, UInt64(records.count), MCAPChecksum.of(records))
            $0.text(name)
            $0.numbers(UInt64(data.count))
            $0.raw(data)
        }
        let chunkLength = out.bytes.count
        var indexes: [(channel: UInt16, position: UInt64)] = []
        for (number, entries) in entries.sorted(by: { $0.key < $1.key }) {
            indexes.append((number, position + UInt64(out.bytes.count)))
            // Sorted by time, since some readers use a binary search.
            let ordered = entries.sorted { ($0.time, $0.offset) < ($1.time, $1.offset) }
            out.record(.messageIndex) { content in
                content.numbers(number)
                content.entries(ordered) { $0.numbers($1.time, $1.offset) }
            }
        }
        var index = MCAPRecordWriter()
        index.record(.chunkIndex) { content in
            content.numbers(first, last, position, UInt64(chunkLength))
            content.entries(indexes) { $0.numbers($1.channel, $1.position) }
            content.numbers(UInt64(out.bytes.count - chunkLength))
            content.text(name)
            content.numbers(UInt64(data.count), UInt64(records.count))
        }
        chunkIndexes.append(index.bytes)
        chunk = MCAPRecordWriter()
        entries = [:]
        position += UInt64(out.bytes.count)
        checksum.add(out.bytes)
        return out.bytes
    }

    /// Finishes the file.
    ///
    /// - Returns: the bytes to append to the file; after them it is complete.
    package mutating func finish() -> [UInt8] {
        var out = MCAPRecordWriter()
        out.raw(endChunk())
        out.record(.dataEnd) { $0.numbers(checksum.value) }
        let start = out.bytes.count
        // Where `out` begins in the file: the last chunk, which is part of it, has been counted already.
        let base = position - UInt64(start - MCAPFormat.recordHeadBytes - 4)
        let used = channels.enumerated().filter { $0.element.messages > 0 }
        var groups: [(MCAPFormat.Opcode, Range<Int>)] = []
        func group(_ opcode: MCAPFormat.Opcode, _ write: (inout MCAPRecordWriter) -> Void) {
            let begin = out.bytes.count
            write(&out)
            if out.bytes.count > begin { groups.append((opcode, begin..<out.bytes.count)) }
        }
        group(.schema) { for schema in schemas where schema.isWritten { $0.raw(schema.record) } }
        group(.channel) { for channel in used { $0.raw(channel.element.record) } }
        group(.statistics) { statistics(used.map { (channel: $0.offset + 1, messages: $0.element.messages) }, to: &$0) }
        group(.chunkIndex) { for index in chunkIndexes { $0.raw(index) } }
        let offsets = out.bytes.count
        for (opcode, range) in groups {
            out.record(.summaryOffset) {
                $0.numbers(opcode.rawValue, base + UInt64(range.lowerBound), UInt64(range.count))
            }
        }
        let footer = out.bytes.count
        out.record(.footer) { $0.numbers(base + UInt64(start), base + UInt64(offsets), UInt32(0)) }
        // Of the summary and of the footer before its last field.
        let sum = MCAPChecksum.of(
            out.bytes[start..<footer + MCAPFormat.recordHeadBytes + MCAPFormat.footerContentBytes - 4])
        out.replaceLast(with: sum)
        out.raw(MCAPFormat.magic)
        return out.bytes
    }

    private func statistics(_ counts: [(channel: Int, messages: UInt64)], to writer: inout MCAPRecordWriter) {
        writer.record(.statistics) { content in
            content.numbers(
                counts.reduce(UInt64(0)) { $0 + $1.messages }, UInt16(clamping: schemas.count { $0.isWritten }),
                UInt32(clamping: counts.count))
            // No attachments, no metadata.
            content.numbers(UInt32(0), UInt32(0), UInt32(clamping: chunkIndexes.count), first ?? 0, last)
            content.entries(counts) { $0.numbers(UInt16(clamping: $1.channel), $1.messages) }
        }
    }
}
