internal import ROS2
package import ROSMessages

/// A file of a bag of ROS 2 with the storage `sqlite3`, read in the order of time; blocks on the disk.
///
/// The database is opened for reading only. Bags before Jazzy's have no hashes and no definitions: their messages are only counted.
package final class SQLiteBag {
    /// The largest text or message accepted.
    package static let maximumBytes: Int32 = 256 << 20
    /// The most topics accepted.
    package static let maximumTopics = 65_536

    private static let row: Int32 = 100
    private static let done: Int32 = 101

    private struct Topic {
        let name: String
        let type: String
        let hash: TypeHash?
    }

    private let library: SQLiteLibrary
    private var database: OpaquePointer?
    private var messages: OpaquePointer?
    private var topics: [Int64: Topic] = [:]

    /// Whether a file is one of these, by its name, which `ros2 bag` chooses.
    package static func isOne(_ path: String) -> Bool { path.hasSuffix(".db3") }

    /// Opens a file.
    ///
    /// - Throws: `ROSError` with `badBag`.
    package init(path: String) throws(ROSError) {
        library = try SQLiteLibrary.loaded.get()
        // Read only, for one thread.
        let status = library.open(path, &database, 0x0000_8001, nil)
        guard status == 0 else { throw wrong() }
        // The length of texts and blobs.
        _ = library.limit(database, 0, Self.maximumBytes)
        try readTopics()
        messages = try prepare("SELECT topic_id, timestamp, data FROM messages ORDER BY timestamp, id")
    }

    deinit {
        _ = library.finalize(messages)
        _ = library.close(database)
    }

    /// The next message; `nil` at the end.
    ///
    /// - Throws: `ROSError` with `badBag`.
    package func next() throws(ROSError) -> RecordedMessage? {
        while try step(messages) {
            guard let topic = topics[library.columnNumber(messages, 0)] else { continue }
            return RecordedMessage(
                RecordedMessage.Row(
                    topic: topic.name, type: topic.type, hash: topic.hash,
                    nanoseconds: UInt64(clamping: library.columnNumber(messages, 1)), bytes: bytes(messages, 2)))
        }
        return nil
    }

    private func readTopics() throws(ROSError) {
        let hash = try has("topics", "type_description_hash") ? "type_description_hash" : "''"
        let statement = try prepare("SELECT id, name, type, serialization_format, \(hash) FROM topics")
        defer { _ = library.finalize(statement) }
        while try step(statement) {
            guard topics.count < Self.maximumTopics else {
                throw ROSError(.badBag, "more than \(Self.maximumTopics) topics")
            }
            let isCDR = text(statement, 3) == "cdr"
            topics[library.columnNumber(statement, 0)] = Topic(
                name: text(statement, 1), type: text(statement, 2), hash: isCDR ? TypeHash(text(statement, 4)) : nil)
        }
    }

    private func has(_ table: String, _ column: String) throws(ROSError) -> Bool {
        let statement = try prepare("SELECT 1 FROM pragma_table_info('\(table)') WHERE name = '\(column)'")
        defer { _ = library.finalize(statement) }
        return try step(statement)
    }

    private func prepare(_ query: String) throws(ROSError) -> OpaquePointer? {
        var statement: OpaquePointer?
        guard library.prepare(database, query, -1, &statement, nil) == 0 else { throw wrong() }
        return statement
    }

    /// Whether there is one more row.
    private func step(_ statement: OpaquePointer?) throws(ROSError) -> Bool {
        switch library.step(statement) {
        case Self.row: return true
        case Self.done: return false
        default: throw wrong()
        }
    }

    private func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
        String(decoding: bytes(statement, column), as: UTF8.self)
    }

    /// A copy: the library's own bytes are valid until the next row.
    private func bytes(_ statement: OpaquePointer?, _ column: Int32) -> [UInt8] {
        let start = library.columnBytes(statement, column)
        let count = Int(library.columnSize(statement, column))
        return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : max(0, count)))
    }

    private func wrong() -> ROSError {
        let reason = library.message(database).map { String(cString: $0) } ?? "out of memory"
        return ROSError(.badBag, "the database of the bag cannot be read: \(reason)")
    }
}
