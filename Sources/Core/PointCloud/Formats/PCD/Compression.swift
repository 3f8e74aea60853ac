internal import CLZF

/// LZF, as `binary_compressed` PCD files have it.
enum Compression {
    /// Three bytes of LZF stand for 264 at most, so no honest size is larger than this for so many packed bytes.
    static func largestUnpacked(_ packed: Int) -> Int { packed * 88 + 264 }

    /// Unpacks; takes no memory for a size that the packed bytes cannot have.
    ///
    /// - Parameter place: where the packed bytes stand in the file, for errors.
    static func unpack(
        _ packed: UnsafeRawBufferPointer, size: Int, source: CloudSource, at place: Int
    ) throws(PointCloudError) -> [UInt8] {
        guard size <= largestUnpacked(packed.count), packed.count <= UInt32.max, size <= UInt32.max else {
            throw source.error(byte: place, "\(packed.count) packed bytes cannot hold \(size)")
        }
        let unpacked = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = Int(
                lzf_decompress(packed.baseAddress, UInt32(packed.count), buffer.baseAddress, UInt32(size)))
        }
        guard unpacked.count == size else {
            throw source.error(byte: place, "the packed points are damaged: they do not unpack to \(size) bytes")
        }
        return unpacked
    }

    /// Packs; `nil` when there is more than the format can count.
    static func pack(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count <= UInt32.max / 2, !bytes.isEmpty else { return bytes.isEmpty ? [] : nil }
        // What does not shrink grows by one byte in 32.
        let room = bytes.count + bytes.count / 16 + 64
        let packed = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            count = Int(lzf_compress(bytes, UInt32(bytes.count), buffer.baseAddress, UInt32(room)))
        }
        return packed.isEmpty ? nil : packed
    }
}
