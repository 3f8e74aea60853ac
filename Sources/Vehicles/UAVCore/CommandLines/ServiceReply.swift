public import UAVLink
internal import YAML

extension ServiceCall {
    /// A service's answer is a few lines; more is not one.
    private static let limits = YAMLLimits(bytes: 1 << 20, depth: 16, nodes: 20_000)

    /// The vehicle's answer from what `rosservice call` wrote.
    ///
    /// - Throws: ``UAVLink/LinkError``: `rosMasterUnreachable`, `serviceMissing`, `typeMismatch`, `remoteFailed` when the
    ///   call was not made; `timedOut` when it is not known whether it was.
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
            // Without a request on its command line, rosservice reads requests from standard input when the service's
            // type has fields; there is none, so it calls nobody and ends well.
            if yaml == nil, result.standardOutput.isEmpty, failure.text.isEmpty {
                throw LinkError(
                    .typeMismatch, "'\(service.rawValue)' wants a request, so it has not our type \(type.name)",
                    hint: "has another node taken the service's name? 'rosservice info' on the vehicle tells")
            }
            // rosservice ends well even when it could not read the request from standard input.
            if failure.text.contains("Invalid YAML") {
                throw LinkError(.internalFault, "the vehicle could not read our request: \(failure.lastLine)")
            }
            throw LinkError(
                .timedOut, "the answer of '\(service.rawValue)' could not be read: \(error)",
                hint: "the vehicle may or may not have acted; a 'setup' that starts other programs can garble answers")
        }
    }

    private func refusal(_ failure: RosserviceFailure) throws(LinkError) -> CommandReply {
        switch failure.kind {
        case .answeredError(let text): return refusal(text)
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
                hint: "it may have died, or ROS_IP or ROS_HOSTNAME of the vehicle names a wrong address")
        case .typeUnknown(let name):
            throw LinkError(
                .typeMismatch, "rosservice on the vehicle does not know the type \(name)",
                hint: "the profile's 'setup' must source the workspace that holds it")
        case .sumsDiffer:
            throw LinkError(
                .typeMismatch, "rosservice and the flight stack mean different types: \(failure.lastLine)",
                hint: "the profile's 'setup' must source the workspace that the flight stack runs from")
        case .argumentsWrong:
            throw LinkError(
                .typeMismatch,
                "'\(service.rawValue)' takes other fields than \(type.name) of ours: \(failure.essence)")
        case .notFound:
            throw LinkError(
                .remoteFailed,
                "rosservice is not found on the vehicle"
                    + (failure.text.isEmpty ? "" : " (\(failure.firstLine))"),
                hint: "set the profile's 'setup', for example: source /opt/ros/noetic/setup.bash")
        case .interrupted:
            throw LinkError(
                .timedOut, "the call of '\(service.rawValue)' broke off: \(failure.lastLine)",
                hint: "the vehicle may or may not have acted")
        }
    }
}

/// What went wrong with a `rosservice call`, by its words. They are those of rosservice 1.15 and 1.16.
struct RosserviceFailure {
    enum Kind: Hashable {
        case answeredError(String)
        case masterUnreachable, serviceMissing, serviceUnreachable, typeUnknown(String), sumsDiffer, argumentsWrong
        case notFound
        /// Anything after which it is not known whether the vehicle acted.
        case interrupted
    }

    /// Standard error, what matters of it.
    let text: String
    let kind: Kind

    /// More of standard error is not looked at.
    private static let maximumBytes = 64 * 1024

    init(_ result: RemoteResult) {
        // The end of a long one tells what happened.
        let text = String(decoding: result.standardError.suffix(Self.maximumBytes), as: UTF8.self)
        self.text = text
        if result.signal != nil {
            kind = .interrupted
        } else if result.exitStatus == 127 {
            kind = .notFound
        } else if let answer = Self.part(of: text, after: "responded with an error: ") {
            kind = .answeredError(PythonBytes.text(answer))
        } else if text.contains("Unable to communicate with master") || text.contains("invalid master URI")
            || text.contains("Network communication failed with the master")
        {
            kind = .masterUnreachable
        } else if text.contains("is not available") || text.contains("Unknown service") {
            kind = .serviceMissing
        } else if text.contains("Unable to communicate with service") || text.contains("unable to connect to service") {
            kind = text.contains("md5sum") ? .sumsDiffer : .serviceUnreachable
        } else if let type = Self.part(of: text, after: "Unable to load type [") {
            kind = .typeUnknown(String(type.prefix { $0 != "]" }))
        } else if text.contains("md5sum") {
            kind = .sumsDiffer
        } else if text.contains("Incompatible arguments") || text.contains("SerializationError")
            || text.contains("incorrect type")
        {
            kind = .argumentsWrong
        } else {
            kind = .interrupted
        }
    }

    /// The first line that says anything.
    var firstLine: String { lines.first.map(String.init) ?? "" }

    /// The last line that says anything; where Python gives up, the reason stands there.
    var lastLine: String { lines.last.map(String.init) ?? "it gave no reason" }

    /// What follows "ERROR:", without the rest of the page.
    var essence: String {
        guard let error = lines.firstIndex(where: { $0.hasPrefix("ERROR:") }) else { return lastLine }
        return lines[error...].prefix(2).joined(separator: " ")
    }

    private var lines: [Substring] {
        text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    }

    private static func part(of text: String, after marker: String) -> Substring? {
        text.firstRange(of: marker).map { text[$0.upperBound...] }
    }
}

/// Bytes as Python 3 prints them: `b'text\xc3\xbc'`.
enum PythonBytes {
    /// The text in them; a text that is not printed so (Python 2 does not) comes back as it is, without its line's end.
    static func text(_ printed: Substring) -> String {
        let bytes = Array(printed.utf8)
        guard bytes.count >= 2, bytes[0] == UInt8(ascii: "b"),
            bytes[1] == UInt8(ascii: "'") || bytes[1] == UInt8(ascii: "\"")
        else { return printed.prefix { !$0.isNewline }.description }
        let quote = bytes[1]
        var out: [UInt8] = []
        var place = 2
        // A line's end is never inside: Python writes it as an escape.
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
