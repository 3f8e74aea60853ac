internal import Secrets

/// A password, a passphrase or a private key: wiped from memory on deallocation, and never printed.
///
/// Not wiped: a Swift `String` that the user typed into (it is copied as it grows), the copies that libssh2 makes while
/// it authenticates, including the decoded key, and the kernel's cache of a file.
package final class SSHSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The bytes and a terminating NUL; written in `init` before the object is shared, wiped in `deinit`.
    /// Unchecked because a pointer is not Sendable; it is never written while another thread can read it.
    private nonisolated(unsafe) let storage: UnsafeMutableBufferPointer<UInt8>
    private let count: Int

    /// Copies these bytes.
    package init(_ bytes: some Collection<UInt8>) {
        count = bytes.count
        storage = .allocate(capacity: bytes.count + 1)
        _ = storage.initialize(from: bytes)
        storage.initializeElement(at: bytes.count, to: 0)
    }

    /// Lets `fill` write up to `capacity` bytes; it returns how many it wrote, or `nil` to fail.
    init?(capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int?) {
        storage = .allocate(capacity: capacity + 1)
        storage.initialize(repeating: 0)
        guard
            let count = fill(
                UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(storage)[..<capacity]))
        else {
            self.count = 0
            return nil
        }
        self.count = min(max(0, count), capacity)
        storage[self.count] = 0
    }

    /// Copies this text as UTF-8. The caller's string is not wiped.
    package convenience init(_ text: String) { self.init(text.utf8) }

    deinit {
        UnsafeMutableRawBufferPointer(storage).wipe()
        storage.deallocate()
    }

    /// Whether the secret has no bytes.
    package var isEmpty: Bool { count == 0 }

    /// Passes the NUL-terminated bytes to `body`.
    func withCString<Result>(_ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
        storage.withMemoryRebound(to: CChar.self) { text in
            guard let base = text.baseAddress else { return body([0], 0) }
            return body(base, count)
        }
    }

    /// Passes the bytes to code elsewhere in this package, which must not keep them.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: storage.baseAddress, count: count))
    }

    /// A fixed placeholder.
    package var description: String { "(secret)" }
    /// A fixed placeholder.
    package var debugDescription: String { description }
    /// A mirror without children.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
