#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A password or passphrase: wiped from memory when the last reference goes, and never printed.
public final class SSHSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The bytes with a NUL behind them; written once before the object is shared and wiped in `deinit`.
    /// Unchecked because a pointer is not Sendable; nobody writes while another can read.
    private nonisolated(unsafe) let storage: UnsafeMutableBufferPointer<UInt8>

    /// Keeps a copy of these bytes.
    public init(_ bytes: some Collection<UInt8>) {
        storage = .allocate(capacity: bytes.count + 1)
        _ = storage.initialize(from: bytes)
        storage.initializeElement(at: bytes.count, to: 0)
    }

    /// Keeps a copy of this text as UTF-8. The text itself is the caller's to forget.
    public convenience init(_ text: String) { self.init(Array(text.utf8)) }

    deinit {
        #if canImport(Glibc)
            if let base = storage.baseAddress { explicit_bzero(base, storage.count) }
        #else
            _ = storage.baseAddress.map { memset_s($0, storage.count, 0, storage.count) }
        #endif
        storage.deallocate()
    }

    /// Whether there is nothing in it.
    public var isEmpty: Bool { storage.count <= 1 }

    /// Lends the bytes with a NUL behind them.
    func withCString<Result>(_ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
        storage.withMemoryRebound(to: CChar.self) { text in
            guard let base = text.baseAddress else { return body([0], 0) }
            return body(base, text.count - 1)
        }
    }

    /// Lends the bytes to another room of this package, which must not keep them.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: storage.baseAddress, count: storage.count - 1))
    }

    /// Always the same word.
    public var description: String { "(secret)" }
    /// Always the same word.
    public var debugDescription: String { description }
    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
