internal import MRSMessages
internal import ROSPrograms
internal import ROSMessages
internal import TextSearch
public import UAVLink
internal import YAML

/// Queries for planning, answered by ROS's own programs.
extension ROSCommandLines {
    /// `rosservice call` of the transformer: the geographic position of `world_origin`.
    public var worldOrigin: RemoteCommand {
        let question = YAMLText.record([
            .init("frame_id", .text(FrameName.latitudeLongitude.name)),
            .init(
                "reference",
                .record([.init("header", .record([.init("frame_id", .text(FrameName.worldOrigin.name))]))])),
        ])
        let name = names.name(of: .transformReference)
        guard !isTwo else {
            let type = MRSMsgs.TransformReferenceSrv.typeName
            let program = ROS2Program.call(name, type: type, request: Self.argument(question.flow))
            return abortable(callOfROS2: program)
        }
        return abortable("rosservice call \(name) \(Self.argument(question.flow))")
    }

    /// `rostopic echo` of one message, ended when its standard input closes.
    public func abortableEchoOnce(_ topic: VehicleTopic) -> RemoteCommand {
        abortable(echoing(topic, once: true), signal: "TERM")
    }

    /// `rostopic find`: the point cloud topics.
    public var maps: RemoteCommand {
        let type = SensorMsgs.PointCloud2.typeName
        return isTwo
            ? abortableScript(ROS2Program.topics(ofType: type)) : abortable("rostopic find \(type)", signal: "TERM")
    }

    /// `rosparam get`: the path of the vehicle's world file.
    public var worldParameter: RemoteCommand {
        let parts = names.worldParameter.split(separator: "/")
        let node = "/" + parts.dropLast().joined(separator: "/")
        return abortable(
            isTwo
                ? ROS2Program.parameter(String(parts[parts.count - 1]), of: node)
                : "rosparam get \(names.worldParameter)", signal: "TERM")
    }

    /// The path, parsed from the output of ``worldParameter``: any text; `nil` if the parameter is not set.
    ///
    /// - Throws: ``UAVLink/LinkError``: `rosMasterUnreachable`, `remoteFailed`.
    public func worldPath(from result: RemoteResult) throws(LinkError) -> String? {
        guard result.exitStatus == 0 else {
            let failure = ProgramFailure(result)
            if failure.text.includes("is not set") || failure.text.includes("Parameter not set") { return nil }
            if failure.kind == .masterUnreachable || failure.failsForLackOfRouter { throw environment.ros.unreachable }
            let more = failure.lastLine.isEmpty ? "" : ": \(failure.lastLine.sanitizedLine)"
            throw LinkError(
                .remoteFailed, "\(isTwo ? "ros2 param" : "rosparam") failed on the vehicle\(more)",
                hint: "set the profile's 'setup', for example: source /opt/ros/\(environment.ros.release)/setup.bash")
        }
        // ros2 prints it as it is.
        guard !isTwo else { return result.outputText.split(separator: "\n").first.map(String.init) }
        let limits = YAMLLimits(bytes: 1 << 16, depth: 4, nodes: 16)
        guard let path = try? YAMLReader.document(result.standardOutput, limits: limits).string, !path.isEmpty else {
            return nil
        }
        return path
    }

    /// The origin, parsed from the output of ``worldOrigin``; `nil` if the vehicle did not report it.
    public func worldOrigin(from result: RemoteResult) -> FlightEnvelope.WorldOrigin? {
        typealias Response = MRSMsgs.TransformReferenceSrv.Response
        guard result.exitStatus == 0,
            let document = try? YAMLReader.document(
                Self.response(in: result), limits: YAMLLimits(bytes: 1 << 16, depth: 16, nodes: 1000)),
            let bytes = try? YAMLMessage(Response.self).serialised(document),
            let response = try? Response(serialised: bytes)
        else { return nil }
        return FlightEnvelope.WorldOrigin(response)
    }

    /// The limits, parsed from the output of ``abortableEchoOnce(_:)`` for ``VehicleTopic/currentConstraints``.
    public func limits(from result: RemoteResult) -> MotionLimits? {
        guard let bytes = Self.message(of: .currentConstraints, in: result),
            let message = try? MRSMsgs.DynamicsConstraints(serialised: bytes)
        else { return nil }
        return MotionLimits(message)
    }

    /// The GNSS fix, parsed from the output of ``abortableEchoOnce(_:)`` for ``VehicleTopic/gnss``.
    public func fix(from result: RemoteResult, at now: MonotonicTime) -> GNSSFix? {
        guard let bytes = Self.message(of: .gnss, in: result) else { return nil }
        var assembler = TelemetryAssembler(vehicle: names.vehicle)
        guard (try? assembler.take(.gnss, serialised: bytes, at: now)) != nil else { return nil }
        return assembler.telemetry.gnss?.value
    }

    /// The topics, parsed from the output of ``maps``; at most ``UAVLink/AvailableMap/maximumAvailableMaps``.
    public func maps(from result: RemoteResult) -> [AvailableMap] {
        String(decoding: result.standardOutput.prefix(1 << 16), as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { AvailableMap(topic: String($0)) }
            .filter { (try? MapRequest(topic: $0.topic).validate()) != nil }
            .prefix(AvailableMap.maximumAvailableMaps).map(\.self)
    }

    private static func message(of topic: VehicleTopic, in result: RemoteResult) -> [UInt8]? {
        guard result.exitStatus == 0, var stream = try? EchoStream(topic) else { return nil }
        return try? stream.take(result.standardOutput + Array("---\n".utf8)).first
    }

    /// `rosservice call` that reads its request from a file in the user's home; the file is unlinked before the call
    /// begins.
    ///
    /// Standard input has no size limit, unlike a command line. Closing the channel ends the program.
    public func abortableCall(_ call: ServiceCall, readingFromHome file: String) -> RemoteCommand {
        // Opened before the set-up, which may change the working directory or the home.
        let path = RemoteShell.word("./" + file)
        let (name, first) = (names.name(of: call.service), ["exec 6<\(path) || exit 1", "rm -f -- \(path)"])
        guard !isTwo else {
            let program = ROS2Program.call(name, type: call.type.name, request: #""$(cat <&6)""#)
            return abortable(callOfROS2: program, first: first)
        }
        return abortable("rosservice call \(name)", input: "&6", first: first)
    }
}

extension ServiceCall {
    /// The request as a file for `rosservice call`: YAML with the fields of each point in order and without names,
    /// which halves rosservice's parsing time; `nil` for a request that fits a command line.
    public var largeDocument: [UInt8]? {
        guard case .trajectory(let trajectory) = request, trajectory.points.count > Self.maximumCommandLinePoints else {
            return nil
        }
        let head = YAMLText.record([
            .init("header", .record([.init("frame_id", .text(trajectory.frame.name))])),
            .init("use_heading", .bool(trajectory.usesHeading)), .init("fly_now", .bool(trajectory.fliesNow)),
            .init("loop", .bool(trajectory.loops)), .init("dt", .number(trajectory.timeStepSeconds)),
        ]).flow
        var out = Array("{trajectory: \(head.dropLast()), points: [".utf8)
        out.reserveCapacity(out.count + trajectory.points.count * 80)
        for (index, point) in trajectory.points.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            out += Array("[[".utf8)
            for (place, number) in [point.position.x, point.position.y, point.position.z].enumerated() {
                if place > 0 { out.append(UInt8(ascii: ",")) }
                out += Array(YAMLText.number(number).flow.utf8)
            }
            out += Array("],\(YAMLText.number(point.headingRadians).flow)]".utf8)
        }
        // rosservice treats the document as complete only after this line.
        out += Array("]}}\n---\n".utf8)
        return out
    }

    /// This many points fit a command line whatever their values.
    private static let maximumCommandLinePoints = 100

    /// rosservice takes 160 microseconds and 5 kB of memory per sample; larger trajectories need the companion.
    public static let maximumRosservicePoints = 200_000
}
