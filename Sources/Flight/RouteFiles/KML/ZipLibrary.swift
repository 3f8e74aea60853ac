internal import CZip

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// libzip, loaded when an archive is first read or written: it depends on TLS and compression libraries that are not needed
/// otherwise.
struct ZipLibrary: Sendable {
    typealias Handle = OpaquePointer
    typealias Failure = UnsafeMutablePointer<zip_error_t>

    let sourceBuffer: @Sendable @convention(c) (UnsafeRawPointer?, UInt64, Int32, Failure?) -> Handle?
    let sourceFree: @Sendable @convention(c) (Handle?) -> Void
    let sourceKeep: @Sendable @convention(c) (Handle?) -> Void
    let sourceOpen: @Sendable @convention(c) (Handle?) -> Int32
    let sourceRead: @Sendable @convention(c) (Handle?, UnsafeMutableRawPointer?, UInt64) -> Int64
    let sourceClose: @Sendable @convention(c) (Handle?) -> Int32
    let open: @Sendable @convention(c) (Handle?, Int32, Failure?) -> Handle?
    let close: @Sendable @convention(c) (Handle?) -> Int32
    let discard: @Sendable @convention(c) (Handle?) -> Void
    let entries: @Sendable @convention(c) (Handle?, UInt32) -> Int64
    let name: @Sendable @convention(c) (Handle?, UInt64, UInt32) -> UnsafePointer<CChar>?
    let openEntry: @Sendable @convention(c) (Handle?, UInt64, UInt32) -> Handle?
    let read: @Sendable @convention(c) (Handle?, UnsafeMutableRawPointer?, UInt64) -> Int64
    let closeEntry: @Sendable @convention(c) (Handle?) -> Int32
    let add: @Sendable @convention(c) (Handle?, UnsafePointer<CChar>?, Handle?, UInt32) -> Int64
    let setTime: @Sendable @convention(c) (Handle?, UInt64, time_t, UInt32) -> Int32

    /// The loaded library, or why it could not be loaded; loaded on first use, and never unloaded.
    static let loaded: Result<ZipLibrary, RouteFileError> = Result { () throws(RouteFileError) in try ZipLibrary() }

    /// The only ABI versions in use: 5 since 2017, and 4; the functions used here are the same in both.
    private static let names: [String] = {
        #if canImport(Glibc)
            ["libzip.so.5", "libzip.so.4", "libzip.so"]
        #else
            ["libzip.dylib", "/opt/homebrew/lib/libzip.dylib", "/usr/local/lib/libzip.dylib"]
        #endif
    }()

    private init() throws(RouteFileError) {
        guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
            throw RouteFileError("libzip is not installed on this machine; scripts/setup --runtime installs it")
        }
        func find<Function>(_ name: String, as: Function.Type) throws(RouteFileError) -> Function {
            guard let address = dlsym(library, name) else {
                throw RouteFileError("the library libzip on this machine has no '\(name)'")
            }
            return unsafeBitCast(address, to: Function.self)
        }
        sourceBuffer = try find(
            "zip_source_buffer_create",
            as: (@Sendable @convention(c) (UnsafeRawPointer?, UInt64, Int32, Failure?) -> Handle?).self)
        sourceFree = try find("zip_source_free", as: (@Sendable @convention(c) (Handle?) -> Void).self)
        sourceKeep = try find("zip_source_keep", as: (@Sendable @convention(c) (Handle?) -> Void).self)
        sourceOpen = try find("zip_source_open", as: (@Sendable @convention(c) (Handle?) -> Int32).self)
        sourceRead = try find(
            "zip_source_read",
            as: (@Sendable @convention(c) (Handle?, UnsafeMutableRawPointer?, UInt64) -> Int64).self)
        sourceClose = try find("zip_source_close", as: (@Sendable @convention(c) (Handle?) -> Int32).self)
        open = try find(
            "zip_open_from_source", as: (@Sendable @convention(c) (Handle?, Int32, Failure?) -> Handle?).self)
        close = try find("zip_close", as: (@Sendable @convention(c) (Handle?) -> Int32).self)
        discard = try find("zip_discard", as: (@Sendable @convention(c) (Handle?) -> Void).self)
        entries = try find("zip_get_num_entries", as: (@Sendable @convention(c) (Handle?, UInt32) -> Int64).self)
        name = try find(
            "zip_get_name", as: (@Sendable @convention(c) (Handle?, UInt64, UInt32) -> UnsafePointer<CChar>?).self)
        openEntry = try find(
            "zip_fopen_index", as: (@Sendable @convention(c) (Handle?, UInt64, UInt32) -> Handle?).self)
        read = try find(
            "zip_fread", as: (@Sendable @convention(c) (Handle?, UnsafeMutableRawPointer?, UInt64) -> Int64).self)
        closeEntry = try find("zip_fclose", as: (@Sendable @convention(c) (Handle?) -> Int32).self)
        add = try find(
            "zip_file_add",
            as: (@Sendable @convention(c) (Handle?, UnsafePointer<CChar>?, Handle?, UInt32) -> Int64).self)
        setTime = try find(
            "zip_file_set_mtime", as: (@Sendable @convention(c) (Handle?, UInt64, time_t, UInt32) -> Int32).self)
    }
}
