package import MRS
internal import MRSMessages
internal import MRSMessagesROS2
package import ROS2

/// What a vehicle publishes, subscribes or offers in ROS 2, with the type that this program has of it.
package struct VehicleEndpoint: Sendable {
    /// The full name of the topic or service.
    package let name: ROS2Name
    /// What the vehicle is to it.
    package let role: LivelinessToken.Role
    /// Our type and its hash.
    package let type: EndpointType
    /// What our type consists of.
    package let describe: @Sendable () throws(InterfaceError) -> TypeDescription
}

/// The part of the flight stack's interface that this program uses.
package enum VehicleInterface {
    /// All topics and services of a vehicle that this program uses; one whose name is none in ROS 2 is left out, which no
    /// valid name of a vehicle leads to.
    package static func endpoints(of names: VehicleNames) -> [VehicleEndpoint] {
        let topics = (VehicleTopic.sent + [.currentConstraints]).compactMap { topic in
            endpoint(names.name(of: topic), .publisher, type(of: topic))
        }
        let setpoints = endpoint(
            names.name(of: .velocityReference), .subscriber, MRSMsgs.VelocityReferenceStamped.self)
        let services = VehicleService.allCases.compactMap { service in
            Self.type(of: service).flatMap { Self.endpoint(names.name(of: service), $0) }
        }
        return topics + [setpoints].compactMap(\.self) + services
    }

    private static func endpoint(
        _ name: String, _ role: LivelinessToken.Role, _ type: any ROS2Message.Type
    ) -> VehicleEndpoint? {
        guard let name = try? ROS2Name(name), let typeName = ROS2TypeName(type.ros2TypeName) else { return nil }
        return VehicleEndpoint(
            name: name, role: role, type: EndpointType(typeName, type.ros2TypeHash),
            describe: { () throws(InterfaceError) in try type.ros2Description() })
    }

    private static func endpoint(_ name: String, _ type: any ROS2Service.Type) -> VehicleEndpoint? {
        guard let name = try? ROS2Name(name), let typeName = ROS2TypeName(type.ros2TypeName) else { return nil }
        return VehicleEndpoint(
            name: name, role: .server, type: EndpointType(typeName, type.ros2TypeHash),
            describe: { () throws(InterfaceError) in try type.ros2Description() })
    }

    /// The type of a topic, as ``MRS/VehicleTopic`` names it.
    static func type(of topic: VehicleTopic) -> any ROS2Message.Type {
        switch topic {
        case .odometry: NavMsgs.Odometry.self
        case .uavState: MRSMsgs.UavState.self
        case .heightAboveGround: MRSMsgs.Float64Stamped.self
        case .estimationDiagnostics: MRSMsgs.EstimationDiagnostics.self
        case .controlDiagnostics: MRSMsgs.ControlManagerDiagnostics.self
        case .currentConstraints: MRSMsgs.DynamicsConstraints.self
        case .constraintDiagnostics: MRSMsgs.ConstraintManagerDiagnostics.self
        case .gainDiagnostics: MRSMsgs.GainManagerDiagnostics.self
        case .hardwareStatus: MRSMsgs.HwApiStatus.self
        case .battery: SensorMsgs.BatteryState.self
        case .gnss: SensorMsgs.NavSatFix.self
        case .distanceSensor: SensorMsgs.Range.self
        case .uavStatus: MRSMsgs.UavStatus.self
        case .velocityReference: MRSMsgs.VelocityReferenceStamped.self
        }
    }

    /// The type of a service; `nil` for one that is not of the flight stack, such as a camera's.
    static func type(of service: VehicleService) -> (any ROS2Service.Type)? {
        switch service {
        case .arming, .toggleOutput: StdSrvs.SetBool.self
        case .offboard, .takeoff, .land, .landHome, .hover, .emergencyHover, .emergencyLand, .goToTrajectoryStart,
            .startTrajectory, .stopTrajectory, .resumeTrajectory:
            StdSrvs.Trigger.self
        case .goTo, .goToRelative, .goToBody: MRSMsgs.Vec4.self
        case .goToAltitude, .setHeading, .setHeadingRelative: MRSMsgs.Vec1.self
        case .reference: MRSMsgs.ReferenceStampedSrv.self
        case .velocity: MRSMsgs.VelocityReferenceStampedSrv.self
        case .trajectoryReference: MRSMsgs.TrajectoryReferenceSrv.self
        case .transformReference: MRSMsgs.TransformReferenceSrv.self
        case .transformReferenceArray: MRSMsgs.TransformReferenceArraySrv.self
        default: nil
        }
    }
}
