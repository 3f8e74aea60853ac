/// Why a link could not do what it was asked: a code to compare and one line for people.
public struct LinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it was; callers decide by it.
    public enum Code: String, Sendable, CaseIterable {
        /// The host does not answer, refuses the port or has no such name.
        case unreachable
        /// The log-in was refused.
        case authentication
        /// The host key is not known and nobody has accepted it.
        case hostKeyUnknown
        /// The host key is not the one that is known: always refused.
        case hostKeyChanged
        /// The time given ran out; the vehicle may or may not have acted.
        case timedOut
        /// The caller gave something that cannot be sent: not a number, out of range, an impossible name.
        case invalidInput
        /// The link is not connected (any more).
        case notConnected
        /// The link was closed while the call waited.
        case closed
        /// The caller cancelled.
        case cancelled
        /// The other end speaks another version.
        case versionMismatch
        /// The other end said something that its protocol does not allow.
        case protocolViolation
        /// There is no companion on the vehicle, and its program is not there or cannot run there.
        case companionMissing
        /// There is a companion, or there may be one, and it cannot be used: it refuses, does not answer, could not be started.
        case companionUnavailable
        /// The ROS master does not answer, as seen from the vehicle's end.
        case rosMasterUnreachable
        /// No node offers the service that the command needs.
        case serviceMissing
        /// A message or service type differs from ours.
        case typeMismatch
        /// A program run on the vehicle failed.
        case remoteFailed
        /// Another pilot is in command of the vehicle, or nobody is any more.
        case notInCommand
        /// Something this link cannot do.
        case unsupported
        /// A fault of ours.
        case internalFault
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in one line without a full stop, fit for a terminal.
    public let what: String
    /// What to do about it, in one line; empty when there is nothing to advise.
    public let hint: String

    /// Makes an error; text from the vehicle or a file is made harmless here, so callers may pass it as it came.
    public init(_ code: Code, _ what: String, hint: String = "") {
        self.code = code
        self.what = what.harmlessLine
        self.hint = hint.harmlessLine
    }

    /// The one line: what happened; what to do.
    public var description: String { hint.isEmpty ? what : "\(what); \(hint)" }
}
