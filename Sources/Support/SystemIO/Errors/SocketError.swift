/// An error of the sockets, threads or host names of the system.
package struct SocketError: Error, Hashable, Sendable {
    /// The kind of failure.
    package enum Code: Hashable, Sendable {
        /// A host has no address, or cannot be connected to.
        case unreachable
        /// The event loop has stopped.
        case closed
        /// The operating system refused a resource, such as a socket or a thread.
        case systemFailure
    }

    /// The kind of failure.
    package let code: Code
    /// What happened, in one line without a full stop; host names in it are not sanitized.
    package let what: String
    /// What to do about it, in one line; empty for no advice.
    package let hint: String

    /// Creates an error.
    package init(_ code: Code, _ what: String, hint: String = "") {
        self.code = code
        self.what = what
        self.hint = hint
    }
}
