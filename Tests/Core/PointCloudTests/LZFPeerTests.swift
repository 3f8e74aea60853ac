import SystemIO
import Testing

/// liblzf itself, beside our packing.
@Suite(.enabled(if: LibLZF.isInstalled, "liblzf is not installed: scripts/setup --tests")) struct LZFPeerTests {
    @Test(arguments: [1, 3, 33, 265, 9000, 200_000])
    func `each unpacks what the other packed`(count: Int) throws {
        let library = try LibLZF()
        for bytes in LZFSample.all(count) {
            #expect(library.unpacked(LZFSample.packed(bytes), space: count) == bytes)
            let packed = try #require(library.packed(bytes))
            #expect(LZFSample.unpacked(packed, space: count) == bytes)
        }
    }
}

/// The library.
private struct LibLZF {
    private typealias Function = @convention(c) (UnsafeRawPointer, UInt32, UnsafeMutableRawPointer, UInt32) -> UInt32

    private static let source = DynamicLibrary.Source(
        "LZF", debianPackage: "liblzf1", linux: ["liblzf.so.1"], darwin: ["liblzf.dylib"])
    private let compress: Function
    private let decompress: Function

    static var isInstalled: Bool { (try? DynamicLibrary(source)) != nil }

    init() throws {
        let library = try DynamicLibrary(Self.source)
        compress = try library.function("lzf_compress")
        decompress = try library.function("lzf_decompress")
    }

    func packed(_ bytes: [UInt8]) -> [UInt8]? { run(compress, bytes, space: bytes.count * 2 + 64) }

    func unpacked(_ bytes: [UInt8], space: Int) -> [UInt8]? { run(decompress, bytes, space: space) }

    private func run(_ function: Function, _ bytes: [UInt8], space: Int) -> [UInt8]? {
        let made = [UInt8](unsafeUninitializedCapacity: space) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            count = bytes.withUnsafeBytes { input in
                input.baseAddress.map { Int(function($0, UInt32(bytes.count), base, UInt32(space))) } ?? 0
            }
        }
        return made.isEmpty ? nil : made
    }
}
