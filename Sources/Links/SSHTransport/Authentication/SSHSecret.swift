#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A password, a passphrase or a private key: wiped from memory when the last reference goes, and never printed.
///
/// What is out of reach: a Swift `String` that a person typed into (it is copied as it grows, and nobody can wipe it), what
/// libssh2 copies while it logs in, the decoded key among it, and what the kernel keeps of a file that was read.
public final class SSHSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The bytes with a NUL behind them; written once before the object is shared and wiped in `deinit`.
    /// Unchecked because a pointer is not Sendable; nobody writes while another can read.
    private nonisolated(unsafe) let storage: UnsafeMutableBufferPointer<UInt8>
    private let count: Int

    /// Keeps a copy of these bytes.
    public init(_ bytes: some Collection<UInt8>) {
        count = bytes.count
        storage = .allocate(capacity: bytes.count + 1)
        _ = storage.initialize(from: bytes)
        storage.initializeElement(at: bytes.count, to: 0)
    }

    /// Takes what `fill` writes into so much room, and how many bytes it says that it wrote; `nil` when it says nothing.
    init?(room: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int?) {
        storage = .allocate(capacity: room + 1)
        storage.initialize(repeating: 0)
        guard let count = fill(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(storage)[..<room]))
        else {
            self.count = 0
            return nil
        }
        self.count = min(max(0, count), room)
        storage[self.count] = 0
    }

    /// Keeps a copy of this text as UTF-8. The text itself is the caller's to forget.
    public convenience init(_ text: String) { self.init(text.utf8) }

    deinit {
        #if canImport(Glibc)
            if let base = storage.baseAddress { explicit_bzero(base, storage.count) }
        #else
            _ = storage.baseAddress.map { memset_s($0, storage.count, 0, storage.count) }
        #endif
        storage.deallocate()
    }

    /// Whether there is nothing in it.
    public var isEmpty: Bool { count == 0 }

    /// Lends the bytes with a NUL behind them.
    func withCString<Result>(_ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
        storage.withMemoryRebound(to: CChar.self) { text in
            guard let base = text.baseAddress else { return body([0], 0) }
            return body(base, count)
        }
    }

    /// Lends the bytes to another room of this package, which must not keep them.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: storage.baseAddress, count: count))
    }

    /// Always the same word.
    public var description: String { "(secret)" }
    /// Always the same word.
    public var debugDescription: String { description }
    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
