internal import SystemIO

/// zlib, loaded when the first binary extract is read.
struct Inflater: Sendable {
    typealias Uncompress =
        @Sendable @convention(c) (
            UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt>?, UnsafePointer<UInt8>?, UInt
        ) -> Int32

    private let uncompress: Uncompress

    /// The loaded library, or why it could not be loaded; loaded on first use, and never unloaded.
    static let loaded: Result<Inflater, RouteFileError> = Result { () throws(DynamicLibrary.Failure) in try Inflater() }
        .mapError { RouteFileError($0.description) }

    private init() throws(DynamicLibrary.Failure) {
        let library = try DynamicLibrary(
            DynamicLibrary.Source(
                "zlib", debianPackage: "zlib1g", linux: ["libz.so.1", "libz.so"],
                darwin: ["libz.1.dylib", "/usr/lib/libz.1.dylib"]))
        uncompress = try library.function("uncompress")
    }

    /// Decompresses bytes, whose decompressed size must be exactly `size`.
    func inflate(_ bytes: ArraySlice<UInt8>, size: Int) throws(RouteFileError) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: max(size, 1))
        var count = UInt(size)
        let status = bytes.withUnsafeBufferPointer { from in
            out.withUnsafeMutableBufferPointer {
                uncompress($0.baseAddress, &count, from.baseAddress, UInt(from.count))
            }
        }
        guard status == 0, count == UInt(size) else { throw RouteFileError("a compressed block is damaged") }
        return Array(out.prefix(size))
    }
}
