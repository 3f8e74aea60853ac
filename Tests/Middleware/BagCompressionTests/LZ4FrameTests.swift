import BagCompression
import ROSMessages
import Testing

@Suite struct LZ4FrameTests {
    /// The header of an LZ4 frame: flags, 64 kB as the largest block, and the header's checksum.
    private static let head: [UInt8] = [0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x82]
    /// An "a", eight times the byte before, five times "b".
    private static let block: [UInt8] = [0x14, 0x61, 1, 0, 0x50, 0x62, 0x62, 0x62, 0x62, 0x62]

    private static let rosLZ4: [UInt8] = [
        0x04, 0x22, 0x4D, 0x18, 0x64, 0x60, 0x85, 0x17, 0x00, 0x00, 0x00, 0xDF, 0x6D, 0x65, 0x73, 0x73, 0x61, 0x67,
        0x65,
        0x20, 0x31, 0x20, 0x61, 0x62, 0x63, 0x0D, 0x00, 0x0F, 0x50, 0x31, 0x20, 0x61, 0x62, 0x63, 0x00, 0x00, 0x00,
        0x00,
        0x81, 0x0C, 0x02, 0x1F,
    ]

    private static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func frame(_ block: [UInt8], head: [UInt8] = LZ4FrameTests.head) -> [UInt8] {
        head + little(UInt32(block.count)) + block + [0, 0, 0, 0]
    }

    @Test func `LZ4 blocks that lie are refused`() throws {
        func decode(_ block: [UInt8], size: Int = 14) throws -> [UInt8] {
            try LZ4Frame.decode(Self.frame(block)[...], size: size)
        }
        #expect(try decode(Self.block) == Array("aaaaaaaaabbbbb".utf8))
        for size in [0, 13, 15, 1 << 40] {
            #expect(throws: ROSError.self) { try decode(Self.block, size: size) }
        }
        var before = Self.block
        before[2] = 2
        #expect(throws: ROSError.self) { try decode(before) }
        #expect(throws: ROSError.self) { try decode([0xF4, 255, 255, 255]) }
        #expect(throws: ROSError.self) { try LZ4Frame.decode([1, 2, 3], size: 10) }
        #expect(throws: ROSError.self) { try LZ4Frame.decode([], size: 0) }
    }

    /// The format forbids it. liblz4 refuses it, or reads something in its place, which the records in the chunk show.
    @Test func `an LZ4 distance of zero stays within the announced size`() throws {
        var block = Self.block
        block[2] = 0
        let out = try? LZ4Frame.decode(Self.frame(block)[...], size: 14)
        #expect(out.map(\.count) ?? 14 == 14)
        #expect(throws: ROSError.self) { try LZ4Frame.decode(Self.frame(block)[...], size: 13) }
    }

    @Test func `an LZ4 frame that is cut off anywhere is refused, and its error says so`() throws {
        let frame = Self.frame(Self.block)
        for length in 4..<frame.count {
            let error = #expect(throws: ROSError.self) { try LZ4Frame.decode(frame[..<length], size: 14) }
            #expect(error?.what == "invalid compressed chunk: cut off", "\(length) bytes")
        }
    }

    @Test(
        arguments: [
            ([0x04, 0x22, 0x4D, 0x19, 0x60, 0x40, 0x82], "not an LZ4 frame"),
            ([0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0], "not an LZ4 frame"),
            ([0x04, 0x22, 0x4D, 0x18, 0x61, 0x40, 0x82], "it needs an external dictionary"),
            ([0x04, 0x22, 0x4D, 0x18, 0xA0, 0x40, 0x82], "liblz4 reports ERROR_headerVersion_wrong"),
            ([0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x83], "liblz4 reports ERROR_headerChecksum_invalid"),
        ] as [([UInt8], String)])
    func `an LZ4 frame with a wrong header is refused with the reason`(head: [UInt8], reason: String) throws {
        let error = #expect(throws: ROSError.self) {
            try LZ4Frame.decode(Self.frame(Self.block, head: head)[...], size: 14)
        }
        #expect(error?.code == .badBag)
        #expect(error?.what == "invalid compressed chunk: \(reason)")
    }

    /// A chunk of roslz4 (`roslz4.LZ4Compressor`): four times "message 1 abc", with a checksum of the content.
    @Test func `the checksum of a chunk is verified`() throws {
        var frame = Self.rosLZ4
        #expect(
            try LZ4Frame.decode(frame[...], size: 52) == Array(String(repeating: "message 1 abc", count: 4).utf8))
        frame[frame.count - 1] ^= 1
        let error = #expect(throws: ROSError.self) { try LZ4Frame.decode(frame[...], size: 52) }
        #expect(error?.what == "invalid compressed chunk: liblz4 reports ERROR_contentChecksum_invalid")
    }

    /// A block may refer to the blocks before it; the decoder writes at most 64 kB at a time.
    @Test func `linked LZ4 blocks are decoded across pieces`() throws {
        // One "a", repeated, and five times "b"; then the five bytes before the block, repeated, and five times "c".
        let run: [UInt8] =
            [0x1F, 0x61, 1, 0] + [UInt8](repeating: 255, count: 300) + [0, 0x50] + [UInt8](repeating: 0x62, count: 5)
        let bytes = 1 + 19 + 255 * 300 + 5
        let linked: [UInt8] = [0x0F, 5, 0, 0, 0x50, 0x63, 0x63, 0x63, 0x63, 0x63]
        let frame =
            [0x04, 0x22, 0x4D, 0x18, 0x40, 0x50, 0x77] + Self.little(UInt32(run.count)) + run
            + Self.little(UInt32(linked.count)) + linked + [0, 0, 0, 0]
        let out = try LZ4Frame.decode(frame[...], size: bytes + 19 + 5)
        #expect(out.prefix(bytes - 5).allSatisfy { $0 == 0x61 })
        #expect(out.suffix(29) == Array("bbbbbbbbbbbbbbbbbbbbbbbbccccc".utf8)[...])
    }

    @Test(arguments: [0, 1, 100, 65_536, 300_000])
    func `what is encoded is decoded, and is smaller if it repeats`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let frame = try #require(LZ4Frame.encode(bytes))
        #expect(try LZ4Frame.decode(frame[...], size: count) == bytes)
        if count >= 65_536 { #expect(frame.count < count / 4) }
    }
}
