internal import BagCompression
package import ROSMessages

/// An incremental reader of the messages of a ROS 1 bag (format 2.0); bytes may arrive in any split.
///
/// It reads the file sequentially and needs no index, so an unfinished bag is read up to its end. Messages are returned
/// in the order of recording. Chunks may be uncompressed, LZ4 or bzip2.
package struct ROSBagReader: Sendable {
    /// A recorded topic of one node.
    package struct Connection: Hashable, Sendable {
        /// The connection's number in the bag.
        package let id: UInt32
        /// The topic's name in the bag.
        package let topic: String
        /// The publisher's header: type, MD5 sum, definition and more.
        package let header: ConnectionHeader
    }

    /// A recorded message.
    package struct Message: Sendable {
        /// The connection on which it was recorded.
        package let connection: Connection
        /// The time of reception.
        package let time: ROSTime
        private let storage: [UInt8]
        private let range: Range<Int>

        init(connection: Connection, time: ROSTime, storage: [UInt8], range: Range<Int>) {
            self.connection = connection
            self.time = time
            self.storage = storage
            self.range = range
        }

        /// The serialised message.
        package var bytes: [UInt8] { Array(storage[range]) }

        /// A reader of the serialised message, without a copy.
        package var reader: ROSReader { ROSReader(storage, range: range) }
    }

    /// The largest chunk or message accepted; rosbag's chunks have 768 kB by default.
    package static let maximumRecordBytes = 256 << 20
    /// The most connections accepted; no real graph has as many.
    package static let maximumConnections = 65_536

    private static let magic = Array("#ROSBAG V2.0\n".utf8)

    /// The connections read so far.
    package private(set) var connections: [UInt32: Connection] = [:]

    /// Whether the recording was finished, so that the bag has an index; known after the first record.
    package private(set) var hasIndex: Bool?

    private var buffer: [UInt8] = []
    private var start = 0
    private var consumed = 0
    private var sawMagic = false
    private var chunk: [UInt8] = []
    private var chunkOffset = 0

    package init() {}

    /// Appends bytes of the file.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next message; `nil` when more bytes are needed.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/badBag`` and the byte offset in the file.
    package mutating func next() throws(ROSError) -> Message? {
        while true {
            if let message = try nextInChunk() { return message }
            guard try takeMagic() else { return nil }
            let place = consumed
            do throws(ROSError) {
                guard
                    let record = try BagRecord(
                        in: buffer, range: start..<buffer.count, maximumData: Self.maximumRecordBytes)
                else { return nil }
                consumed += record.data.upperBound - start
                start = record.data.upperBound
                if let message = try take(record, of: buffer, mayBeChunk: true) { return message }
            } catch {
                throw ROSError(.badBag, "\(error.what) (record at byte \(place) of the bag)", hint: error.hint)
            }
        }
    }

    /// Checks that the file ended at the end of a record.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/badBag`` when it is truncated; all messages from ``next()`` are valid.
    package func finish() throws(ROSError) {
        guard sawMagic else { throw notABag }
        guard start == buffer.count else {
            throw ROSError(
                .badBag, "the bag is truncated inside the record at byte \(consumed)",
                hint: "the messages before it were read; was the recording interrupted?")
        }
    }

    private var notABag: ROSError {
        if buffer.starts(with: Array("BZh".utf8)) {
            return ROSError(.badBag, "this is not a bag: it is compressed with bzip2", hint: "run: bunzip2 FILE")
        }
        if buffer.starts(with: [0x1F, 0x8B]) {
            return ROSError(.badBag, "this is not a bag: it is compressed with gzip", hint: "run: gunzip FILE")
        }
        if buffer.isEmpty { return ROSError(.badBag, "the file is empty") }
        // Formats 1.1 and 1.2, and that before them.
        if buffer.starts(with: Array("#ROS".utf8)) {
            return ROSError(
                .badBag, "this is not a bag of format 2.0", hint: "old bags are converted by: rosbag fix OLD NEW")
        }
        return ROSError(
            .badBag, "this is not a recording, or it is damaged: it begins neither as a ROS bag nor as an MCAP file")
    }

    private mutating func takeMagic() throws(ROSError) -> Bool {
        guard !sawMagic else { return true }
        guard buffer.prefix(Self.magic.count).elementsEqual(Self.magic.prefix(buffer.count)) else { throw notABag }
        guard buffer.count >= Self.magic.count else { return false }
        sawMagic = true
        start = Self.magic.count
        consumed = start
        return true
    }

    private mutating func nextInChunk() throws(ROSError) -> Message? {
        while chunkOffset < chunk.count {
            let place = chunkOffset
            guard
                let record = try BagRecord(
                    in: chunk, range: chunkOffset..<chunk.count, maximumData: Self.maximumRecordBytes)
            else {
                throw ROSError(.badBag, "a record is truncated at byte \(place) of the chunk before byte \(consumed)")
            }
            chunkOffset = record.data.upperBound
            if let message = try take(record, of: chunk, mayBeChunk: false) { return message }
        }
        return nil
    }

    private mutating func take(
        _ record: BagRecord, of bytes: [UInt8], mayBeChunk: Bool
    ) throws(ROSError) -> Message? {
        switch record.kind {
        case .message:
            guard let id = record.connection, let time = record.time, let connection = connections[id] else {
                throw ROSError(.badBag, "a message without a connection or a time")
            }
            return Message(connection: connection, time: time, storage: bytes, range: record.data)
        case .connection:
            guard let id = record.connection, let topic = record.topic else {
                throw ROSError(.badBag, "a connection without number or topic")
            }
            guard connections.count < Self.maximumConnections || connections[id] != nil else {
                throw ROSError(.badBag, "more than \(Self.maximumConnections) connections")
            }
            connections[id] = Connection(
                id: id, topic: topic, header: try ConnectionHeader(decoding: bytes[record.data]))
        case .bagHeader:
            if let encryptor = record.encryptor, !encryptor.isEmpty {
                throw ROSError(.badBag, "the bag is encrypted with '\(encryptor)', which cannot be read")
            }
            hasIndex = record.indexPosition.map { $0 != 0 }
        case .chunk:
            guard mayBeChunk else { throw ROSError(.badBag, "a chunk within a chunk") }
            chunk = try Self.inflate(record, of: bytes)
            chunkOffset = 0
        case .index, .chunkInfo, nil: break
        }
        return nil
    }

    private static func inflate(_ record: BagRecord, of bytes: [UInt8]) throws(ROSError) -> [UInt8] {
        let size = Int(record.uncompressedSize ?? 0)
        guard size <= maximumRecordBytes else {
            throw ROSError(.badBag, "a chunk of \(size) bytes exceeds the bound of \(maximumRecordBytes)")
        }
        switch record.compression {
        case "none":
            guard size == record.data.count else {
                throw ROSError(.badBag, "a chunk of \(record.data.count) bytes announces \(size)")
            }
            return Array(bytes[record.data])
        case "lz4": return try LZ4Frame.decode(bytes[record.data], size: size)
        case "bz2": return try BZ2Block.decode(bytes[record.data], size: size)
        case let other:
            throw ROSError(
                .badBag, "chunks compressed with '\(other ?? "")' cannot be read", hint: "run: rosbag decompress FILE")
        }
    }
}
