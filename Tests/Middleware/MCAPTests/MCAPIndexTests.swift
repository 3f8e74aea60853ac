import ROSMessages
import Testing

@testable import MCAP

@Suite struct MCAPIndexTests {
    typealias Bytes = MCAPBytes

    private static let begun = Bytes.magic + Bytes.header + Bytes.dataEnd()

    /// A file with this summary.
    private static func file(_ summary: [UInt8], checksum: UInt32 = 0) -> [UInt8] {
        begun + summary + Bytes.footer(UInt64(begun.count), 0, checksum) + Bytes.magic
    }

    private static func chunkIndex(position: UInt64, length: UInt64, map: [UInt8] = []) -> [UInt8] {
        Bytes.record(
            0x08,
            Bytes.joined(
                Bytes.little(UInt64(1)), Bytes.little(UInt64(2)), Bytes.little(position), Bytes.little(length),
                Bytes.little(UInt32(map.count)), map, Bytes.little(UInt64(0)), Bytes.text(""),
                Bytes.little(UInt64(0)), Bytes.little(UInt64(0))))
    }

    @Test func `schemas and channels may stand in any order in a summary`() throws {
        let index = try Bytes.index(Self.file(Bytes.channel + Bytes.record(0x99, [1]) + Bytes.schema))
        #expect(index.channels[3]?.schema?.name == "std_msgs/msg/UInt8")
        #expect(index.chunks.isEmpty && index.statistics == nil)
    }

    @Test func `the checksum of the summary is verified`() throws {
        let summary = Bytes.schema + Bytes.channel
        // The footer without its last field is part of it.
        let footer = Bytes.footer(UInt64(Self.begun.count)).dropLast(4)
        let sum = MCAPChecksum.of(summary + footer)
        #expect(try Bytes.index(Self.file(summary, checksum: sum)).channels.count == 1)
        let error = #expect(throws: ROSError.self) { try Bytes.index(Self.file(summary, checksum: sum ^ 1)) }
        #expect(error?.what.contains("the summary at byte \(Self.begun.count) is damaged") == true)
    }

    @Test func `what is wrong is named`() {
        let data = Self.begun
        let wrong: [([UInt8], String)] = [
            ([], "does not end with a footer"), (data, "does not end with a footer"),
            (data + Bytes.footer() + Bytes.magic, "the file has no summary"),
            (data + Bytes.footer(7) + Bytes.magic, "the summary at byte 7 is not within"),
            (data + Bytes.footer(.max) + Bytes.magic, "is not within"),
            (data + Bytes.footer(UInt64(data.count) + 1) + Bytes.magic, "is not within"),
            (Self.file([1, 2]), "the record at byte \(data.count) of the file is truncated"),
            (Self.file([3] + Bytes.little(UInt64.max)), "is truncated"),
            (Self.file(Bytes.channel), "schema 1, which is not defined (record at byte \(data.count)"),
            (Self.file(Self.chunkIndex(position: 8, length: .max)), "the data end at byte"),
            (Self.file(Self.chunkIndex(position: .max, length: .max)), "the data end at byte"),
            (Self.file(Self.chunkIndex(position: 8, length: 9, map: [1])), "no whole number of entries"),
            (Self.file(Bytes.record(0x08, [1])), "invalid chunk index"),
            (Self.file(Bytes.record(0x0B, [1])), "invalid statistics"),
        ]
        for (bytes, what) in wrong {
            let error = #expect(throws: ROSError.self, "\(what)") { try Bytes.index(bytes) }
            #expect(error?.what.contains(what) == true, "\(String(describing: error))")
        }
    }

    @Test func `a chunk that is not where the index says is an error`() throws {
        for (position, length) in [(UInt64(8), UInt64(9)), (8, 0), (0, 8), (8, UInt64(Bytes.header.count))] {
            let file = Self.file(Self.chunkIndex(position: position, length: length))
            let index = try Bytes.index(file)
            let chunk = try #require(index.chunks.first)
            let error = #expect(throws: ROSError.self) { try index.messages(in: chunk, read: Bytes.reading(file)) }
            #expect(error?.what.contains("record at byte \(position) of the file") == true)
        }
    }

    @Test func `a file that gives fewer bytes than it has is an error`() throws {
        let file = Self.file(Bytes.schema)
        let error = #expect(throws: ROSError.self) {
            try MCAPIndex(fileBytes: UInt64(file.count)) { (range) throws(ROSError) in
                Array(try Bytes.reading(file)(range).dropLast())
            }
        }
        #expect(error?.what.contains("bytes instead of") == true)
    }
}
