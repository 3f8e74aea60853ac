internal import MCAP
internal import ROS2
internal import ROSBag
package import ROSMessages

/// A message of a recording of either form.
package struct RecordedMessage: Sendable {
    private enum Source: Sendable {
        case bag(ROSBagReader.Message)
        case mcap(MCAPMessage, TypeHash?)
        case row(Row)
    }

    /// A message in a database.
    struct Row: Sendable {
        let topic: String
        let type: String
        /// That of the type; `nil` if it is not in CDR, or not known.
        let hash: TypeHash?
        let nanoseconds: UInt64
        let bytes: [UInt8]
    }

    private let source: Source

    init(_ message: ROSBagReader.Message) { source = .bag(message) }

    /// - Parameter hash: that of the message's type; `nil` if it is not in CDR, or not known.
    init(_ message: MCAPMessage, hash: TypeHash?) { source = .mcap(message, hash) }

    init(_ row: Row) { source = .row(row) }

    /// The topic's name; untrusted.
    package var topic: String {
        switch source {
        case .bag(let message): message.connection.topic
        case .mcap(let message, _): message.channel.topic
        case .row(let row): row.topic
        }
    }

    /// When it was recorded.
    package var time: ROSTime {
        switch source {
        case .bag(let message): message.time
        case .mcap(let message, _): Self.time(message.logTime)
        case .row(let row): Self.time(row.nanoseconds)
        }
    }

    private static func time(_ nanoseconds: UInt64) -> ROSTime {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return ROSTime(seconds: UInt32(clamping: seconds), nanoseconds: UInt32(clamping: rest))
    }

    /// The message, if it is of this type; `nil` for another one, and for another version of it.
    ///
    /// - Throws: `ROSDecodingError` when it does not match its type.
    package func decoded<Message: RecordableMessage>(
        as type: Message.Type = Message.self
    ) throws(ROSDecodingError) -> Message? {
        switch source {
        case .bag(let message):
            let header = message.connection.header
            guard header["type"] == type.typeName, header["md5sum"] == type.md5 else { return nil }
            var reader = message.reader
            return try Message(from: &reader)
        case .mcap(let message, let hash):
            guard hash == type.ros2TypeHash, message.channel.schema?.name == type.ros2TypeName else { return nil }
            var reader = try message.cdr()
            return try Message(from: &reader)
        case .row(let row):
            guard row.hash == type.ros2TypeHash, row.type == type.ros2TypeName else { return nil }
            var reader = try CDRReader(row.bytes)
            return try Message(from: &reader)
        }
    }
}
