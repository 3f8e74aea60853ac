package import ROS2
package import ROSMessages

/// The definition of the messages of a channel.
package struct MCAPSchema: Hashable, Sendable {
    /// The type's name, `sensor_msgs/msg/Range` for instance; untrusted.
    package let name: String
    /// The form of the definition: `ros2msg`, `ros2idl`, `ros1msg` and others.
    package let encoding: String
    /// The definition.
    package let data: [UInt8]

    package init(name: String, encoding: String, data: [UInt8]) {
        self.name = name
        self.encoding = encoding
        self.data = data
    }

    /// The definition as text; untrusted.
    package var text: String { String(decoding: data, as: UTF8.self) }
}

/// What was recorded on a topic with one type.
package struct MCAPChannel: Hashable, Sendable {
    /// The channel's number in the file.
    package let id: UInt16
    /// The topic's name; untrusted.
    package let topic: String
    /// How messages are serialised: `cdr` in ROS 2.
    package let messageEncoding: String
    /// The definition; `nil` if the file has none.
    package let schema: MCAPSchema?
    /// More of it, such as the hash of the type; untrusted.
    package let metadata: [String: String]
}

/// A recorded message.
package struct MCAPMessage: Sendable {
    /// The channel on which it was recorded.
    package let channel: MCAPChannel
    /// The publisher's number of the message, or the recorder's.
    package let sequence: UInt32
    /// When it was recorded, nanoseconds since 1970.
    package let logTime: UInt64
    /// When it was published, nanoseconds since 1970; the time of recording if that is not known.
    package let publishTime: UInt64
    private let storage: [UInt8]
    private let range: Range<Int>

    init(
        channel: MCAPChannel, sequence: UInt32, logTime: UInt64, publishTime: UInt64, storage: [UInt8],
        range: Range<Int>
    ) {
        self.channel = channel
        self.sequence = sequence
        self.logTime = logTime
        self.publishTime = publishTime
        self.storage = storage
        self.range = range
    }

    /// The serialised message.
    package var bytes: [UInt8] { Array(storage[range]) }

    /// A reader of a message of ROS 2, without a copy.
    ///
    /// - Throws: `ROSDecodingError` when it is not in little-endian CDR.
    package func cdr() throws(ROSDecodingError) -> CDRReader { try CDRReader(storage, range: range) }
}

/// The schemas and channels of a file, as far as they are known.
struct MCAPDirectory: Sendable {
    private(set) var schemas: [UInt16: MCAPSchema] = [:]
    private(set) var channels: [UInt16: MCAPChannel] = [:]

    /// Adds the content of a schema record. Number zero is invalid and ignored.
    mutating func addSchema(_ fields: inout ROSReader) throws(ROSError) {
        do throws(ROSDecodingError) {
            let id = try fields.readUInt16()
            let (name, encoding) = (try fields.readString(), try fields.readString())
            let schema = MCAPSchema(name: name, encoding: encoding, data: try fields.readArray())
            guard id != 0 else { return }
            guard schemas[id] == nil || schemas[id] == schema else {
                throw ROSDecodingError("schema \(id) is defined twice, differently", at: 0)
            }
            schemas[id] = schema
        } catch { throw ROSError(.badBag, "invalid schema: \(error.what)") }
    }

    /// Adds the content of a channel record.
    mutating func addChannel(_ fields: inout ROSReader) throws(ROSError) {
        do throws(ROSDecodingError) {
            let (id, schemaID) = (try fields.readUInt16(), try fields.readUInt16())
            let (topic, encoding) = (try fields.readString(), try fields.readString())
            let metadata = try Self.texts(&fields)
            guard schemaID == 0 || schemas[schemaID] != nil else {
                throw ROSDecodingError("channel \(id) has schema \(schemaID), which is not defined", at: 0)
            }
            let channel = MCAPChannel(
                id: id, topic: topic, messageEncoding: encoding, schema: schemas[schemaID], metadata: metadata)
            guard channels[id] == nil || channels[id] == channel else {
                throw ROSDecodingError("channel \(id) is defined twice, differently", at: 0)
            }
            channels[id] = channel
        } catch { throw ROSError(.badBag, "invalid channel: \(error.what)") }
    }

    /// The message of a message record in this range.
    func message(_ bytes: [UInt8], _ content: Range<Int>) throws(ROSError) -> MCAPMessage {
        var fields = ROSReader(bytes, range: content)
        do throws(ROSDecodingError) {
            let (id, sequence) = (try fields.readUInt16(), try fields.readUInt32())
            let (logTime, publishTime) = (try fields.readUInt64(), try fields.readUInt64())
            guard let channel = channels[id] else {
                throw ROSDecodingError("its channel \(id) is not defined before it", at: 0)
            }
            return MCAPMessage(
                channel: channel, sequence: sequence, logTime: logTime, publishTime: publishTime, storage: bytes,
                range: fields.offset..<content.upperBound)
        } catch { throw ROSError(.badBag, "invalid message: \(error.what)") }
    }

    /// A map of texts: its length in bytes, then keys and values.
    private static func texts(_ fields: inout ROSReader) throws(ROSDecodingError) -> [String: String] {
        let length = try fields.readCount(minimumElementSize: 1)
        let end = fields.offset + length
        var texts: [String: String] = [:]
        while fields.offset < end {
            let key = try fields.readString()
            texts[key] = try fields.readString()
        }
        guard fields.offset == end else { throw ROSDecodingError("its metadata have another length", at: 0) }
        return texts
    }
}
