/// Why an operation on a link failed: a code to compare and a one-line message.
public struct LinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for callers to act on.
    public enum Code: String, Sendable, CaseIterable {
        /// The host does not answer, refuses the connection, or its name cannot be resolved.
        case unreachable
        /// The log-in was refused.
        case authentication
        /// The host key is not known and was not accepted.
        case hostKeyUnknown
        /// The host key differs from the known one: always refused.
        case hostKeyChanged
        /// The timeout expired; the vehicle may or may not have acted.
        case timedOut
        /// An argument that cannot be sent: not a finite number, out of range, an invalid name.
        case invalidInput
        /// The link is not connected, or no longer.
        case notConnected
        /// The link was closed while the call waited.
        case closed
        /// The caller cancelled.
        case cancelled
        /// The peer uses another protocol version.
        case versionMismatch
        /// The peer sent something that the protocol does not allow.
        case protocolViolation
        /// No companion is running on the vehicle, and its program is not installed or cannot run there.
        case companionMissing
        /// A companion is running, or may be, but cannot be used: it refuses, does not answer, or could not be started.
        case companionUnavailable
        /// The ROS master does not answer where the ROS client runs.
        case rosMasterUnreachable
        /// No node offers the service that the command needs.
        case serviceMissing
        /// A message or service type differs from the one expected here.
        case typeMismatch
        /// A program run on the vehicle failed.
        case remoteFailed
        /// Another pilot has control authority, or it has ended.
        case notInCommand
        /// The link does not support the operation.
        case unsupported
        /// An internal error of this program.
        case internalFault
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in one line without a full stop, fit for a terminal.
    public let what: String
    /// What to do about it, in one line; may be empty.
    public let hint: String

    /// Makes an error; the texts are sanitized here, so callers may pass foreign text unchanged.
    public init(_ code: Code, _ what: String, hint: String = "") {
        self.code = code
        self.what = what.sanitizedLine
        self.hint = hint.sanitizedLine
    }

    /// One line: what happened; what to do.
    public var description: String { hint.isEmpty ? what : "\(what); \(hint)" }
}
