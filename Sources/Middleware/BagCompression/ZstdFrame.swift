package import ROSMessages
internal import SystemIO

/// Decodes Zstandard with libzstd, which is loaded when a recording first needs it: a compression of MCAP files.
package enum ZstdFrame {
    private typealias Decompress =
        @Sendable @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int) -> Int
    private typealias IsError = @Sendable @convention(c) (Int) -> UInt32
    private typealias ErrorName = @Sendable @convention(c) (Int) -> UnsafePointer<CChar>?

    private struct Functions: Sendable {
        let decompress: Decompress
        let isError: IsError
        let errorName: ErrorName
    }

    private static let source = DynamicLibrary.Source(
        "libzstd", debianPackage: "libzstd1", linux: ["libzstd.so.1", "libzstd.so"],
        darwin: ["/opt/homebrew/lib/libzstd.dylib", "/usr/local/lib/libzstd.dylib", "libzstd.dylib"])

    /// The functions, or why there are none; loaded on first use, and never unloaded.
    private static let loaded: Result<Functions, ROSError> = Result { () throws(DynamicLibrary.Failure) -> Functions in
        let library = try DynamicLibrary(source)
        return Functions(
            decompress: try library.function("ZSTD_decompress"), isError: try library.function("ZSTD_isError"),
            errorName: try library.function("ZSTD_getErrorName"))
    }.mapError { failure in
        ROSError(
            .badBag, "the chunks are compressed with zstd, and \(failure)",
            hint: "or run: mcap compress --compression lz4 FILE -o NEW")
    }

    /// - Parameter size: the exact size of the output in bytes, as the chunk announces it.
    /// - Throws: `ROSError` with `badBag`.
    package static func decode(_ bytes: ArraySlice<UInt8>, size: Int) throws(ROSError) -> [UInt8] {
        guard size >= 0, size < .max else { throw wrong("too large") }
        let zstd = try loaded.get()
        var status = 0
        // One byte more shows an output that is too large. Not filled with zeros before: memory is used for what is decoded, not for
        // what is announced.
        let out = [UInt8](unsafeUninitializedCapacity: size + 1) { target, count in
            status = bytes.withUnsafeBytes { source in
                zstd.decompress(target.baseAddress, target.count, source.baseAddress, source.count)
            }
            count = zstd.isError(status) == 0 ? max(0, min(status, target.count)) : 0
        }
        guard zstd.isError(status) == 0 else {
            throw wrong("libzstd reports \(zstd.errorName(status).map { String(cString: $0) } ?? "an error")")
        }
        guard out.count == size else { throw wrong("\(out.count) bytes instead of \(size)") }
        return out
    }

    private static func wrong(_ what: String) -> ROSError { ROSError(.badBag, "invalid compressed chunk: \(what)") }
}
