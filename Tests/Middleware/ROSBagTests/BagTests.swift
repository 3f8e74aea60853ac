import Testing

@testable import ROSBag
import ROSMessages

@Suite struct BagTests {
    private static func record(_ fields: [(String, [UInt8])], _ data: [UInt8]) -> [UInt8] {
        var header = ROSWriter()
        for (name, value) in fields { header.write(Array((name + "=").utf8) + value) }
        var whole = ROSWriter()
        whole.write(header.bytes)
        whole.write(data)
        return whole.bytes
    }

    private static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static let magic = Array("#ROSBAG V2.0\n".utf8)
    private static let connection = record(
        [("op", [7]), ("conn", little(3)), ("topic", Array("/x".utf8))],
        Array(ConnectionHeader(["topic": "/x", "type": "std_msgs/String", "md5sum": "*"]).encoded[4...]))
    private static func message(_ bytes: [UInt8], seconds: UInt32 = 1) -> [UInt8] {
        record([("op", [2]), ("conn", little(3)), ("time", little(seconds) + little(2))], bytes)
    }
    private static func chunk(_ bytes: [UInt8], compression: String = "none", size: Int? = nil) -> [UInt8] {
        record(
            [("op", [5]), ("compression", Array(compression.utf8)), ("size", little(UInt32(size ?? bytes.count)))],
            bytes)
    }

    private static func read(_ bytes: [UInt8], step: Int = .max) throws -> [[UInt8]] {
        var reader = ROSBagReader()
        var found: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let part = bytes[start...].prefix(step)
            reader.feed(part)
            start += part.count
            while let message = try reader.next() { found.append(message.bytes) }
        }
        try reader.finish()
        return found
    }

    @Test(arguments: [1, 7, 64, .max])
    func `messages are found in any split`(step: Int) throws {
        let bag =
            Self.magic + Self.record([("op", [3]), ("index_pos", [0, 0, 0, 0, 0, 0, 0, 0])], [0x20, 0x20])
            + Self.chunk(Self.connection + Self.message([1]) + Self.message([])) + Self.record([("op", [4])], [9])
            + Self.chunk([]) + Self.chunk(Self.message([2, 3])) + Self.message([4]) + Self.record([("op", [99])], [])
        #expect(try Self.read(bag, step: step) == [[1], [], [2, 3], [4]])
    }

    @Test func `what a message came from is known`() throws {
        var reader = ROSBagReader()
        reader.feed(Self.magic + Self.connection + Self.message([5], seconds: 77))
        let message = try #require(try reader.next())
        #expect(message.connection.topic == "/x")
        #expect(message.connection.header.type == "std_msgs/String")
        #expect(message.time == ROSTime(seconds: 77, nanoseconds: 2))
        var bytes = message.reader
        #expect(try bytes.readUInt8() == 5)
    }

    @Test func `a bag that is cut off gives what is whole`() throws {
        let bag = Self.magic + Self.connection + Self.message([1]) + Self.message([2])
        var reader = ROSBagReader()
        reader.feed(bag.dropLast())
        #expect(try reader.next()?.bytes == [1])
        #expect(try reader.next() == nil)
        let error = #expect(throws: ROSError.self) { try reader.finish() }
        #expect(error?.code == .badBag)
        for count in 0..<bag.count { _ = try? Self.read(Array(bag[..<count])) }
    }

    @Test func `compression that is not read comes with the command that removes it`() {
        for (bytes, hint) in [
            (Self.magic + Self.chunk([], compression: "bz2"), "run: rosbag decompress FILE"),
            (Array("BZh91AY".utf8), "run: bunzip2 FILE"), ([0x1F, 0x8B, 8], "run: gunzip FILE"),
        ] {
            let error = #expect(throws: ROSError.self) { try Self.read(bytes) }
            #expect(error?.hint == hint, "\(String(describing: error))")
        }
    }

    @Test func `what is wrong is named`() {
        let wrong: [([UInt8], String)] = [
            (Array("#ROSBAG V1.2\n".utf8), "not a bag"), ([], "not a bag"), (Array("x".utf8), "not a bag"),
            (Array("BZh91AY".utf8), "compressed with bzip2"), ([0x1F, 0x8B, 8], "compressed with gzip"),
            (Self.magic + Self.message([1]), "without a connection"),
            (Self.magic + Self.chunk([], compression: "bz2"), "bz2"),
            (Self.magic + Self.chunk([1, 2], size: 3), "announces 3"),
            (Self.magic + Self.chunk(Self.chunk([])), "chunk within a chunk"),
            (Self.magic + Self.chunk(Array(Self.connection.dropLast())), "truncated"),
            (Self.magic + Self.record([("op", [3]), ("encryptor", Array("aes".utf8))], []), "encrypted"),
            (Self.magic + Self.little(UInt32(BagRecord.maximumHeaderBytes + 1)), "exceeds the bound"),
            (Self.magic + Self.little(0) + Self.little(.max), "exceeds the bound"),
        ]
        for (bytes, what) in wrong {
            let error = #expect(throws: ROSError.self) { try Self.read(bytes) }
            #expect(error?.what.contains(what) == true, "\(String(describing: error))")
        }
    }
}
