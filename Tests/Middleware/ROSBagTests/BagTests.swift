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
    /// A message of one byte, 1, and one of a hundred times 2 and 3, as Python's bz2 compresses them: 293 bytes.
    private static let packed: [UInt8] = {
        let digits = """
            425a6839314159265359889af3dd00008459847c22010000020a23c400004020005425400033502a508641a056b3ec355d76
            17c40dd436904a96212ca28b67638c54610e50422c488c3e2ee48a70a1211135e7ba
            """.filter { !$0.isNewline }
        return stride(from: 0, to: digits.count, by: 2).compactMap { start in
            UInt8(digits.dropFirst(start).prefix(2), radix: 16)
        }
    }()

    /// The same with one bit turned around in its checksum.
    private static let damaged: [UInt8] = {
        var bytes = packed
        bytes[10] ^= 1
        return bytes
    }()

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

    @Test func `chunks of bzip2 are read`() throws {
        let bag = Self.magic + Self.connection + Self.chunk(Self.packed, compression: "bz2", size: 293)
        let pairs = (0..<100).flatMap { _ in [2, 3] as [UInt8] }
        #expect(try Self.read(bag + Self.message([4])) == [[1], pairs, [4]])
    }

    @Test func `compression that is not read comes with the command that removes it`() {
        for (bytes, hint) in [
            (Self.magic + Self.chunk([], compression: "xz"), "run: rosbag decompress FILE"),
            (Array("BZh91AY".utf8), "run: bunzip2 FILE"), ([0x1F, 0x8B, 8], "run: gunzip FILE"),
        ] {
            let error = #expect(throws: ROSError.self) { try Self.read(bytes) }
            #expect(error?.hint == hint, "\(String(describing: error))")
        }
    }

    @Test func `what is wrong is named`() {
        let wrong: [([UInt8], String)] = [
            (Array("#ROSBAG V1.2\n".utf8), "not a bag of format 2.0"), ([], "the file is empty"),
            (Array("x".utf8), "neither as a ROS bag nor as an MCAP file"),
            (Array("BZh91AY".utf8), "compressed with bzip2"), ([0x1F, 0x8B, 8], "compressed with gzip"),
            (Self.magic + Self.message([1]), "without a connection"),
            (Self.magic + Self.chunk([], compression: "xz"), "xz"),
            (Self.magic + Self.chunk(Array("none at all".utf8), compression: "bz2"), "not bzip2"),
            (Self.magic + Self.chunk(Self.packed, compression: "bz2", size: 200), "more bytes than announced"),
            (Self.magic + Self.chunk(Self.packed, compression: "bz2", size: 294), "293 bytes instead of 294"),
            (Self.magic + Self.chunk(Array(Self.packed.dropLast(9)), compression: "bz2", size: 293), "cut off"),
            (Self.magic + Self.chunk(Self.damaged, compression: "bz2", size: 293), "damaged"),
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
