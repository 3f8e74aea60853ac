internal import ROSPrograms
internal import TextSearch
public import UAVLink
internal import YAML

extension ServiceCall {
    /// A service's answer is a few lines; a larger one is rejected.
    private static let limits = YAMLLimits(bytes: 1 << 20, depth: 16, nodes: 20_000)

    /// The vehicle's answer, parsed from the output of `rosservice call` or, in ROS 2, `ros2 service call`.
    ///
    /// - Throws: ``UAVLink/LinkError``: `rosMasterUnreachable`, `serviceMissing`, `typeMismatch`, `remoteFailed`,
    ///   `internalFault` if the call was not made; `timedOut` if it is unknown whether it was.
    public func reply(to result: RemoteResult, from ros: ROSVersion = .one) throws(LinkError) -> CommandReply {
        if ServiceCallOutput(result.standardOutput) == .waiting {
            throw ProgramFailure(result).lacksRouter ? ros.unreachable : serviceMissing
        }
        guard result.exitStatus == 0 else { return try refusal(ProgramFailure(result), ros) }
        do {
            let response = try YAMLReader.document(
                ROSCommandLines.response(in: result), limits: Self.limits)
            let modified = try response.find("modified")?.bool ?? false
            return reply(
                accepted: try response.value("success").bool,
                message: try response.find("message").map { try $0.isNull ? "" : $0.string } ?? "", modified: modified)
        } catch {
            let failure = ProgramFailure(result)
            // Without a request on its command line, rosservice reads requests from standard input if the service's
            // type has fields. Standard input is empty, so it makes no call and exits with 0.
            if !ros.isTwo, yaml == nil, result.standardOutput.isEmpty, failure.text.isEmpty {
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

    private var serviceMissing: LinkError {
        LinkError(
            .serviceMissing, "no node on the vehicle offers '\(service.rawValue)'",
            hint: "is the flight stack running, and is the vehicle's name right?")
    }

    private func refusal(_ failure: ProgramFailure, _ ros: ROSVersion) throws(LinkError) -> CommandReply {
        switch failure.kind {
        case .errorResponse(let text): return refusal(text)
        case .masterUnreachable: throw ros.unreachable
        case .serviceMissing: throw serviceMissing
        case .serviceUnreachable:
            throw LinkError(
                .serviceMissing, "the node that offers '\(service.rawValue)' does not answer",
                hint: "it may have crashed\(ros.isTwo ? "" : ", or the vehicle's ROS_IP or ROS_HOSTNAME is wrong")")
        case .typeUnknown(let name):
            throw LinkError(
                .typeMismatch, "\(ros.program) on the vehicle does not know the type \(name)",
                hint: "the profile's 'setup' must source the workspace that holds it")
        case .md5Mismatch:
            throw LinkError(
                .typeMismatch, "\(ros.program) and the flight stack differ in a type: \(failure.lastLine)",
                hint: "the profile's 'setup' must source the workspace that the flight stack runs from")
        case .argumentMismatch:
            throw LinkError(
                .typeMismatch,
                "'\(service.rawValue)' expects other fields than this program's \(type.name): \(failure.errorSummary)")
        case .notFound:
            throw LinkError(
                .remoteFailed,
                "\(ros.program) was not found on the vehicle"
                    + (failure.text.isEmpty ? "" : " (\(failure.firstLine))"),
                hint: "set the profile's 'setup', for example: source /opt/ros/\(ros.release)/setup.bash")
        case .interrupted:
            throw LinkError(
                .timedOut, "the call of '\(service.rawValue)' was interrupted: \(failure.lastLine)",
                hint: "it is unknown whether the vehicle acted")
        }
    }
}

extension ProgramFailure {
    init(_ result: RemoteResult) {
        self.init(result.standardOutput, errors: result.standardError, status: result.exitStatus, signal: result.signal)
    }
}
