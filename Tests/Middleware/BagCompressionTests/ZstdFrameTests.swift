import BagCompression
import ROSMessages
import Testing

@Suite struct ZstdFrameTests {
    /// Four times "message 1 abc", as Python's zstd compresses it.
    private static let plain = bytes("28b52ffd20349d0000686d6573736167652031206162630100a09c5f")
    /// The same with a checksum of the content.
    private static let checked = bytes("28b52ffd24349d0000686d6573736167652031206162630100a09c5fb1b45d33")
    private static let content = Array(String(repeating: "message 1 abc", count: 4).utf8)

    private static func bytes(_ digits: String) -> [UInt8] {
        stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
    }

    @Test func `frames with and without a checksum are decoded`() throws {
        #expect(try ZstdFrame.decode(Self.plain[...], size: 52) == Self.content)
        #expect(try ZstdFrame.decode(Self.checked[...], size: 52) == Self.content)
        #expect(try ZstdFrame.decode((Self.plain + Self.checked)[...], size: 104) == Self.content + Self.content)
    }

    @Test func `frames that do not hold what is announced are refused`() throws {
        for size in [0, 51, 53, 1 << 20] {
            #expect(throws: ROSError.self) { try ZstdFrame.decode(Self.plain[...], size: size) }
        }
        for length in 1..<Self.checked.count {
            #expect(throws: ROSError.self) { try ZstdFrame.decode(Self.checked[..<length], size: 52) }
        }
        #expect(throws: ROSError.self) { try ZstdFrame.decode([1, 2, 3], size: 52) }
    }

    @Test func `what is wrong is said`() throws {
        var damaged = Self.checked
        damaged[damaged.count - 1] ^= 1
        let error = #expect(throws: ROSError.self) { try ZstdFrame.decode(damaged[...], size: 52) }
        #expect(error?.code == .badBag)
        #expect(error?.what.contains("checksum") == true, "\(String(describing: error))")
        let larger = #expect(throws: ROSError.self) { try ZstdFrame.decode(Self.plain[...], size: 53) }
        #expect(larger?.what == "invalid compressed chunk: 52 bytes instead of 53")
    }
}
