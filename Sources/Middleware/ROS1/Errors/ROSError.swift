/// Why something could not be had from the ROS graph: a code to compare and one line for people.
public struct ROSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it was; callers decide by it.
    public enum Code: String, Sendable, CaseIterable {
        /// A graph name that ROS does not allow.
        case invalidName
        /// An environment variable, an argument or a setting that cannot be used.
        case invalidConfiguration
        /// The ROS master does not answer.
        case masterUnreachable
        /// The master, or another node, answered that it will not do it.
        case refused
        /// No node offers the service.
        case noProvider
        /// The node that offers the service (or publishes the topic) cannot be reached; nothing was executed.
        case unreachable
        /// The service ran and said that it failed (its ok byte was 0); ``ROSError/what`` carries its text.
        case serviceFailed
        /// The connection broke after the request had left: it is not known whether it was executed.
        case connectionLost
        /// The time given ran out; when a request had left, it is not known whether it was executed.
        case timedOut
        /// The caller cancelled.
        case cancelled
        /// The node was shut down.
        case closed
        /// The other end has another message or service type, or another MD5 sum for it.
        case typeMismatch
        /// The other end said something that its protocol does not allow.
        case protocolViolation
        /// A length from outside that is above its bound.
        case tooLarge
        /// The call is not allowed here, such as a blocking call on the node's own I/O thread.
        case misuse
        /// The operating system refused a socket, a thread or the like.
        case systemFailure
        /// The file is not a bag, or uses what this reader does not know.
        case badBag
        /// The parameter is not set.
        case noSuchParameter
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in one line without a full stop; control characters are made visible.
    public let what: String
    /// What to do about it, in one line; empty when there is nothing to advise.
    public let hint: String

    /// Makes an error; text from a peer may be passed as it came.
    public init(_ code: Code, _ what: String, hint: String = "") {
        self.code = code
        self.what = Self.onOneLine(what)
        self.hint = Self.onOneLine(hint)
    }

    /// The one line: what happened; what to do.
    public var description: String { hint.isEmpty ? what : "\(what); \(hint)" }

    /// Peers' texts are untrusted and may be long: control characters are shown, and what is too long is cut.
    private static func onOneLine(_ text: String) -> String {
        let longest = 1000
        var out = String.UnicodeScalarView()
        for (index, scalar) in text.unicodeScalars.enumerated() {
            guard index < longest else {
                out.append("\u{2026}")
                break
            }
            switch scalar.value {
            case 0x09, 0x0A: out.append(" ")
            case 0x00...0x1F: out.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
            case 0x7F: out.append("\u{2421}")
            case 0x80...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                out.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: out.append(scalar)
            }
        }
        return String(out)
    }
}
