import ROS2
import ROSMessages
import Testing

@testable import MCAP

@Suite struct MCAPEncoderTests {
    typealias Bytes = MCAPBytes

    /// Forty messages, each third of them on another topic; two of them are earlier than those before them.
    private static func file(
        chunkBytes: Int = MCAPEncoder.defaultChunkBytes, compression: MCAPEncoder.Compression = .none,
        isFinished: Bool = true
    ) -> [UInt8] {
        var encoder = MCAPEncoder(library: "test", compression: compression, chunkBytes: chunkBytes)
        let first = encoder.channel("/a", Number.self)
        let second = encoder.channel("/b", Number.self)
        // Never used, and so not in the file.
        _ = encoder.channel("/c", schema: MCAPSchema(name: "n", encoding: "ros2msg", data: [1]))
        var file = encoder.beginning
        for number: UInt32 in 0..<40 {
            file += encoder.message(
                on: number % 3 == 0 ? second : first, at: time(number), publishedAt: UInt64(number),
                Number(number).cdr)
        }
        if isFinished { file += encoder.finish() }
        return file
    }

    private static func time(_ number: UInt32) -> UInt64 { 1000 + UInt64(number) - (number % 20 == 19 ? 5 : 0) }

    private static func numbers(_ messages: [MCAPMessage]) throws -> [UInt32] {
        try messages.map { message in
            var reader = try message.cdr()
            return try Number(from: &reader).data
        }
    }

    @Test(arguments: [1, 100, 1000, MCAPEncoder.defaultChunkBytes], MCAPEncoder.Compression.allCases)
    func `what is written is read, whatever the size of a chunk`(
        chunkBytes: Int, compression: MCAPEncoder.Compression
    ) throws {
        let file = Self.file(chunkBytes: chunkBytes, compression: compression)
        for step in [11, .max] {
            let messages = try Bytes.read(file, step: step)
            #expect(try Self.numbers(messages) == Array(0..<40))
            #expect(messages.map(\.channel.topic) == (0..<40).map { $0 % 3 == 0 ? "/b" : "/a" })
            #expect(messages.map(\.logTime) == (0..<40).map { Self.time($0) })
            #expect(messages.map(\.publishTime) == (0..<40).map { $0 })
        }
        let schema = try #require(try Bytes.read(file).first?.channel.schema)
        #expect(schema.name == Number.ros2TypeName && schema.encoding == "ros2msg")
        #expect(schema.text == Number.ros2Definition)
    }

    @Test(arguments: [1, 300, MCAPEncoder.defaultChunkBytes], MCAPEncoder.Compression.allCases)
    func `the index leads to the same messages`(chunkBytes: Int, compression: MCAPEncoder.Compression) throws {
        let file = Self.file(chunkBytes: chunkBytes, compression: compression)
        let index = try Bytes.index(file)
        #expect(index.channels.values.map(\.topic).sorted() == ["/a", "/b"])
        let statistics = try #require(index.statistics)
        #expect(statistics.messages == 40 && statistics.chunks == UInt32(index.chunks.count))
        #expect(statistics.first == 1000 && statistics.last == 1038)
        #expect(statistics.byChannel == [1: 26, 2: 14])
        var found: [UInt32] = []
        for chunk in index.chunks {
            let messages = try index.messages(in: chunk, read: Bytes.reading(file))
            #expect(messages.first?.logTime == chunk.first && messages.last?.logTime == chunk.last)
            #expect(Set(messages.map(\.channel.id)) == Set(chunk.messageIndexes.keys))
            found += try Self.numbers(messages)
        }
        #expect(found.sorted() == Array(0..<40))
        // In one chunk, they are in the order of their times.
        if index.chunks.count == 1 { #expect(found[14...16] == [14, 19, 15]) }
    }

    @Test func `message indexes point to the messages`() throws {
        let file = Self.file(chunkBytes: 300)
        for chunk in try Bytes.index(file).chunks {
            for (channel, position) in chunk.messageIndexes {
                let at = try #require(Int(exactly: position))
                let head = try #require(MCAPFormat.RecordHead(file, at: at, before: file.count))
                #expect(head.opcode == 0x07)
                var fields = ROSReader(file, range: at + 9..<at + 9 + Int(head.length))
                #expect(try fields.readUInt16() == channel)
                let count = try fields.readCount(minimumElementSize: 1) / 16
                #expect(count > 0)
                // The records are behind nine bytes, the four numbers, an empty text and their length.
                let records = Int(chunk.position) + 9 + 28 + 4 + 8
                for _ in 0..<count {
                    let (time, offset) = (try fields.readUInt64(), try fields.readUInt64())
                    let message = try #require(
                        MCAPFormat.RecordHead(file, at: records + Int(offset), before: file.count))
                    #expect(message.opcode == 0x05)
                    var content = ROSReader(file, range: records + Int(offset) + 9..<file.count)
                    #expect(try content.readUInt16() == channel)
                    _ = try content.readUInt32()
                    #expect(try content.readUInt64() == time)
                }
            }
        }
    }

    @Test func `a recording that breaks off keeps its whole chunks`() throws {
        let file = Self.file(chunkBytes: 300, isFinished: false)
        var reader = MCAPReader()
        reader.feed(file)
        var messages: [MCAPMessage] = []
        while let message = try reader.next() { messages.append(message) }
        try reader.finish()
        #expect(!reader.isFinished && messages.count > 20 && messages.count < 40)
        #expect(try Self.numbers(messages) == Array(0..<UInt32(messages.count)))
        #expect(throws: ROSError.self) { try Bytes.index(file) }
    }

    @Test func `a file without messages is a file, and a channel that is none is passed over`() throws {
        var encoder = MCAPEncoder(library: "test")
        #expect(encoder.message(on: 1, at: 1, []).isEmpty && encoder.message(on: 0, at: 1, []).isEmpty)
        let file = encoder.beginning + encoder.finish()
        #expect(try Bytes.read(file).isEmpty)
        let index = try Bytes.index(file)
        #expect(index.chunks.isEmpty && index.channels.isEmpty && index.statistics?.messages == 0)
    }

    @Test func `more channels than there are numbers get none`() {
        var encoder = MCAPEncoder(library: "test")
        let schema = MCAPSchema(name: "n", encoding: "", data: [])
        for number in 1...65_535 where encoder.channel("/a", schema: schema, metadata: [:]) != UInt16(number) {
            Issue.record("channel \(number) has another number")
        }
        #expect(encoder.channel("/a", schema: schema) == 0)
    }
}
