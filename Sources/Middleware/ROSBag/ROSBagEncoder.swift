package import ROSMessages

/// Encodes messages as a ROS 1 bag (format 2.0): uncompressed chunks with an index, as `rosbag record` writes them.
///
/// It returns bytes and does no file I/O. All bytes are appended to the file in order, except ``Ending/head``, which replaces
/// the file's first bytes when the recording ends. An unfinished bag is readable without the index (``ROSBagReader``);
/// `rosbag reindex` repairs it for other readers.
package struct ROSBagEncoder: Sendable {
    /// The bytes that finish a bag.
    package struct Ending: Sendable {
        /// The bytes to append.
        package let tail: [UInt8]
        /// The bytes that overwrite the beginning of the file.
        package let head: [UInt8]
    }

    private struct Entry: Sendable {
        let time: ROSTime
        let offset: UInt32
    }

    private struct Chunk: Sendable {
        let position: UInt64
        let first: ROSTime
        let last: ROSTime
        let counts: [(connection: UInt32, count: UInt32)]
    }

    /// The chunk size of `rosbag record`.
    package static let defaultChunkBytes = 768 * 1024

    private let chunkBytes: Int
    /// The connection record of each topic, written before its first message, as rosbag does, and at the end of the bag.
    private var connections: [[UInt8]] = []
    private var chunk: [UInt8] = []
    private var entries: [UInt32: [Entry]] = [:]
    private var announced: Set<UInt32> = []
    private var chunks: [Chunk] = []
    private var written: UInt64

    /// Creates an encoder of an empty bag.
    ///
    /// - Parameter chunkBytes: the size at which a chunk is ended.
    package init(chunkBytes: Int = defaultChunkBytes) {
        self.chunkBytes = max(1, chunkBytes)
        written = UInt64(Self.head(index: 0, connections: 0, chunks: 0).count)
    }

    /// The beginning of the file during the recording.
    package static var beginning: [UInt8] { head(index: 0, connections: 0, chunks: 0) }

    /// Adds a topic.
    ///
    /// - Returns: the topic's number, for ``message(on:at:_:)``.
    package mutating func topic<Message: ROSMessage>(_ name: String, _ type: Message.Type, caller: String) -> UInt32 {
        let number = UInt32(connections.count)
        var header: [UInt8] = []
        Self.field("op", [7], to: &header)
        Self.field("conn", Self.bytes(number), to: &header)
        Self.field("topic", Array(name.utf8), to: &header)
        var data: [UInt8] = []
        Self.field("topic", Array(name.utf8), to: &data)
        Self.field("type", Array(type.typeName.utf8), to: &data)
        Self.field("md5sum", Array(type.md5.utf8), to: &data)
        Self.field("message_definition", Array(type.definition.utf8), to: &data)
        Self.field("callerid", Array(caller.utf8), to: &data)
        connections.append(Self.record(header, data))
        return number
    }

    /// Adds a message.
    ///
    /// - Returns: the bytes to append to the file; empty until a chunk is full.
    package mutating func message(on topic: UInt32, at time: ROSTime, _ message: some ROSMessage) -> [UInt8] {
        guard connections.indices.contains(Int(topic)) else { return [] }
        if announced.insert(topic).inserted { chunk += connections[Int(topic)] }
        entries[topic, default: []].append(Entry(time: time, offset: UInt32(chunk.count)))
        var header: [UInt8] = []
        Self.field("op", [2], to: &header)
        Self.field("conn", Self.bytes(topic), to: &header)
        Self.field("time", Self.bytes(time), to: &header)
        var body = ROSWriter()
        message.write(to: &body)
        chunk += Self.record(header, body.bytes)
        return chunk.count >= chunkBytes ? endChunk() : []
    }

    /// Ends the current chunk, so that its messages are not lost when the program ends.
    ///
    /// - Returns: the bytes to append to the file.
    package mutating func endChunk() -> [UInt8] {
        guard !entries.isEmpty else { return [] }
        var header: [UInt8] = []
        Self.field("op", [5], to: &header)
        Self.field("compression", Array("none".utf8), to: &header)
        Self.field("size", Self.bytes(UInt32(chunk.count)), to: &header)
        var out = Self.record(header, chunk)
        let times = entries.values.flatMap { $0.map(\.time) }
        let sorted = entries.sorted { $0.key < $1.key }
        for (connection, entries) in sorted {
            var header: [UInt8] = []
            Self.field("op", [4], to: &header)
            Self.field("ver", Self.bytes(UInt32(1)), to: &header)
            Self.field("conn", Self.bytes(connection), to: &header)
            Self.field("count", Self.bytes(UInt32(entries.count)), to: &header)
            // Sorted by time, since some readers use a binary search.
            let ordered = entries.sorted { ($0.time, $0.offset) < ($1.time, $1.offset) }
            out += Self.record(header, ordered.flatMap { Self.bytes($0.time) + Self.bytes($0.offset) })
        }
        chunks.append(
            Chunk(
                position: written, first: times.min() ?? ROSTime(), last: times.max() ?? ROSTime(),
                counts: sorted.map { ($0.key, UInt32($0.value.count)) }))
        written += UInt64(out.count)
        chunk = []
        entries = [:]
        return out
    }

    /// Finishes the bag.
    package mutating func finish() -> Ending {
        var tail = endChunk()
        let index = written
        for connection in connections { tail += connection }
        for chunk in chunks {
            var header: [UInt8] = []
            Self.field("op", [6], to: &header)
            Self.field("ver", Self.bytes(UInt32(1)), to: &header)
            Self.field("chunk_pos", Self.bytes(chunk.position), to: &header)
            Self.field("start_time", Self.bytes(chunk.first), to: &header)
            Self.field("end_time", Self.bytes(chunk.last), to: &header)
            Self.field("count", Self.bytes(UInt32(chunk.counts.count)), to: &header)
            tail += Self.record(header, chunk.counts.flatMap { Self.bytes($0.connection) + Self.bytes($0.count) })
        }
        return Ending(
            tail: tail,
            head: Self.head(index: index, connections: UInt32(connections.count), chunks: UInt32(chunks.count)))
    }

    /// The first line and the bag header record, which is padded with blanks so that it can be overwritten. Header and padding
    /// have 4096 bytes without the two lengths: `rosbag reindex` always writes a header of that size.
    private static func head(index: UInt64, connections: UInt32, chunks: UInt32) -> [UInt8] {
        var header: [UInt8] = []
        field("op", [3], to: &header)
        field("index_pos", bytes(index), to: &header)
        field("conn_count", bytes(connections), to: &header)
        field("chunk_count", bytes(chunks), to: &header)
        let blanks = Array(repeating: UInt8(ascii: " "), count: 4096 - header.count)
        return Array("#ROSBAG V2.0\n".utf8) + record(header, blanks)
    }

    private static func record(_ header: [UInt8], _ data: [UInt8]) -> [UInt8] {
        bytes(UInt32(header.count)) + header + bytes(UInt32(data.count)) + data
    }

    private static func field(_ name: String, _ value: [UInt8], to header: inout [UInt8]) {
        header += bytes(UInt32(name.utf8.count + 1 + value.count))
        header += name.utf8
        header.append(UInt8(ascii: "="))
        header += value
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func bytes(_ time: ROSTime) -> [UInt8] { bytes(time.seconds) + bytes(time.nanoseconds) }
}
