package import ROSMessages
internal import SystemIO

/// Decodes bzip2 with libbz2, which is loaded when a bag first needs it: the compression of `rosbag record -j`.
package enum BZ2Block {
    private typealias Decompress =
        @Sendable @convention(c) (
            UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<CChar>?, UInt32, Int32,
            Int32
        ) -> Int32

    private static let source = DynamicLibrary.Source(
        "libbz2", debianPackage: "libbz2-1.0", linux: ["libbz2.so.1.0", "libbz2.so.1", "libbz2.so"],
        darwin: ["/usr/lib/libbz2.dylib", "libbz2.dylib"])

    /// The function, or why there is none; loaded on first use, and never unloaded.
    private static let loaded: Result<Decompress, ROSError> = Result { () throws(DynamicLibrary.Failure) in
        try DynamicLibrary(source).function("BZ2_bzBuffToBuffDecompress", as: Decompress.self)
    }.mapError { failure in
        ROSError(.badBag, "the chunks are compressed with bz2, and \(failure)", hint: "or run: rosbag decompress FILE")
    }

    /// - Parameter size: the exact size of the output in bytes, as the chunk announces it.
    /// - Throws: ``ROSError`` with ``ROSError/Code/badBag``.
    package static func decode(_ bytes: ArraySlice<UInt8>, size: Int) throws(ROSError) -> [UInt8] {
        // One byte more: only then is an input that is cut off told from one that has more to say.
        guard let room = UInt32(exactly: size + 1), let given = UInt32(exactly: bytes.count) else {
            throw wrong("too large")
        }
        let decompress = try loaded.get()
        var (input, status) = (Array(bytes), Int32(0))
        // Not filled with zeros before: memory is used for what is decoded, not for what is announced.
        let out = [UInt8](unsafeUninitializedCapacity: size + 1) { target, count in
            var written = room
            status = input.withUnsafeMutableBytes { source in
                decompress(
                    UnsafeMutableRawPointer(target.baseAddress)?.assumingMemoryBound(to: CChar.self), &written,
                    source.baseAddress?.assumingMemoryBound(to: CChar.self), given, 0, 0)
            }
            count = status == 0 ? min(Int(written), target.count) : 0
        }
        switch status {
        case 0: break
        case -4: throw wrong("it is damaged")
        case -5: throw wrong("not bzip2")
        case -7: throw wrong("cut off")
        case -8: throw wrong("more bytes than announced")
        default: throw wrong("libbz2 reports \(status)")
        }
        guard out.count == size else { throw wrong("\(out.count) bytes instead of \(size)") }
        return out
    }

    private static func wrong(_ what: String) -> ROSError { ROSError(.badBag, "invalid compressed chunk: \(what)") }
}
