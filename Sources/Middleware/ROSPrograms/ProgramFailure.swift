internal import TextSearch

/// The cause of a failed call of a service, derived from the messages of `rosservice` as worded in 1.15 and 1.16, and from
/// those of `ros2 service` as worded in Jazzy.
public struct ProgramFailure: Sendable {
    /// What went wrong.
    public enum Kind: Hashable, Sendable {
        /// The service's node answered with an error, in these words.
        case errorResponse(String)
        /// There is no ROS master, no such service, or its node does not answer.
        case masterUnreachable, serviceMissing, serviceUnreachable
        /// The type is not known to the program, has another MD5 sum, or other fields.
        case typeUnknown(String), md5Mismatch, argumentMismatch
        /// There is no such program.
        case notFound
        /// Any failure after which it is unknown whether the vehicle acted.
        case interrupted
    }

    /// Standard error, or its end.
    public let text: String
    /// What went wrong.
    public let kind: Kind

    /// How much of standard error is examined.
    private static let maximumBytes = 64 * 1024

    /// Derives it from what the program wrote to standard output and standard error, and how it ended.
    public init(_ output: [UInt8], errors: [UInt8], status: Int?, signal: String?) {
        // The cause is at the end of a long text.
        let text = String(decoding: errors.suffix(Self.maximumBytes), as: UTF8.self)
        self.text = text
        if signal != nil || ServiceCallOutput(output)?.isSent == true {
            // Whatever it says then: the vehicle may have acted.
            kind = .interrupted
        } else if status == 127 {
            kind = .notFound
        } else if let answer = Self.part(of: text, after: "responded with an error: ") {
            kind = .errorResponse(PythonBytes.text(answer))
        } else if text.includes("Unable to communicate with master") || text.includes("invalid master URI")
            || text.includes("Network communication failed with the master")
        {
            kind = .masterUnreachable
        } else if text.includes("is not available") || text.includes("Unknown service") {
            kind = .serviceMissing
        } else if text.includes("Unable to communicate with service") || text.includes("unable to connect to service") {
            kind = text.includes("md5sum") ? .md5Mismatch : .serviceUnreachable
        } else if let type = Self.part(of: text, after: "Unable to load type [") {
            kind = .typeUnknown(String(type.prefix { $0 != "]" }))
        } else if text.includes(Self.unknownType) {
            // ros2 does not name it.
            kind = .typeUnknown("of the service")
        } else if text.includes("md5sum") {
            kind = .md5Mismatch
        } else if text.includes("Incompatible arguments") || text.includes("SerializationError")
            || text.includes("incorrect type") || text.includes("Failed to populate field")
        {
            kind = .argumentMismatch
        } else {
            kind = .interrupted
        }
    }

    /// Whether it found no Zenoh router when it began. Alone it is no reason: a router may have come later.
    public var lacksRouter: Bool { text.includes(Self.missingRouter) }
    /// Whether that is why it failed: it says nothing else, or that there is no such node, which may be behind the router.
    public var failsForLackOfRouter: Bool {
        lacksRouter && (lastLine.includes(Self.missingRouter) || lastLine.includes("Node not found"))
    }
    /// How `rmw_zenoh` says that.
    public static let missingRouter = "Unable to connect to a Zenoh router"
    private static let unknownType = "The passed service type is invalid"

    /// The first non-blank line.
    public var firstLine: String { lines.first.map(String.init) ?? "" }

    /// The last non-blank line; a Python traceback ends with the reason.
    public var lastLine: String { lines.last.map(String.init) ?? "no reason given" }

    /// The line that begins with "ERROR:" and the one after it.
    public var errorSummary: String {
        guard let error = lines.firstIndex(where: { $0.hasPrefix("ERROR:") }) else { return lastLine }
        return lines[error...].prefix(2).joined(separator: " ")
    }

    private var lines: [Substring] {
        text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    }

    private static func part(of text: String, after marker: String) -> Substring? {
        text.rest(after: marker)
    }
}
