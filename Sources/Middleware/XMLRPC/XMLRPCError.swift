internal import ReportKit

/// An error of an XML-RPC call or document: a code for programs and one line of text for users.
public struct XMLRPCError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// The server cannot be reached; the call was not sent.
        case unreachable
        /// The connection broke after the call was sent: it is not known whether it was executed.
        case connectionLost
        /// The server did not answer before the deadline.
        case timedOut
        /// The client was closed.
        case closed
        /// The peer violated HTTP or XML-RPC.
        case protocolViolation
        /// A received length exceeds its bound.
        case tooLarge
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in one line without a full stop; control characters are escaped.
    public let what: String

    /// Creates an error; text from a peer may be passed unsanitized.
    public init(_ code: Code, _ what: String) {
        self.code = code
        self.what = what.sanitizedErrorLine
    }

    /// What happened.
    public var description: String { what }
}
