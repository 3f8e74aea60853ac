internal import MRSMessages
public import ROSMessages
public import UAVLink
internal import YAML

/// A command in terms of the vehicle's interface: the service and the request sent to it.
public struct ServiceCall: Hashable, Sendable {
    /// The request, by service type.
    public enum Request: Hashable, Sendable {
        /// `std_srvs/Trigger`: no fields.
        case trigger
        /// `std_srvs/SetBool`.
        case bool(Bool)
        /// `mrs_msgs/Vec1`.
        case number(Double)
        /// `mrs_msgs/Vec4`: x, y, z, heading.
        case place(Vector3, headingRadians: Double)
        /// `mrs_msgs/ReferenceStampedSrv`.
        case reference(FrameName, Vector3, headingRadians: Double)
        /// `mrs_msgs/TrajectoryReferenceSrv`.
        case trajectory(Trajectory)
        /// `mrs_msgs/VelocityReferenceStampedSrv`.
        case velocity(VelocitySetpoint)
    }

    /// The service.
    public let service: VehicleService
    /// The request.
    public let request: Request
    /// The command's name as the user types it.
    let commandName: String

    /// Maps a command to its service and request; the command is validated first.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` as ``UAVLink/Command/validate()`` does.
    public init(_ command: Command) throws(LinkError) {
        try command.validate()
        (service, request) =
            switch command {
            case .arm(let on): (.arming, .bool(on))
            case .enableOutput(let on): (.toggleOutput, .bool(on))
            case .offboard: (.offboard, .trigger)
            case .takeoff: (.takeoff, .trigger)
            case .land: (.land, .trigger)
            case .landHome: (.landHome, .trigger)
            case .hover: (.hover, .trigger)
            case .emergencyHover: (.emergencyHover, .trigger)
            case .emergencyLand: (.emergencyLand, .trigger)
            case .goTo(let destination): Self.goTo(destination)
            case .altitude(let metres): (.goToAltitude, .number(metres))
            case .heading(let radians): (.setHeading, .number(radians))
            case .turn(let radians): (.setHeadingRelative, .number(radians))
            case .uploadTrajectory(let trajectory): (.trajectoryReference, .trajectory(trajectory))
            case .goToTrajectoryStart: (.goToTrajectoryStart, .trigger)
            case .startTrajectory: (.startTrajectory, .trigger)
            case .stopTrajectory: (.stopTrajectory, .trigger)
            case .resumeTrajectory: (.resumeTrajectory, .trigger)
            case .snapshot(let service): (try Self.snapshot(service), .trigger)
            }
        commandName = command.name
    }

    /// A setpoint as a call, for links that cannot publish topics; it is validated first.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` as ``UAVLink/VelocitySetpoint/validate()`` does.
    public init(_ setpoint: VelocitySetpoint) throws(LinkError) {
        try setpoint.validate()
        service = .velocity
        request = .velocity(setpoint)
        commandName = "steer"
    }

    /// A snapshot needs no control authority, so it must not call what moves or switches the vehicle.
    private static func snapshot(_ service: String) throws(LinkError) -> VehicleService {
        let node = service.split(separator: "/").first.map(String.init) ?? ""
        guard !node.hasSuffix("_manager"), !flightNodes.contains(node) else {
            throw LinkError(
                .invalidInput, "'\(service)' is a service of the flight stack, not of a camera",
                hint: "correct 'snapshot-service' in the configuration")
        }
        return VehicleService(rawValue: service)
    }

    /// Nodes of the flight stack whose names do not end in `_manager`.
    private static let flightNodes: Set<String> = [
        "hw_api", "automatic_start", "trajectory_generation", "mpc_tracker", "landoff_tracker", "safety", "mavros",
    ]

    private static func goTo(_ destination: Command.Destination) -> (VehicleService, Request) {
        let (position, heading) = (destination.position, destination.headingRadians)
        return switch destination.reference {
        case .frame(.current): (.goTo, .place(position, headingRadians: heading))
        case .frame(let frame): (.reference, .reference(frame, position, headingRadians: heading))
        case .relative: (.goToRelative, .place(position, headingRadians: heading))
        case .body: (.goToBody, .place(position, headingRadians: heading))
        }
    }

    /// The service type: its name and MD5 sum.
    public var type: (name: String, md5: String) {
        switch request {
        case .trigger: (StdSrvs.Trigger.typeName, StdSrvs.Trigger.md5)
        case .bool: (StdSrvs.SetBool.typeName, StdSrvs.SetBool.md5)
        case .number: (MRSMsgs.Vec1.typeName, MRSMsgs.Vec1.md5)
        case .place: (MRSMsgs.Vec4.typeName, MRSMsgs.Vec4.md5)
        case .reference: (MRSMsgs.ReferenceStampedSrv.typeName, MRSMsgs.ReferenceStampedSrv.md5)
        case .trajectory: (MRSMsgs.TrajectoryReferenceSrv.typeName, MRSMsgs.TrajectoryReferenceSrv.md5)
        case .velocity:
            (MRSMsgs.VelocityReferenceStampedSrv.typeName, MRSMsgs.VelocityReferenceStampedSrv.md5)
        }
    }

    /// The request as a ROS message.
    ///
    /// Stamps stay zero, which means "now" to the vehicle: its clock may be simulated.
    public var message: any ROSMessage {
        switch request {
        case .trigger: StdSrvs.Trigger.Request()
        case .bool(let value): StdSrvs.SetBool.Request(data: value)
        case .number(let value): MRSMsgs.Vec1.Request(goal: value)
        case .place(let position, let heading):
            MRSMsgs.Vec4.Request(goal: [position.x, position.y, position.z, heading])
        case .reference(let frame, let position, let heading):
            MRSMsgs.ReferenceStampedSrv.Request(
                header: StdMsgs.Header(frameID: frame.name),
                reference: MRSMsgs.Reference(position, headingRadians: heading))
        case .trajectory(let trajectory):
            MRSMsgs.TrajectoryReferenceSrv.Request(trajectory: MRSMsgs.TrajectoryReference(trajectory))
        case .velocity(let setpoint):
            MRSMsgs.VelocityReferenceStampedSrv.Request(reference: MRSMsgs.VelocityReferenceStamped(setpoint))
        }
    }

    /// The request as `rosservice call` takes it: YAML on one line; `nil` for a service without request fields.
    public var yaml: String? {
        func place(_ position: Vector3) -> YAMLText {
            .record([
                .init("x", .number(position.x)), .init("y", .number(position.y)), .init("z", .number(position.z)),
            ])
        }
        func reference(_ position: Vector3, _ heading: Double) -> YAMLText {
            .record([.init("position", place(position)), .init("heading", .number(heading))])
        }
        func header(_ frame: FrameName) -> YAMLText { .record([.init("frame_id", .text(frame.name))]) }
        let record: [YAMLText.Field]
        switch request {
        case .trigger: return nil
        case .bool(let value): record = [.init("data", .bool(value))]
        case .number(let value): record = [.init("goal", .number(value))]
        case .place(let position, let heading):
            let numbers = [position.x, position.y, position.z, heading].map { YAMLText.number($0) }
            record = [.init("goal", .list(numbers))]
        case .reference(let frame, let position, let heading):
            record = [.init("header", header(frame)), .init("reference", reference(position, heading))]
        case .trajectory(let trajectory):
            let points = trajectory.points.map { reference($0.position, $0.headingRadians) }
            let fields: [YAMLText.Field] = [
                .init("header", header(trajectory.frame)), .init("use_heading", .bool(trajectory.usesHeading)),
                .init("fly_now", .bool(trajectory.fliesNow)), .init("loop", .bool(trajectory.loops)),
                .init("dt", .number(trajectory.timeStepSeconds)), .init("points", .list(points)),
            ]
            record = [.init("trajectory", .record(fields))]
        case .velocity(let setpoint):
            let message = MRSMsgs.VelocityReferenceStamped(setpoint)
            let velocity = setpoint.velocityMetresPerSecond
            let fields: [YAMLText.Field] = [
                .init("velocity", place(velocity)), .init("heading_rate", .number(message.reference.headingRate)),
                .init("use_heading_rate", .bool(message.reference.useHeadingRate)),
            ]
            let frame = FrameName(message.header.frameID)
            let stamped: [YAMLText.Field] = [.init("header", header(frame)), .init("reference", .record(fields))]
            record = [.init("reference", .record(stamped))]
        }
        return YAMLText.record(record).flow
    }

    /// Parses the vehicle's answer from the bytes of a response.
    ///
    /// - Throws: ``ROSMessages/ROSDecodingError`` if they are not this service's response.
    public func reply(from bytes: [UInt8]) throws(ROSDecodingError) -> CommandReply {
        guard case .trajectory = request else {
            // All other services have the same response: success and message.
            let response = try StdSrvs.Trigger.Response(serialised: bytes)
            return reply(accepted: response.success, message: response.message)
        }
        let response = try MRSMsgs.TrajectoryReferenceSrv.Response(serialised: bytes)
        return reply(accepted: response.success, message: response.message, modified: response.modified)
    }

    /// An answer; a refusal without a reason gets a default text.
    package func reply(accepted: Bool, message: String, modified: Bool = false) -> CommandReply {
        guard !accepted, message.allSatisfy(\.isWhitespace) else {
            return CommandReply(accepted: accepted, message: message, trajectoryModified: modified)
        }
        return refusal(message)
    }

    /// The answer to a call that the service's node ended with an error instead of a response.
    public func refusal(_ text: String) -> CommandReply {
        guard text.allSatisfy(\.isWhitespace) else { return CommandReply(accepted: false, message: text) }
        let reason =
            service == .toggleOutput
            ? "arm the vehicle first, or wait until its flight stack is ready; after an emergency landing restart it"
            : "its flight stack may not be ready yet"
        return CommandReply(
            accepted: false, message: "the vehicle refused '\(commandName)' without a reason; \(reason)")
    }
}

extension MRSMsgs.Reference {
    /// A position and heading; the frame is in the enclosing message.
    init(_ position: Vector3, headingRadians: Double) {
        self.init(
            position: GeometryMsgs.Point(x: position.x, y: position.y, z: position.z), heading: headingRadians)
    }
}
