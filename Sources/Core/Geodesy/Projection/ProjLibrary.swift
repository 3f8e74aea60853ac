internal import CProj

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

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
    static let loaded: Result<ProjLibrary, GeodesyError> = Result { () throws(GeodesyError) in try ProjLibrary() }

    /// The ABI versions from PROJ 5 (13) to far beyond PROJ 9 (25): the functions used here have not changed since 5.
    private static let names: [String] = {
        #if canImport(Glibc)
            (13...60).reversed().map { "libproj.so.\($0)" } + ["libproj.so"]
        #else
            ["libproj.dylib", "/opt/homebrew/lib/libproj.dylib", "/usr/local/lib/libproj.dylib"]
        #endif
    }()

    private init() throws(GeodesyError) {
        guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
            throw GeodesyError(
                .projection, "the library PROJ is not installed; install it with scripts/setup --runtime")
        }
        func find<Function>(_ name: String, as: Function.Type) throws(GeodesyError) -> Function {
            guard let address = dlsym(library, name) else {
                throw GeodesyError(.projection, "the installed library PROJ has no function '\(name)'")
            }
            return unsafeBitCast(address, to: Function.self)
        }
        contextCreate = try find("proj_context_create", as: (@Sendable @convention(c) () -> Handle?).self)
        contextDestroy = try find("proj_context_destroy", as: (@Sendable @convention(c) (Handle?) -> Handle?).self)
        contextErrno = try find("proj_context_errno", as: (@Sendable @convention(c) (Handle?) -> Int32).self)
        contextErrnoString = try find(
            "proj_context_errno_string",
            as: (@Sendable @convention(c) (Handle?, Int32) -> UnsafePointer<CChar>?).self)
        logLevel = try find(
            "proj_log_level", as: (@Sendable @convention(c) (Handle?, PJ_LOG_LEVEL) -> PJ_LOG_LEVEL).self)
        create = try find(
            "proj_create", as: (@Sendable @convention(c) (Handle?, UnsafePointer<CChar>?) -> Handle?).self)
        destroy = try find("proj_destroy", as: (@Sendable @convention(c) (Handle?) -> Handle?).self)
        errnoReset = try find("proj_errno_reset", as: (@Sendable @convention(c) (Handle?) -> Int32).self)
        trans = try find(
            "proj_trans", as: (@Sendable @convention(c) (Handle?, PJ_DIRECTION, PJ_COORD) -> PJ_COORD).self)
    }
}
