internal import CProj
internal import SystemIO

/// PROJ, loaded at the first projection.
///
/// It depends on some forty libraries (curl, TLS, Kerberos, TIFF). Linking it normally would add 6 ms to the start of
/// every program, of the 15 ms that `uavlink --help` may take, and most runs project nothing.
struct ProjLibrary: Sendable {
    typealias Handle = OpaquePointer

    let contextCreate: @Sendable @convention(c) () -> Handle?
    let contextDestroy: @Sendable @convention(c) (Handle?) -> Handle?
    let contextErrno: @Sendable @convention(c) (Handle?) -> Int32
    let contextErrnoString: @Sendable @convention(c) (Handle?, Int32) -> UnsafePointer<CChar>?
    let logLevel: @Sendable @convention(c) (Handle?, PJ_LOG_LEVEL) -> PJ_LOG_LEVEL
    let create: @Sendable @convention(c) (Handle?, UnsafePointer<CChar>?) -> Handle?
    let destroy: @Sendable @convention(c) (Handle?) -> Handle?
    let errnoReset: @Sendable @convention(c) (Handle?) -> Int32
    let trans: @Sendable @convention(c) (Handle?, PJ_DIRECTION, PJ_COORD) -> PJ_COORD

    /// The library, or why it is not available; loaded on first use and never unloaded.
    static let loaded: Result<ProjLibrary, GeodesyError> = Result { () throws(DynamicLibrary.Failure) in
        try ProjLibrary()
    }.mapError { GeodesyError(.projection, $0.description) }

    /// The ABI versions from PROJ 5 (13) to far beyond PROJ 9 (25): the functions used here have not changed since 5.
    private static let source = DynamicLibrary.Source(
        "PROJ", debianPackage: "libproj25", linux: (13...60).reversed().map { "libproj.so.\($0)" } + ["libproj.so"],
        darwin: ["libproj.dylib", "/opt/homebrew/lib/libproj.dylib", "/usr/local/lib/libproj.dylib"])

    private init() throws(DynamicLibrary.Failure) {
        let library = try DynamicLibrary(Self.source)
        contextCreate = try library.function("proj_context_create")
        contextDestroy = try library.function("proj_context_destroy")
        contextErrno = try library.function("proj_context_errno")
        contextErrnoString = try library.function("proj_context_errno_string")
        logLevel = try library.function("proj_log_level")
        create = try library.function("proj_create")
        destroy = try library.function("proj_destroy")
        errnoReset = try library.function("proj_errno_reset")
        trans = try library.function("proj_trans")
    }
}
