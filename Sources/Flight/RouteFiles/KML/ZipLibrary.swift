internal import CZip
internal import SystemIO

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
    static let loaded: Result<ZipLibrary, RouteFileError> = Result { () throws(DynamicLibrary.Failure) in
        try ZipLibrary()
    }.mapError { RouteFileError($0.description) }

    /// The only ABI versions in use: 5 since 2017, and 4; the functions used here are the same in both.
    private static let source = DynamicLibrary.Source(
        "libzip", debianPackage: "libzip4", linux: ["libzip.so.5", "libzip.so.4", "libzip.so"],
        darwin: ["libzip.dylib", "/opt/homebrew/lib/libzip.dylib", "/usr/local/lib/libzip.dylib"])

    private init() throws(DynamicLibrary.Failure) {
        let library = try DynamicLibrary(Self.source)
        sourceBuffer = try library.function("zip_source_buffer_create")
        sourceFree = try library.function("zip_source_free")
        sourceKeep = try library.function("zip_source_keep")
        sourceOpen = try library.function("zip_source_open")
        sourceRead = try library.function("zip_source_read")
        sourceClose = try library.function("zip_source_close")
        open = try library.function("zip_open_from_source")
        close = try library.function("zip_close")
        discard = try library.function("zip_discard")
        entries = try library.function("zip_get_num_entries")
        name = try library.function("zip_get_name")
        openEntry = try library.function("zip_fopen_index")
        read = try library.function("zip_fread")
        closeEntry = try library.function("zip_fclose")
        add = try library.function("zip_file_add")
        setTime = try library.function("zip_file_set_mtime")
    }
}
