/// LZF compression, as in `binary_compressed` PCD files.
enum Compression {
    /// The largest possible unpacked size: three bytes of LZF expand to at most 264.
    static func largestUnpacked(_ packed: Int) -> Int { packed * 88 + 264 }

    /// Decompresses; rejects sizes that the packed bytes cannot have before allocating.
    ///
    /// - Parameter place: the offset of the packed bytes in the file, for errors.
    static func unpack(
        _ packed: UnsafeRawBufferPointer, size: Int, source: CloudSource, at place: Int
    ) throws(PointCloudError) -> [UInt8] {
        guard size <= largestUnpacked(packed.count), packed.count <= UInt32.max, size <= UInt32.max else {
            throw source.error(byte: place, "\(packed.count) compressed bytes cannot expand to \(size)")
        }
        let unpacked = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            // It may be larger than asked for.
            count = LZF.unpack(packed, into: UnsafeMutableBufferPointer(rebasing: buffer.prefix(size))) ?? 0
        }
        guard unpacked.count == size else {
            throw source.error(
                byte: place, "the compressed points are corrupt: they do not decompress to \(size) bytes")
        }
        return unpacked
    }

    /// Compresses; `nil` if the data is too large for the format.
    static func pack(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count <= UInt32.max / 2 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: LZF.largestPacked(bytes.count)) { buffer, count in
            count = bytes.withUnsafeBufferPointer { LZF.pack($0, into: buffer) }
        }
    }
}
