internal import ReportKit

/// An error of the ROS client or of a bag: a code for programs and one line of text for users.
public struct ROSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for decisions of the caller.
    public enum Code: String, Sendable, CaseIterable {
        /// A graph name is not valid in ROS.
        case invalidName
        /// An environment variable, an argument or a setting is invalid.
        case invalidConfiguration
        /// The ROS master does not answer.
        case masterUnreachable
        /// The master, or another node, refused the request.
        case refused
        /// No node offers the service.
        case noProvider
        /// The node that offers the service (or publishes the topic) cannot be reached; nothing was executed.
        case unreachable
        /// The service was executed and reported failure (its ok byte was 0); ``ROSError/what`` has its text.
        case serviceFailed
        /// The connection broke after the request was sent: it is not known whether it was executed.
        case connectionLost
        /// The timeout expired; when the request was sent already, it is not known whether it was executed.
        case timedOut
        /// The caller cancelled.
        case cancelled
        /// The node was shut down.
        case closed
        /// The peer has another message or service type, or another MD5 sum of it.
        case typeMismatch
        /// The peer violated its protocol.
        case protocolViolation
        /// A received length exceeds its bound.
        case tooLarge
        /// The call is not allowed here, such as a blocking call on the node's own I/O thread.
        case misuse
        /// The operating system refused a resource, such as a socket or a thread.
        case systemFailure
        /// The file is not a bag, or uses a feature that this reader does not support.
        case badBag
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
