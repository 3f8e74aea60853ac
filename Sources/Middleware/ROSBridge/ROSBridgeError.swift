internal import ReportKit
internal import SystemIO

/// An error of the rosbridge client: a code for programs and one line of text for users.
package struct ROSBridgeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for decisions of the caller.
    package enum Code: String, Sendable, CaseIterable {
        /// The server cannot be reached.
        case unreachable
        /// What listens there is no WebSocket server, or refuses the connection.
        case refused
        /// The server violated the protocol, or uses a part of it that this client does not have.
        case protocolViolation
        /// A length exceeds its bound.
        case tooLarge
        /// The connection has ended, or there is none yet.
        case notConnected
        /// The timeout expired.
        case timedOut
        /// The caller cancelled.
        case cancelled
        /// The client was closed.
        case closed
        /// A value cannot be written as JSON.
        case invalidValue
        /// The operating system refused a resource, such as a socket or a thread.
        case systemFailure
    }

    /// The kind of failure.
    package let code: Code
    /// What happened, in one line without a full stop; control characters are escaped.
    package let what: String
    /// What to do about it, in one line; empty for no advice.
    package let hint: String

    /// Creates an error; text from a peer may be passed unsanitized.
    package init(_ code: Code, _ what: String, hint: String = "") {
        self.code = code
        self.what = what.sanitizedErrorLine
        self.hint = hint.sanitizedErrorLine
    }

    /// An error of a socket or of the event loop.
    init(_ error: SocketError) {
        switch error.code {
        case .unreachable: self.init(.unreachable, error.what, hint: error.hint)
        case .closed: self = .clientClosed
        case .systemFailure: self.init(.systemFailure, error.what, hint: error.hint)
        }
    }

    /// The client was closed by its owner.
    static var clientClosed: Self { Self(.closed, "the connection to the rosbridge server was closed") }

    /// One line: what happened; what to do.
    package var description: String { hint.isEmpty ? what : "\(what); \(hint)" }
}
