internal import ReportKit

/// An error of the Zenoh client: a code for programs and one line of text for users.
public struct ZenohError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for decisions of the caller.
    public enum Code: String, Sendable, CaseIterable {
        /// A key expression is not valid.
        case invalidKey
        /// A locator or another setting is invalid.
        case invalidConfiguration
        /// The router's certificate was not accepted, or ours was not accepted by the router.
        case untrusted
        /// The router cannot be reached.
        case unreachable
        /// There is no session with a router now; nothing was sent.
        case notConnected
        /// The session ended after the query was sent: it is not known whether it was executed.
        case connectionLost
        /// The timeout expired; when a query was sent already, it is not known whether it was executed.
        case timedOut
        /// The caller cancelled.
        case cancelled
        /// The client was shut down.
        case closed
        /// The router refused or ended the session, with its reason.
        case refused
        /// The router violated the protocol, or requires a part of it that this client does not have.
        case protocolViolation
        /// A length exceeds its bound.
        case tooLarge
        /// The connection does not accept more bytes now; nothing was sent.
        case congested
        /// The operating system refused a resource, such as a socket or a thread.
        case systemFailure
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in one line without a full stop; control characters are escaped.
    public let what: String
    /// What to do about it, in one line; empty for no advice.
    public let hint: String

    /// Creates an error; text from a peer may be passed unsanitized.
    public init(_ code: Code, _ what: String, hint: String = "") {
        self.code = code
        self.what = what.sanitizedErrorLine
        self.hint = hint.sanitizedErrorLine
    }

    /// One line: what happened; what to do.
    public var description: String { hint.isEmpty ? what : "\(what); \(hint)" }
}
