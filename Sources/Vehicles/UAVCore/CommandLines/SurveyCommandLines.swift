internal import ROS1
public import UAVLink
internal import YAML

/// What a plan needs to know, asked by ROS's own programs.
extension ROSCommandLines {
    /// `rosservice call` of the transformer: where `world_origin` lies.
    public var worldOrigin: RemoteCommand {
        let question = YAMLText.record([
            .init("frame_id", .text(FrameName.latitudeLongitude.name)),
            .init(
                "reference",
                .record([.init("header", .record([.init("frame_id", .text(FrameName.worldOrigin.name))]))])),
        ])
        return abortable("rosservice call \(names.name(of: .transformReference)) \(Self.argument(question.flow))")
    }

    /// `rostopic echo` of one message, ended when its standard input is.
    public func abortableEchoOnce(_ topic: VehicleTopic) -> RemoteCommand {
        abortable("rostopic echo -n 1 \(names.name(of: topic))", signal: "TERM")
    }

    /// `rostopic find`: the topics of point clouds.
    public var maps: RemoteCommand { abortable("rostopic find \(SensorMsgs.PointCloud2.typeName)", signal: "TERM") }

    /// Where the origin lies by what ``worldOrigin`` wrote; `nil` when the vehicle does not tell.
    public func worldOrigin(from result: RemoteResult) -> FlightEnvelope.WorldOrigin? {
        typealias Response = MRSMsgs.TransformReferenceSrv.Response
        guard result.exitStatus == 0,
            let document = try? YAMLReader.document(
                result.standardOutput, limits: YAMLLimits(bytes: 1 << 16, depth: 16, nodes: 1000)),
            let bytes = try? YAMLMessage(Response.self).serialised(document),
            let response = try? Response(serialised: bytes)
        else { return nil }
        return FlightEnvelope.WorldOrigin(response)
    }

    /// The limits by what ``abortableEchoOnce(_:)`` wrote of ``VehicleTopic/currentConstraints``.
    public func limits(from result: RemoteResult) -> MotionLimits? {
        guard let bytes = Self.message(of: .currentConstraints, in: result),
            let message = try? MRSMsgs.DynamicsConstraints(serialised: bytes)
        else { return nil }
        return MotionLimits(message)
    }

    /// Telemetry with the satellite fix that ``abortableEchoOnce(_:)`` wrote of ``VehicleTopic/gnss``.
    public func fix(from result: RemoteResult, at now: MonotonicTime) -> GNSSFix? {
        guard let bytes = Self.message(of: .gnss, in: result) else { return nil }
        var assembler = TelemetryAssembler(vehicle: names.vehicle)
        guard (try? assembler.take(.gnss, serialised: bytes, at: now)) != nil else { return nil }
        return assembler.telemetry.gnss?.value
    }

    /// The topics by what ``maps`` wrote; at most ``UAVLink/MapOffer/mostOffers``.
    public func maps(from result: RemoteResult) -> [MapOffer] {
        String(decoding: result.standardOutput.prefix(1 << 16), as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { MapOffer(topic: String($0)) }
            .filter { (try? MapRequest(topic: $0.topic).validate()) != nil }
            .prefix(MapOffer.mostOffers).map(\.self)
    }

    private static func message(of topic: VehicleTopic, in result: RemoteResult) -> [UInt8]? {
        guard result.exitStatus == 0, var stream = try? EchoStream(topic) else { return nil }
        return try? stream.take(result.standardOutput + Array("---\n".utf8)).first
    }

    /// `rosservice call` that reads its request from a file in the user's home, whose name is removed before it begins.
    ///
    /// A document on standard input is not bounded as a command line is. Closing the channel ends the program.
    public func abortableCall(_ call: ServiceCall, readingFromHome file: String) -> RemoteCommand {
        // Opened before the set-up, which may change the folder or the home.
        let path = ShellQuoting.word("./" + file)
        return abortable(
            "rosservice call \(names.name(of: call.service))", input: "&6",
            first: ["exec 6<\(path) || exit 1", "rm -f -- \(path)"])
    }
}

extension ServiceCall {
    /// The request as a file for `rosservice call`: YAML with the fields of each point in their order and without their
    /// names, which takes rosservice half as long to read; `nil` for one that fits a command line.
    public var largeDocument: [UInt8]? {
        guard case .trajectory(let trajectory) = request, trajectory.points.count > Self.fewPoints else { return nil }
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
        // rosservice takes a document as whole only when this line ends it.
        out += Array("]}}\n---\n".utf8)
        return out
    }

    /// So many points fit a command line whatever their numbers are.
    private static let fewPoints = 100

    /// rosservice takes 160 microseconds and 5 kB of memory for each sample: more is a matter for the companion.
    public static let mostPointsByRosservice = 200_000
}
