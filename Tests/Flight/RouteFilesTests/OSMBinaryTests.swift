import Geodesy
import RouteFiles
import Testing

@Suite struct OSMBinaryTests {
    /// Four nodes in a dense group, one alone, two ways and a relation, compressed; written by a few lines of Python that follow the
    /// format's description (OpenStreetMap wiki, "PBF Format").
    static let extract = bytes(
        """
        0000000d0a094f534d4865616465721828101c1a2478da53e2f32fce0d4ece48cd4dd40d33d03353e27249cd2b4ef5cb4f492d06\
        00795b08dc0000000c0a074f534d4461746118ae0110ab011aa80178dae3b2e562e062cfc84ccf284face4622d294a4ccee6e248\
        2acdcc49c9cc4be762ae4c2de662c94bcc4de562714a2ccae3e2c84dcc8bcf4d4c01f273138b4b847484b4b858989898789d781a\
        a6bcbec3dcd059c500c45e3c0d6f0eb63282984014c4c6c0c0c0cec12024c225c4c125c4c82ec5c8e1f0bf6d399f47c3c3d7e242\
        4a527c20514629462627a0598718a50438b885989859a59858d840224ccc424c4a0c00a9e82826
        """)

    static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8).compactMap { Character(.init($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    func refusal(_ bytes: [UInt8], name: String = "a.osm.pbf") -> String {
        do throws(RouteFileError) {
            return "read \(try BackgroundReader.read(bytes, name: name))"
        } catch { return error.description }
    }

    /// A number as the format writes it.
    func varint(_ number: UInt64) -> [UInt8] {
        var (rest, out) = (number, [UInt8]())
        while rest >= 0x80 {
            out.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return out + [UInt8(rest)]
    }

    func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
    }

    func field(_ number: UInt64, _ value: UInt64) -> [UInt8] { varint(number << 3) + varint(value) }

    /// A block that is not compressed.
    func block(_ type: String, blob: [UInt8], size: Int? = nil) -> [UInt8] {
        let header = field(1, Array(type.utf8)) + field(3, UInt64(size ?? blob.count))
        return [0, 0, UInt8(header.count >> 8), UInt8(header.count & 0xFF)] + header + blob
    }

    func data(_ content: [UInt8]) -> [UInt8] { block("OSMData", blob: field(1, content)) }

    @Test func `a binary extract is the same as its XML`() throws {
        let found = try BackgroundReader.read(Self.extract, name: "a.osm.pbf")
        #expect(found.features.map(\.kind) == [.tower, .tower, .path, .building])
        #expect(found.features.map(\.isArea) == [false, false, false, true])
        #expect(found.features.map(\.places.count) == [1, 1, 2, 4])
        #expect(found.features[0].places == [.init(latitudeDegrees: 50.2, longitudeDegrees: 14.2)])
        #expect(found.features[1].places == [.init(latitudeDegrees: -1.5, longitudeDegrees: 2.5)])
        #expect(found.features[3].name == "Barn")
        #expect(found.notes.contains { $0.contains("relations") })
        #expect(found.notes.contains { $0.contains("1 nodes") })
        #expect(try BackgroundReader.read(Self.extract, name: "download") == found)
    }

    @Test func `cut anywhere it is an error that names the block`() {
        let blocks = [Self.extract.count - 1, Self.extract.count - 40, 60, 40, 10, 3]
        for count in blocks + Array(1..<30) {
            let said = refusal(Array(Self.extract[..<count]))
            #expect(said.hasPrefix("a.osm.pbf, block ") || said.hasPrefix("read "), "\(said)")
        }
        #expect(refusal(Array(Self.extract[..<10])) == "a.osm.pbf, block 1: the file ends within a header")
        #expect(refusal([]) == "a.osm.pbf: the file is empty")
    }

    @Test func `damage is an error, wherever it is`() {
        for index in Self.extract.indices {
            var damaged = Self.extract
            damaged[index] ^= 0xFF
            let said = refusal(damaged)
            #expect(said.hasPrefix("a.osm.pbf, block ") || said.hasPrefix("read "), "\(index): \(said)")
        }
    }

    @Test func `sizes are bounded before anything is made for them`() {
        #expect(
            refusal([0x7F, 0xFF, 0xFF, 0xFF]).contains("found a header of 2147483647 bytes, expected at most 65536"))
        #expect(refusal(block("OSMData", blob: [], size: 33 << 20)).contains("found a block of 34603008 bytes"))
        #expect(refusal(block("OSMData", blob: [], size: .max)).contains("expected at most 33554432"))
        let huge = field(2, 1 << 40) + field(3, [0x78])
        #expect(refusal(block("OSMData", blob: huge)).contains("found a decompressed size of 1099511627776 bytes"))
        // Zeros compress a thousandfold; what does not unpack to the size it says is refused.
        #expect(
            refusal(block("OSMData", blob: field(2, 10) + field(3, [0x78, 0x9C, 3, 0, 0, 0, 0, 1]))).contains("damaged")
        )
    }

    @Test func `what does not fit together is named`() {
        let strings = field(1, field(1, []) + field(1, Array("highway".utf8)))
        for (content, expected) in [
            (field(2, field(2, field(1, [2, 2]) + field(8, [0]))), "found 2 nodes, 1 latitudes and 0 longitudes"),
            (strings + field(2, field(3, field(2, [1]) + field(3, [9]))), "found string 9 of 2"),
            (strings + field(2, field(3, field(2, [1]))), "found 1 keys and 0 values"),
            (
                field(2, field(2, field(1, [2]) + field(8, [0]) + field(9, [0]) + field(10, [1]))),
                "a key of a node has no value"
            ),
            (field(2, field(1, field(1, 2) + field(8, 4_000_000_000))), "found latitude 200.0"),
            ([0x0F], "found a field of kind 7"), ([0x0A, 0x05], "found a field of 5 bytes where 0 are left"),
            (Array(repeating: 0xFF, count: 12), "found a number of more than ten bytes"),
            ([0x80], "a number is cut off"),
            ([0x09, 1], "a field is cut off"),
        ] {
            let said = refusal(data(content))
            #expect(said.hasPrefix("a.osm.pbf, block 1: "))
            #expect(said.contains(expected), "\(said)")
        }
        let long = Array(repeating: [UInt8](arrayLiteral: 0), count: 2001).flatMap { $0 }
        #expect(refusal(data(field(2, field(3, field(8, long))))).contains("more than 2000 corners"))
        #expect(
            refusal(block("OSMHeader", blob: field(1, field(4, Array("HistoricalInformation".utf8))))).contains(
                "'HistoricalInformation'"))
        #expect(
            refusal(block("OSMData", blob: field(4, [1]))).contains("unsupported compression; only zlib is supported"))
        #expect(refusal(block("OSMData", blob: [])).contains("the block is empty"))
        #expect(refusal(block("Other", blob: field(1, [1, 2, 3]))).hasPrefix("read "))
    }
}
