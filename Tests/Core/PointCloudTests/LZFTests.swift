import Testing

@testable import PointCloud

@Suite struct LZFTests {
    private func unpacked(_ packed: [UInt8], space: Int) -> [UInt8]? {
        LZFSample.unpacked(packed, space: space)
    }

    /// Each packed by liblzf 3.6 itself.
    @Test(arguments: [
        ("uavlink uavlink uavlink uavlink!", "087561766c696e6b2075e00c07016b21"),
        (String(repeating: "a", count: 300) + "b", "016161e0ff00e01800016162"),
    ])
    func `what liblzf packed is unpacked`(text: String, hexadecimal: String) {
        let digits = Array(hexadecimal)
        let packed = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        #expect(unpacked(packed, space: text.utf8.count) == Array(text.utf8))
    }

    @Test func `each kind of piece is unpacked`() {
        #expect(unpacked([2, 7, 8, 9], space: 3) == [7, 8, 9])
        // The shortest repetition, of what lies farthest back here.
        #expect(unpacked([2, 7, 8, 9, 0x20, 2], space: 6) == [7, 8, 9, 7, 8, 9])
        // It overlaps what it writes.
        #expect(unpacked([0, 5, 0xC0, 0], space: 9) == Array(repeating: 5, count: 9))
        // The longest.
        #expect(unpacked([0, 5, 0xE0, 255, 0], space: 265) == Array(repeating: 5, count: 265))
        #expect(unpacked([], space: 4) == [])
    }

    @Test func `what is cut off, or refers to what is not there, is refused`() {
        for packed: [UInt8] in [
            [2, 7, 8], [0], [0, 5, 0x20], [0, 5, 0xE0], [0, 5, 0xE0, 9], [0x20, 0], [0, 5, 0x20, 1],
            [2, 7, 8, 9, 0x21, 2],
        ] {
            #expect(unpacked(packed, space: 1000) == nil, "\(packed)")
        }
    }

    @Test func `no more is written than there is space for`() {
        #expect(unpacked([2, 7, 8, 9], space: 2) == nil)
        #expect(unpacked([0, 5, 0x20, 0], space: 4) == [5, 5, 5, 5])
        #expect(unpacked([0, 5, 0x20, 0], space: 3) == nil)
    }

    /// Around the limits of the format: 32 bytes as they are, 264 that repeat, 8192 bytes back.
    @Test(arguments: [0, 1, 2, 3, 31, 32, 33, 64, 65, 263, 264, 265, 266, 267, 528, 8191, 8192, 8193, 8194, 20_000])
    func `what is packed is unpacked to the last byte`(count: Int) throws {
        for bytes in LZFSample.all(count) {
            let packed = LZFSample.packed(bytes)
            #expect(packed.count <= LZF.largestPacked(count))
            #expect(unpacked(packed, space: count) == bytes)
        }
    }

    @Test func `what lies 8192 bytes back is repeated, and no farther`() {
        for gap in [8192, 8193] {
            let noise = LZFSample.noise(gap)
            let bytes = noise + noise.prefix(200)
            let packed = LZFSample.packed(bytes)
            #expect(unpacked(packed, space: bytes.count) == bytes)
            #expect(gap == 8192 ? packed.count < gap + gap / 32 + 20 : packed.count > gap + gap / 32 + 200)
        }
    }

    @Test func `what repeats is packed small`() {
        #expect(LZFSample.packed([UInt8](repeating: 0, count: 100_000)).count < 1200)
    }
}

/// Bytes to pack, and the packing of them.
enum LZFSample {
    static func packed(_ bytes: [UInt8]) -> [UInt8] { Compression.pack(bytes) ?? [] }

    static func unpacked(_ packed: [UInt8], space: Int) -> [UInt8]? {
        var isRefused = false
        let bytes = [UInt8](unsafeUninitializedCapacity: space) { buffer, count in
            let written = packed.withUnsafeBytes {
                LZF.unpack($0, into: UnsafeMutableBufferPointer(rebasing: buffer.prefix(space)))
            }
            isRefused = written == nil
            count = written ?? 0
        }
        return isRefused ? nil : bytes
    }

    /// Bytes among which hardly any three are the same.
    static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 42
        return (0..<count).map { _ in
            // Constants of Knuth's MMIX.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// So many bytes: all the same, noise, with a period of 100, and like the coordinates of a cloud.
    static func all(_ count: Int) -> [[UInt8]] {
        let noise = noise(count)
        let coordinates = (0..<(count / 4 + 1)).flatMap { index in
            withUnsafeBytes(of: Float(index / 7) * 0.1) { Array($0) }
        }
        return [
            [UInt8](repeating: 7, count: count), noise, (0..<count).map { noise[$0 % 100] },
            Array(coordinates.prefix(count)),
        ]
    }
}
