#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import MRSMessages
internal import UAVLink

/// Converts telemetry to the ROS messages that the vehicle publishes.
enum TelemetryMessages {
    static func odometry(_ header: StdMsgs.Header, _ pose: Pose, _ velocity: Vector3) -> NavMsgs.Odometry {
        var message = NavMsgs.Odometry()
        message.header = header
        message.pose.pose.position = .init(x: pose.positionMetres.x, y: pose.positionMetres.y, z: pose.positionMetres.z)
        let half = pose.headingRadians / 2
        message.pose.pose.orientation = .init(x: 0, y: 0, z: sin(half), w: cos(half))
        // The twist is in body axes; without tilt that is a rotation by the heading.
        let (c, s) = (cos(pose.headingRadians), sin(pose.headingRadians))
        message.twist.twist.linear = .init(
            x: c * velocity.x + s * velocity.y, y: -s * velocity.x + c * velocity.y, z: velocity.z)
        return message
    }

    static func velocity(
        _ header: StdMsgs.Header, _ velocity: GeometryMsgs.Vector3
    ) -> GeometryMsgs.Vector3Stamped {
        var message = GeometryMsgs.Vector3Stamped()
        message.header = header
        message.vector = velocity
        return message
    }

    static func range(_ header: StdMsgs.Header, _ metres: Double) -> SensorMsgs.Range {
        var message = SensorMsgs.Range()
        message.header = header
        message.range = Float(metres)
        return message
    }

    static func battery(_ header: StdMsgs.Header, _ battery: Battery) -> SensorMsgs.BatteryState {
        var message = SensorMsgs.BatteryState()
        message.header = header
        message.voltage = battery.voltageVolts.map { Float($0) } ?? .nan
        // Negative while discharging, and NaN if not measured, as sensor_msgs/BatteryState defines it.
        message.current = battery.currentAmperes.map { Float(-$0) } ?? .nan
        message.percentage = battery.remaining.map { Float($0) } ?? .nan
        return message
    }

    static func fix(_ header: StdMsgs.Header, _ fix: GNSSFix) -> SensorMsgs.NavSatFix {
        var message = SensorMsgs.NavSatFix()
        message.header = header
        message.status.status = fix.quality.rawValue
        message.latitude = fix.latitudeDegrees
        message.longitude = fix.longitudeDegrees
        message.altitude = fix.altitudeMetres
        if let deviation = fix.horizontalAccuracyMetres {
            message.positionCovariance[0] = deviation * deviation
            message.positionCovariance[4] = deviation * deviation
            message.positionCovarianceType = 1
        }
        return message
    }

    static func status(_ header: StdMsgs.Header, _ flight: FlightStatus) -> MRSMsgs.HwApiStatus {
        MRSMsgs.HwApiStatus(
            stamp: header.stamp, connected: true, armed: flight.isArmed, offboard: flight.isOffboard,
            mode: flight.state.word)
    }

    static func diagnostics(
        _ header: StdMsgs.Header, _ tracker: TrackerStatus, _ flight: FlightStatus?, vehicle: String
    ) -> MRSMsgs.ControlManagerDiagnostics {
        var message = MRSMsgs.ControlManagerDiagnostics()
        message.stamp = header.stamp
        message.uavName = vehicle
        message.outputEnabled = flight?.isOutputEnabled ?? false
        message.flyingNormally = flight?.isFlyingNormally ?? false
        message.activeTracker = tracker.tracker
        message.activeController = tracker.controller
        message.trackerStatus.callbacksEnabled = tracker.takesReferences
        message.trackerStatus.haveGoal = tracker.hasGoal
        message.trackerStatus.trackingTrajectory = tracker.isTrackingTrajectory
        message.trackerStatus.trajectoryIdx = Int32(clamping: tracker.trajectoryIndex)
        message.trackerStatus.trajectoryLength = Int32(clamping: tracker.trajectoryLength)
        return message
    }

    static func estimation(_ header: StdMsgs.Header, _ estimator: EstimatorStatus) -> MRSMsgs.EstimationDiagnostics {
        var message = MRSMsgs.EstimationDiagnostics()
        message.header = header
        message.currentStateEstimator = estimator.name
        message.maxFlightZ = estimator.ceilingMetres ?? .infinity
        return message
    }
}
