#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// zlib, loaded when the first binary extract is read.
struct Inflater: Sendable {
    typealias Uncompress =
        @Sendable @convention(c) (
            UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt>?, UnsafePointer<UInt8>?, UInt
        ) -> Int32

    private let uncompress: Uncompress

    /// The loaded library, or why it could not be loaded; loaded on first use, and never unloaded.
    static let loaded: Result<Inflater, RouteFileError> = Result { () throws(RouteFileError) in try Inflater() }

    private init() throws(RouteFileError) {
        let names = ["libz.so.1", "libz.so", "libz.1.dylib", "/usr/lib/libz.1.dylib"]
        guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first,
            let address = dlsym(library, "uncompress")
        else { throw RouteFileError("zlib is not installed on this machine") }
        uncompress = unsafeBitCast(address, to: Uncompress.self)
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
