import Testing

@testable import ROSBag
import ROSMessages

@Suite struct BagEncoderTests {
    private struct Number: ROSMessage {
        static let typeName = "std_msgs/UInt8"
        static let md5 = "7c8164229e7d2c17eb95e9231617fdee"
        static let definition = "uint8 data\n"
        var data: UInt8 = 0

        init() {}
        init(_ data: UInt8) { self.data = data }
        init(from reader: inout ROSReader) throws(ROSDecodingError) { data = try reader.readUInt8() }
        func write(to writer: inout ROSWriter) { writer.write(data) }
    }

    private static func time(_ seconds: UInt32) -> ROSTime { ROSTime(seconds: seconds, nanoseconds: 5) }

    private static func read(_ bytes: [UInt8]) throws -> [(topic: String, time: ROSTime, bytes: [UInt8])] {
        var reader = ROSBagReader()
        reader.feed(bytes)
        var found: [(String, ROSTime, [UInt8])] = []
        while let message = try reader.next() { found.append((message.connection.topic, message.time, message.bytes)) }
        try reader.finish()
        return found
    }

    private static func bag(chunkBytes: Int, finished: Bool = true) -> [UInt8] {
        var encoder = ROSBagEncoder(chunkBytes: chunkBytes)
        let first = encoder.topic("/a", Number.self, caller: "/test")
        let second = encoder.topic("/b", Number.self, caller: "/test")
        var file = ROSBagEncoder.beginning
        for number: UInt8 in 0..<40 {
            file += encoder.message(on: number % 3 == 0 ? second : first, at: time(UInt32(number)), Number(number))
        }
        guard finished else { return file }
        let ending = encoder.finish()
        file += ending.tail
        file.replaceSubrange(0..<ending.head.count, with: ending.head)
        return file
    }

    @Test(arguments: [1, 100, 1000, ROSBagEncoder.defaultChunkBytes])
    func `what is written is read, whatever the size of a chunk`(chunkBytes: Int) throws {
        let messages = try Self.read(Self.bag(chunkBytes: chunkBytes))
        #expect(messages.map(\.bytes) == (0..<40).map { [UInt8($0)] })
        #expect(messages.map(\.topic) == (0..<40).map { $0 % 3 == 0 ? "/b" : "/a" })
        #expect(messages.map(\.time) == (0..<40).map { Self.time(UInt32($0)) })
    }

    @Test func `a recording that breaks off keeps its whole chunks`() throws {
        let messages = try Self.read(Self.bag(chunkBytes: 1000, finished: false))
        #expect(messages.count > 20 && messages.count < 40)
        #expect(messages.map(\.bytes) == (0..<messages.count).map { [UInt8($0)] })
    }

    @Test func `the head has the same length before and after, and says where the index is`() throws {
        var encoder = ROSBagEncoder()
        let topic = encoder.topic("/a", Number.self, caller: "/test")
        _ = encoder.message(on: topic, at: Self.time(1), Number(1))
        let chunk = encoder.endChunk()
        let ending = encoder.finish()
        // The version's line, and a record of 4096 bytes and its two lengths: what rosbag itself writes.
        let head = 13 + 4096 + 8
        #expect(ROSBagEncoder.beginning.count == head && ending.head.count == head)
        let marker = Array("index_pos=".utf8)
        let at = try #require(ending.head.indices.first { ending.head[$0...].starts(with: marker) }) + marker.count
        let position = (0..<8).reduce(UInt64(0)) { $0 | UInt64(ending.head[at + $1]) << UInt64(8 * $1) }
        #expect(position == UInt64(head + chunk.count))
    }

    @Test func `a bag without messages is a bag, and a topic that is none is passed over`() throws {
        var encoder = ROSBagEncoder()
        #expect(encoder.message(on: 7, at: Self.time(1), Number(1)).isEmpty)
        let ending = encoder.finish()
        #expect(try Self.read(ending.head + ending.tail).isEmpty)
    }
}
