import MCAP
import ROS2
import ROS2Interfaces
import ROSMessages
import Testing

@testable import ROSRecordings

@Suite struct RecordedMessageTests {
    /// A type of both, with a definition of its own.
    private struct Both: ROSMessage, ROS2Message, Equatable {
        static let typeName = "example_msgs/Both"
        static let md5 = "0123456789abcdef0123456789abcdef"
        static let definition = "uint32 data\n"
        static let ros2TypeName = "example_msgs/msg/Both"
        static let ros2TypeHash = TypeHash(1, 2, 3, 4)
        static let ros2Definition = "uint32 data\n"
        var data: UInt32 = 0

        init() {}
        init(_ data: UInt32) { self.data = data }
        init(from reader: inout ROSReader) throws(ROSDecodingError) { data = try reader.readUInt32() }
        init(from reader: inout CDRReader) throws(ROSDecodingError) { data = try reader.readUInt32() }
        func write(to writer: inout ROSWriter) { writer.write(data) }
        func write(to writer: inout CDRWriter) { writer.write(data) }
    }

    /// The same name, another version.
    private struct Other: ROSMessage, ROS2Message {
        static let typeName = Both.typeName
        static let md5 = "ffffffffffffffffffffffffffffffff"
        static let definition = ""
        static let ros2TypeName = Both.ros2TypeName
        static let ros2TypeHash = TypeHash(4, 3, 2, 1)
        static let ros2Definition = ""

        init() {}
        init(from reader: inout ROSReader) throws(ROSDecodingError) {}
        init(from reader: inout CDRReader) throws(ROSDecodingError) {}
        func write(to writer: inout ROSWriter) {}
        func write(to writer: inout CDRWriter) {}
    }

    private static func file(_ format: RecordingFormat, isFinished: Bool = true) -> [UInt8] {
        var encoder = RecordingEncoder(format, program: "test")
        let topic = encoder.topic("/x", Both.self)
        var file = encoder.beginning
        for number: UInt32 in 0..<10 {
            file += encoder.message(on: topic, at: ROSTime(seconds: number, nanoseconds: 5), Both(number))
        }
        guard isFinished else { return file + encoder.endChunk() }
        let ending = encoder.finish()
        file += ending.tail
        file.replaceSubrange(0..<ending.head.count, with: ending.head)
        return file
    }

    private static func read(_ bytes: [UInt8], step: Int = .max) throws -> ([RecordedMessage], RecordingReader) {
        var reader = RecordingReader()
        var found: [RecordedMessage] = []
        for start in stride(from: 0, to: bytes.count, by: min(step, bytes.count)) {
            reader.feed(bytes[start...].prefix(step))
            while let message = try reader.next() { found.append(message) }
        }
        try reader.finish()
        return (found, reader)
    }

    @Test(arguments: RecordingFormat.allCases, [1, .max])
    func `both forms say the same`(format: RecordingFormat, step: Int) throws {
        let (messages, reader) = try Self.read(Self.file(format), step: step)
        #expect(reader.format == format && reader.isFinished)
        #expect(messages.map(\.topic) == Array(repeating: "/x", count: 10))
        #expect(messages.map(\.time) == (0..<10).map { ROSTime(seconds: $0, nanoseconds: 5) })
        #expect(try messages.map { try $0.decoded(as: Both.self) } == (0..<10).map { Both($0) })
        #expect(try messages.allSatisfy { try $0.decoded(as: Other.self) == nil })
    }

    @Test(arguments: RecordingFormat.allCases)
    func `a recording that was not finished is read, and known as such`(format: RecordingFormat) throws {
        let (messages, reader) = try Self.read(Self.file(format, isFinished: false))
        #expect(messages.count == 10 && !reader.isFinished)
    }

    @Test func `an empty file and one of another kind are no recordings`() {
        #expect(throws: ROSError.self) { try RecordingReader().finish() }
        for bytes in [Array("SQLite format 3\0".utf8), [0x89, 0x50, 0x4E, 0x47]] {
            let error = #expect(throws: ROSError.self) { try Self.read(bytes) }
            #expect(error?.what.hasPrefix("this is not") == true)
        }
    }

    /// Other recorders note no hash: the definition in the file has one.
    @Test func `a type is known by its definition, whatever its comments`() throws {
        for (definition, isKnown) in [
            (RclInterfaces.Log.ros2Definition, true), ("# words\n" + RclInterfaces.Log.ros2Definition, true),
            ("uint8 level\n", false), ("what is this", false),
        ] {
            var encoder = MCAPEncoder(library: "test")
            let schema = MCAPSchema(
                name: RclInterfaces.Log.ros2TypeName, encoding: "ros2msg", data: Array(definition.utf8))
            let channel = encoder.channel("/rosout", schema: schema)
            _ = encoder.message(on: channel, at: 1, RclInterfaces.Log().cdr)
            let (messages, _) = try Self.read(encoder.beginning + encoder.finish())
            #expect(try messages.map { try $0.decoded(as: LogOfBoth.self) != nil } == [isKnown], "\(definition)")
        }
    }

    /// ROS 1 has this type by another package's name.
    private struct LogOfBoth: ROSMessage, ROS2Message {
        static let typeName = "none/None"
        static let md5 = "*"
        static let definition = ""
        static let ros2TypeName = RclInterfaces.Log.ros2TypeName
        static let ros2TypeHash = RclInterfaces.Log.ros2TypeHash
        static let ros2Definition = RclInterfaces.Log.ros2Definition

        init() {}
        init(from reader: inout ROSReader) throws(ROSDecodingError) {}
        init(from reader: inout CDRReader) throws(ROSDecodingError) { _ = try RclInterfaces.Log(from: &reader) }
        func write(to writer: inout ROSWriter) {}
        func write(to writer: inout CDRWriter) {}
    }

    @Test func `a message that does not match its type is an error`() throws {
        var encoder = MCAPEncoder(library: "test")
        let channel = encoder.channel("/x", Both.self)
        for bytes in [[], [0, 1, 0, 0, 1], [0, 0, 0, 0, 1, 2, 3, 4]] as [[UInt8]] {
            _ = encoder.message(on: channel, at: .max, bytes)
        }
        let (messages, _) = try Self.read(encoder.beginning + encoder.finish())
        #expect(messages.count == 3)
        for message in messages {
            #expect(message.time.seconds == .max)
            #expect(throws: ROSDecodingError.self) { try message.decoded(as: Both.self) }
        }
    }

    @Test func `a name's end is a format`() {
        #expect(RecordingFormat(path: "a/b.bag") == .bag && RecordingFormat(path: "b.mcap") == .mcap)
        #expect(RecordingFormat(path: "bag") == nil && RecordingFormat(path: "b.mcap.zst") == nil)
    }
}
