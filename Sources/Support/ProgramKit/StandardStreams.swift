#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO

/// A program's standard output and standard error.
package enum StandardStream: Int32, Sendable {
    /// For results.
    case output = 1
    /// For everything else.
    case error = 2

    /// Whether it is a terminal.
    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes all of it, blocking; a closed pipe does not end the program. ``OutputFailure`` remembers the first failure of
    /// standard output.
    ///
    /// - Returns: whether everything was written.
    @discardableResult
    package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Writes all of it, blocking.
    ///
    /// - Returns: whether everything was written.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { write($0) } }

    /// Writes all of it, blocking, and no copy of it.
    ///
    /// - Returns: whether everything was written.
    @discardableResult
    package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let code = writeAll(bytes, to: rawValue) else { return true }
        if self == .output { OutputFailure.note(code) }
        return false
    }

    /// Makes writing to a closed pipe an error instead of ending the program; call it first.
    package static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }
}

/// Writes all of it, blocking.
///
/// - Returns: the `errno` of a failure; `nil` when everything was written.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
}

private func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
        let count = systemWrite(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        // Another program may have made a terminal that it shares with this one non-blocking.
        if count < 0, errno == EAGAIN {
            _ = Poller.wait(for: descriptor, .writable, within: .seconds(1))
            continue
        }
        guard count > 0 else { return errno }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
    return nil
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
