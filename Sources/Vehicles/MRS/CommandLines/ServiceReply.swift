public import UAVLink
internal import YAML
internal import TextSearch

extension ServiceCall {
    /// A service's answer is a few lines; a larger one is rejected.
    private static let limits = YAMLLimits(bytes: 1 << 20, depth: 16, nodes: 20_000)

    /// The vehicle's answer, parsed from the output of `rosservice call`.
    ///
    /// - Throws: ``UAVLink/LinkError``: `rosMasterUnreachable`, `serviceMissing`, `typeMismatch`, `remoteFailed`,
    ///   `internalFault` if the call was not made; `timedOut` if it is unknown whether it was.
    public func reply(to result: RemoteResult) throws(LinkError) -> CommandReply {
        guard result.exitStatus == 0 else { return try refusal(RosserviceFailure(result)) }
        do {
            let response = try YAMLReader.document(result.standardOutput, limits: Self.limits)
            let modified = try response.find("modified")?.bool ?? false
            return reply(
                accepted: try response.value("success").bool,
                message: try response.find("message").map { try $0.isNull ? "" : $0.string } ?? "", modified: modified)
        } catch {
            let failure = RosserviceFailure(result)
            // Without a request on its command line, rosservice reads requests from standard input if the service's
            // type has fields. Standard input is empty, so it makes no call and exits with 0.
            if yaml == nil, result.standardOutput.isEmpty, failure.text.isEmpty {
                throw LinkError(
                    .typeMismatch,
                    "'\(service.rawValue)' expects a request, so its type is not this program's \(type.name)",
                    hint: "another node may use the service's name; check with 'rosservice info' on the vehicle")
            }
            // rosservice exits with 0 even if it could not read the request from standard input.
            if failure.text.includes("Invalid YAML") {
                throw LinkError(.internalFault, "the vehicle could not read the request: \(failure.lastLine)")
            }
            throw LinkError(
                .timedOut, "the answer of '\(service.rawValue)' could not be read: \(error)",
                hint: "it is unknown whether the vehicle acted; a 'setup' that starts programs can corrupt answers")
        }
    }

    private func refusal(_ failure: RosserviceFailure) throws(LinkError) -> CommandReply {
        switch failure.kind {
        case .errorResponse(let text): return refusal(text)
        case .masterUnreachable:
            throw LinkError(
                .rosMasterUnreachable, "the vehicle cannot reach its ROS master",
                hint: "is roscore running there? ROS_MASTER_URI can be exported in the profile's 'setup'")
        case .serviceMissing:
            throw LinkError(
                .serviceMissing, "no node on the vehicle offers '\(service.rawValue)'",
                hint: "is the flight stack running, and is the vehicle's name right?")
        case .serviceUnreachable:
            throw LinkError(
                .serviceMissing, "the node that offers '\(service.rawValue)' does not answer",
                hint: "it may have crashed, or ROS_IP or ROS_HOSTNAME of the vehicle names a wrong address")
        case .typeUnknown(let name):
            throw LinkError(
                .typeMismatch, "rosservice on the vehicle does not know the type \(name)",
                hint: "the profile's 'setup' must source the workspace that holds it")
        case .md5Mismatch:
            throw LinkError(
                .typeMismatch, "rosservice and the flight stack use different versions of a type: \(failure.lastLine)",
                hint: "the profile's 'setup' must source the workspace that the flight stack runs from")
        case .argumentMismatch:
            throw LinkError(
                .typeMismatch,
                "'\(service.rawValue)' expects other fields than this program's \(type.name): \(failure.errorSummary)")
        case .notFound:
            throw LinkError(
                .remoteFailed,
                "rosservice was not found on the vehicle"
                    + (failure.text.isEmpty ? "" : " (\(failure.firstLine))"),
                hint: "set the profile's 'setup', for example: source /opt/ros/noetic/setup.bash")
        case .interrupted:
            throw LinkError(
                .timedOut, "the call of '\(service.rawValue)' was interrupted: \(failure.lastLine)",
                hint: "it is unknown whether the vehicle acted")
        }
    }
}

/// The cause of a failed `rosservice call`, derived from its messages as worded in rosservice 1.15 and 1.16.
struct RosserviceFailure {
    enum Kind: Hashable {
        case errorResponse(String)
        case masterUnreachable, serviceMissing, serviceUnreachable, typeUnknown(String), md5Mismatch, argumentMismatch
        case notFound
        /// Any failure after which it is unknown whether the vehicle acted.
        case interrupted
    }

    /// Standard error, or its end.
    let text: String
    let kind: Kind

    /// How much of standard error is examined.
    private static let maximumBytes = 64 * 1024

    init(_ result: RemoteResult) {
        // The cause is at the end of a long text.
        let text = String(decoding: result.standardError.suffix(Self.maximumBytes), as: UTF8.self)
        self.text = text
        if result.signal != nil {
            kind = .interrupted
        } else if result.exitStatus == 127 {
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
        } else if text.includes("md5sum") {
            kind = .md5Mismatch
        } else if text.includes("Incompatible arguments") || text.includes("SerializationError")
            || text.includes("incorrect type")
        {
            kind = .argumentMismatch
        } else {
            kind = .interrupted
        }
    }

    /// The first non-blank line.
    var firstLine: String { lines.first.map(String.init) ?? "" }

    /// The last non-blank line; a Python traceback ends with the reason.
    var lastLine: String { lines.last.map(String.init) ?? "no reason given" }

    /// The line that begins with "ERROR:" and the one after it.
    var errorSummary: String {
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

/// Bytes as printed by Python 3: `b'text\xc3\xbc'`.
enum PythonBytes {
    /// The decoded text; a text in another form (as of Python 2) is returned unchanged up to its newline.
    static func text(_ printed: Substring) -> String {
        let bytes = Array(printed.utf8)
        guard bytes.count >= 2, bytes[0] == UInt8(ascii: "b"),
            bytes[1] == UInt8(ascii: "'") || bytes[1] == UInt8(ascii: "\"")
        else { return printed.prefix { !$0.isNewline }.description }
        let quote = bytes[1]
        var out: [UInt8] = []
        var place = 2
        // A bytes literal contains no newline: Python escapes it.
        while place < bytes.count, bytes[place] != quote, bytes[place] != 0x0A {
            guard bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count else {
                out.append(bytes[place])
                place += 1
                continue
            }
            let escape = bytes[place + 1]
            place += 2
            switch escape {
            case UInt8(ascii: "n"): out.append(0x0A)
            case UInt8(ascii: "r"): out.append(0x0D)
            case UInt8(ascii: "t"): out.append(0x09)
            case UInt8(ascii: "x"):
                guard place + 1 < bytes.count,
                    let byte = UInt8(String(decoding: bytes[place...place + 1], as: UTF8.self), radix: 16)
                else { continue }
                out.append(byte)
                place += 2
            default: out.append(escape)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
