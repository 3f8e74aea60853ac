import ROS2
import ROSMessages
import Testing

@testable import MCAP

@Suite struct MCAPReaderTests {
    typealias Bytes = MCAPBytes

    private static let begun = Bytes.magic + Bytes.header
    private static let defined = begun + Bytes.schema + Bytes.channel
    private static let ended = Bytes.dataEnd() + Bytes.footer() + Bytes.magic

    @Test(arguments: [1, 7, 64, .max])
    func `messages are found in any split`(step: Int) throws {
        let file =
            Self.begun + Bytes.chunk(Bytes.schema + Bytes.channel + Bytes.message([1]) + Bytes.message([]))
            + Bytes.record(0x07, [1, 2, 3]) + Bytes.chunk([]) + Bytes.record(0x09, [UInt8](repeating: 5, count: 999))
            + Bytes.record(0x90, [4]) + Bytes.chunk(Bytes.record(0x91, [1]) + Bytes.message([2, 3]))
            + Bytes.message([4]) + Self.ended
        #expect(try Bytes.read(file, step: step).map(\.bytes) == [[1], [], [2, 3], [4]])
    }

    @Test func `what a message came from is known`() throws {
        var reader = MCAPReader()
        reader.feed(Self.defined + Bytes.message([0, 1, 0, 0, 5, 0, 0, 0], time: 77))
        let message = try #require(try reader.next())
        #expect(reader.profile == "ros2" && reader.library == "by hand")
        #expect(message.channel.topic == "/x" && message.channel.messageEncoding == "cdr")
        #expect(message.channel.metadata == ["k": ""])
        let schema = try #require(message.channel.schema)
        #expect(schema.name == "std_msgs/msg/UInt8" && schema.encoding == "ros2msg" && schema.text == "uint8 data")
        #expect(message.sequence == 9 && message.logTime == 77 && message.publishTime == 78)
        var numbers = try message.cdr()
        #expect(try numbers.readUInt32() == 5)
        #expect(reader.channels[3] == message.channel)
    }

    @Test func `fields that later versions add are ignored, and so is a schema with number zero`() throws {
        let schema = Bytes.schema(1, name: "a", more: [1, 2, 3])
        let zero = Bytes.schema(0, name: "z")
        let schemaless = Bytes.record(
            0x04,
            Bytes.joined(
                Bytes.little(UInt16(3)), Bytes.little(UInt16(0)), Bytes.text("/y"), Bytes.text("json"),
                Bytes.little(UInt32(0)), [9]))
        let file = Self.begun + schema + zero + schemaless + Bytes.message([6]) + Bytes.footer() + Bytes.magic
        let found = try Bytes.read(file)
        #expect(found.map(\.bytes) == [[6]])
        #expect(found.first?.channel.schema == nil)
    }

    @Test func `a file that is cut off anywhere gives the records that are whole`() throws {
        let one = Self.defined + Bytes.message([1])
        let two = one + Bytes.chunk(Bytes.message([2]))
        let file = two + Bytes.record(0x09, [1, 2, 3, 4]) + Self.ended
        for count in 0..<file.count {
            var reader = MCAPReader()
            reader.feed(file[..<count])
            var found = 0
            while try reader.next() != nil { found += 1 }
            #expect(found == [one.count, two.count].count { $0 <= count })
            #expect(!reader.isFinished)
        }
        var reader = MCAPReader()
        reader.feed(file)
        while try reader.next() != nil {}
        try reader.finish()
        #expect(reader.isFinished)
    }

    @Test func `where a file was cut off is said`() throws {
        var reader = MCAPReader()
        reader.feed(Self.defined + Bytes.message([1]).dropLast())
        #expect(try reader.next() == nil)
        let error = #expect(throws: ROSError.self) { try reader.finish() }
        #expect(error?.what == "the file is truncated inside the record at byte \(Self.defined.count)")
        var skipping = MCAPReader()
        skipping.feed(Self.defined + Bytes.record(0x09, [1, 2, 3]).dropLast())
        #expect(try skipping.next() == nil)
        let other = #expect(throws: ROSError.self) { try skipping.finish() }
        #expect(other == error)
        // Between two records nothing is missing, but the end is.
        var whole = MCAPReader()
        whole.feed(Self.defined)
        #expect(try whole.next() == nil)
        try whole.finish()
        #expect(!whole.isFinished)
    }

    @Test func `checksums are verified, and zero is none`() throws {
        let records = Bytes.schema + Bytes.channel + Bytes.message([1])
        let sum = MCAPChecksum.of(records)
        let begun = Self.begun + Bytes.chunk(records, checksum: sum)
        let file = begun + Bytes.dataEnd(MCAPChecksum.of(begun)) + Bytes.footer() + Bytes.magic
        #expect(try Bytes.read(file, step: 3).map(\.bytes) == [[1]])
        #expect(try Bytes.read(Self.begun + Bytes.chunk(records) + Self.ended).count == 1)
        let damaged = #expect(throws: ROSError.self) {
            try Bytes.read(Self.begun + Bytes.chunk(records, checksum: sum ^ 1))
        }
        #expect(
            damaged?.what
                == "the chunk is damaged: its CRC-32 does not match (record at byte \(Self.begun.count) of the file)")
        let data = #expect(throws: ROSError.self) { try Bytes.read(begun + Bytes.dataEnd(1)) }
        #expect(data?.what.contains("the CRC-32 of the data does not match") == true)
    }

    /// The sum of "123456789" that descriptions of CRC-32 have.
    @Test func `the checksum is that of zlib, in any split`() {
        let digits = Array("123456789".utf8)
        #expect(MCAPChecksum.of(digits) == 0xCBF4_3926)
        var sum = MCAPChecksum()
        sum.add(digits[..<4])
        sum.add([])
        sum.add(digits[4...])
        #expect(sum.value == 0xCBF4_3926)
    }

    /// An LZ4 frame and a Zstandard frame of "message 1 abc", four times, which is no record.
    @Test(arguments: [
        ("lz4", "04224d1864608517000000df6d6573736167652031206162630d000f50312061626300000000810c021f"),
        ("zstd", "28b52ffd20349d0000686d6573736167652031206162630100a09c5f"),
    ])
    func `compressed chunks are decoded, and no more of them than they announce`(name: String, digits: String) {
        let packed = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(digits.dropFirst($0).prefix(2), radix: 16)
        }
        for size in [51, 53, 1 << 40] {
            #expect(throws: ROSError.self) {
                try Bytes.read(Self.begun + Bytes.chunk(packed, compression: name, size: size))
            }
        }
    }

    @Test func `what is wrong is named with its place`() {
        let place = "(record at byte \(Self.begun.count) of the file)"
        let wrong: [([UInt8], String)] = [
            ([], "not an MCAP file"), (Array("#ROSBAG V2.0\n".utf8), "not an MCAP file"),
            ([0x89] + Array("MCAP1\r\n".utf8), "not an MCAP file"),
            (Bytes.magic + Bytes.schema, "does not begin with a header (record at byte 8 of the file)"),
            (Bytes.magic + Bytes.record(0x01, [9, 0, 0, 0]), "invalid header"),
            (Self.begun + Bytes.header, "a second header \(place)"),
            (Self.begun + Bytes.record(0, []), "0 is not the opcode of a record \(place)"),
            (Self.begun + Bytes.channel, "has schema 1, which is not defined \(place)"),
            (Self.begun + Bytes.message([1]), "its channel 3 is not defined before it \(place)"),
            (Self.begun + Bytes.record(0x05, [1, 2]), "invalid message"),
            (Self.begun + Bytes.record(0x03, Bytes.little(UInt16(1)) + [255, 255, 255, 255]), "invalid schema"),
            (Self.begun + [0x05] + Bytes.little(UInt64.max), "exceeds the bound"),
            (Self.begun + [0x06] + Bytes.little(UInt64(MCAPReader.maximumRecordBytes) + 1), "exceeds the bound"),
            (Self.begun + Bytes.chunk([], compression: "xz", size: 1), "'xz' cannot be read"),
            (Self.begun + Bytes.chunk([1, 2], size: 3), "announces 3"),
            (Self.begun + Bytes.chunk([1, 2], size: .max), "exceeds the bound"),
            (Self.begun + Bytes.chunk([1, 2]), "a record is truncated, at byte 0 of a chunk"),
            (Self.begun + Bytes.chunk([5] + Bytes.little(UInt64.max)), "only 0 bytes follow"),
            (Self.begun + Bytes.chunk(Bytes.chunk([])), "a chunk within a chunk"),
            (Self.begun + Bytes.record(0x06, [1]), "invalid chunk"),
            (Self.begun + Bytes.record(0x02, [1]), "a footer of 1 bytes"),
            (Self.defined + Bytes.schema(1, name: "a"), "defined twice"),
            (Self.defined + Bytes.dataEnd() + Bytes.message([1]), "behind the end of the data"),
            (Self.begun + Self.ended + [1], "does not end behind its footer"),
            (Self.begun + Bytes.footer() + [0x89, 0], "does not end with the magic"),
        ]
        for (bytes, what) in wrong {
            let error = #expect(throws: ROSError.self, "\(what)") { try Bytes.read(bytes) }
            #expect(error?.code == .badBag)
            #expect(error?.what.contains(what) == true, "\(String(describing: error))")
        }
    }

    /// Nothing is allocated for what a record only announces.
    @Test func `a large record of another kind is skipped without being kept`() throws {
        var reader = MCAPReader()
        reader.feed(Self.defined + [0x09] + Bytes.little(UInt64(3) << 30))
        let piece = [UInt8](repeating: 1, count: 1 << 16)
        for _ in 0..<100 {
            #expect(try reader.next() == nil)
            reader.feed(piece)
        }
        let error = #expect(throws: ROSError.self) { try reader.finish() }
        #expect(error?.what.contains("truncated") == true)
    }
}
