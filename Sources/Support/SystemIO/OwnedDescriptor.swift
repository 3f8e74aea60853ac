internal import CSystemIO

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The sole owner of an open descriptor. It is closed with the last reference, once, so no thread can use a descriptor number
/// that has been reused for something else.
package final class OwnedDescriptor: Sendable {
    /// The descriptor.
    package let number: Int32

    /// Takes an open descriptor, which nothing else closes from now on.
    package init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Has reads and writes return at once when they would wait.
    package func makeNonBlocking() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }

    /// Keeps the descriptor from the programs that this process starts.
    package func closeOnExec() { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }

    /// A pipe whose ends other programs do not inherit.
    ///
    /// - Throws: ``SocketError`` with ``SocketError/Code/systemFailure`` if the system has no descriptors left.
    package static func pipe() throws(SocketError) -> (reading: OwnedDescriptor, writing: OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        guard system_io_pipe(&ends) == 0 else { throw .noDescriptor("a pipe", errno) }
        return (reading: OwnedDescriptor(ends[0]), writing: OwnedDescriptor(ends[1]))
    }
}

extension SocketError {
    /// The system refuses a descriptor, with its `errno`.
    static func noDescriptor(_ what: String, _ number: Int32) -> SocketError {
        let isLimit = number == EMFILE || number == ENFILE
        return SocketError(
            .systemFailure, "cannot create \(what): \(SystemError.text(number))",
            hint: isLimit ? "end other programs, or raise 'ulimit -n'" : "")
    }
}
