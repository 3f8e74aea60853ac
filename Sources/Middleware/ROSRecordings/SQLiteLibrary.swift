internal import ROSMessages
internal import SystemIO

/// What we use of libsqlite3, which is loaded when a bag first needs it.
struct SQLiteLibrary: Sendable {
    typealias Open =
        @Sendable @convention(c) (
            UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?, Int32, UnsafePointer<CChar>?
        ) -> Int32
    typealias Prepare =
        @Sendable @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?,
            UnsafeMutablePointer<UnsafePointer<CChar>?>?
        ) -> Int32
    typealias OfHandle = @Sendable @convention(c) (OpaquePointer?) -> Int32
    typealias Text = @Sendable @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
    typealias Limit = @Sendable @convention(c) (OpaquePointer?, Int32, Int32) -> Int32
    typealias ColumnNumber = @Sendable @convention(c) (OpaquePointer?, Int32) -> Int64
    typealias ColumnSize = @Sendable @convention(c) (OpaquePointer?, Int32) -> Int32
    typealias ColumnBytes = @Sendable @convention(c) (OpaquePointer?, Int32) -> UnsafeRawPointer?

    let open: Open
    let close: OfHandle
    let prepare: Prepare
    let step: OfHandle
    let finalize: OfHandle
    let message: Text
    let limit: Limit
    let columnNumber: ColumnNumber
    let columnSize: ColumnSize
    let columnBytes: ColumnBytes

    private static let source = DynamicLibrary.Source(
        "libsqlite3", debianPackage: "libsqlite3-0", linux: ["libsqlite3.so.0", "libsqlite3.so"],
        darwin: ["/usr/lib/libsqlite3.dylib", "libsqlite3.dylib"])

    /// The functions, or why there are none; loaded on first use, and never unloaded.
    static let loaded: Result<Self, ROSError> = Result { () throws(DynamicLibrary.Failure) -> Self in
        let library = try DynamicLibrary(source)
        return Self(
            open: try library.function("sqlite3_open_v2"), close: try library.function("sqlite3_close_v2"),
            prepare: try library.function("sqlite3_prepare_v2"), step: try library.function("sqlite3_step"),
            finalize: try library.function("sqlite3_finalize"), message: try library.function("sqlite3_errmsg"),
            limit: try library.function("sqlite3_limit"),
            columnNumber: try library.function("sqlite3_column_int64"),
            columnSize: try library.function("sqlite3_column_bytes"),
            columnBytes: try library.function("sqlite3_column_blob"))
    }.mapError { failure in
        ROSError(.badBag, "the bag is an SQLite database, and \(failure)", hint: "or run: ros2 bag convert")
    }
}
