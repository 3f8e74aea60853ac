#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Dispatch

/// A program's standard input.
package enum StandardInput {
    private static let chunkBytes = 32 * 1024

    /// The input in chunks, until it ends; read on a separate Dispatch queue, since reading blocks.
    package static var bytes: AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            DispatchQueue(label: "standard input").async {
                var buffer = [UInt8](repeating: 0, count: chunkBytes)
                while true {
                    let count = read(STDIN_FILENO, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0, case .enqueued = continuation.yield(Array(buffer[..<count])) else { break }
                }
                continuation.finish()
            }
        }
    }

    /// Whether it is a terminal.
    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
