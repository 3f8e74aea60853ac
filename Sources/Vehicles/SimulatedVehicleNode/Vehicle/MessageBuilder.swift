internal import MRSMessages
internal import ROSMessages
internal import Simulation
internal import UAVLink

/// Builds the vehicle's messages from a snapshot: no state, no I/O.
struct MessageBuilder: Sendable {
    let vehicle: String
    let stamp: ROSTime
    let controlFrame: String
    let seen: VehicleSnapshot
    let world: World

    /// The constant properties of a vehicle.
    struct World: Sendable {
        /// Initial position, metres in `world_origin`.
        var start: Vector3
        /// Position of `world_origin`: easting, northing, metres above mean sea level.
        var utmOrigin: Vector3
        var massKilograms: Double
    }

    private var body: String { "\(vehicle)/fcu" }

    var verticalEstimator: String { seen.estimator == "gps_baro" ? "alt_baro" : "alt_garmin" }

    private func header(_ frame: String) -> StdMsgs.Header { StdMsgs.Header(stamp: stamp, frameID: frame) }

    private var pose: GeometryMsgs.Pose {
        GeometryMsgs.Pose(position: point(seen.position), orientation: orientation(seen.attitude))
    }

    private func point(_ v: Vector3) -> GeometryMsgs.Point { GeometryMsgs.Point(x: v.x, y: v.y, z: v.z) }
    private func vector(_ v: Vector3) -> GeometryMsgs.Vector3 { GeometryMsgs.Vector3(x: v.x, y: v.y, z: v.z) }
    private func orientation(_ q: Quaternion) -> GeometryMsgs.Quaternion {
        GeometryMsgs.Quaternion(x: q.x, y: q.y, z: q.z, w: q.w)
    }

    /// The twist is in the body frame, as in the real stack's odometry.
    var odometry: NavMsgs.Odometry {
        var message = NavMsgs.Odometry()
        message.header = header(controlFrame)
        message.childFrameID = body
        message.pose.pose = pose
        message.twist.twist.linear = vector(seen.attitude.conjugate.rotate(seen.velocity))
        message.twist.twist.angular = vector(seen.rates)
        return message
    }

    /// Velocity in world axes.
    var uavState: MRSMsgs.UavState {
        var message = MRSMsgs.UavState()
        message.header = header(controlFrame)
        message.childFrameID = body
        message.estimatorHorizontal = "lat_gps"
        message.estimatorVertical = verticalEstimator
        message.estimatorHeading = "hdg_hw_api"
        message.pose = pose
        message.velocity.linear = vector(seen.velocity)
        message.velocity.angular = vector(seen.rates)
        message.acceleration.linear = vector(seen.acceleration)
        return message
    }

    var heightAboveGround: MRSMsgs.Float64Stamped {
        MRSMsgs.Float64Stamped(header: header("\(vehicle)/garmin_agl_origin"), value: seen.heightAboveGround)
    }

    var estimationDiagnostics: MRSMsgs.EstimationDiagnostics {
        var message = MRSMsgs.EstimationDiagnostics()
        message.header = header(controlFrame)
        message.childFrameID = body
        message.pose = pose
        message.velocity.linear = vector(seen.velocity)
        message.velocity.angular = vector(seen.rates)
        message.acceleration.linear = vector(seen.acceleration)
        message.aglHeight = seen.heightAboveGround
        message.maxFlightZ = seen.ceiling.isFinite ? seen.ceiling : 0
        message.smState = "FLYING_STATE"
        message.currentStateEstimator = seen.estimator
        message.estimatorHorizontal = "lat_gps"
        message.estimatorVertical = verticalEstimator
        message.estimatorHeading = "hdg_hw_api"
        message.estimatorAglHeight = "garmin_agl"
        message.estimationRate = 100
        message.runningStateEstimators = FlightStackNames.estimators
        message.switchableStateEstimators = FlightStackNames.estimators
        return message
    }

    /// All trackers: the one for the ground, then those listed in the diagnostics.
    static let trackers = ["NullTracker"] + FlightStackNames.trackers

    var controlDiagnostics: MRSMsgs.ControlManagerDiagnostics {
        var message = MRSMsgs.ControlManagerDiagnostics()
        message.stamp = stamp
        message.uavName = vehicle
        message.outputEnabled = seen.flight.isOutputEnabled
        message.flyingNormally = seen.flight.isFlyingNormally
        message.bumperActive = seen.isBumperActive
        message.desiredUAVStateRate = 100
        message.activeTracker = seen.tracker.tracker
        message.activeController = seen.tracker.controller
        message.trackerStatus = trackerStatus
        message.controllerStatus.active = seen.isTrackerActive
        message.availableControllers = FlightStackNames.controllers
        message.availableTrackers = FlightStackNames.trackers
        message.humanSwitchableControllers = FlightStackNames.controllers.map { !$0.hasPrefix("Midair") }
        message.humanSwitchableTrackers = FlightStackNames.trackers.map { $0 == "MpcTracker" }
        return message
    }

    private var trackerStatus: MRSMsgs.TrackerStatus {
        var status = MRSMsgs.TrackerStatus()
        status.active = seen.isTrackerActive
        status.callbacksEnabled = seen.tracker.takesReferences
        status.state = seen.trackerState
        status.haveGoal = seen.tracker.hasGoal
        status.trackingTrajectory = seen.tracker.isTrackingTrajectory
        status.trajectoryLength = Int32(clamping: seen.tracker.trajectoryLength)
        status.trajectoryIdx = Int32(clamping: seen.tracker.trajectoryIndex)
        status.trajectoryReference.header = header(controlFrame)
        status.trajectoryReference.reference.position = point(seen.referencePosition)
        status.trajectoryReference.reference.heading = seen.referenceHeading
        return status
    }

    var currentConstraints: MRSMsgs.DynamicsConstraints {
        let constraints = Constraints.named(seen.constraints) ?? .medium
        let limits = constraints.limits
        var message = MRSMsgs.DynamicsConstraints()
        message.horizontalSpeed = limits.horizontal.speed
        message.horizontalAcceleration = limits.horizontal.acceleration
        message.horizontalJerk = limits.horizontal.jerk
        message.horizontalSnap = constraints.snap
        message.verticalAscendingSpeed = limits.ascending.speed
        message.verticalAscendingAcceleration = limits.ascending.acceleration
        message.verticalAscendingJerk = limits.ascending.jerk
        message.verticalAscendingSnap = constraints.snap
        message.verticalDescendingSpeed = limits.descending.speed
        message.verticalDescendingAcceleration = limits.descending.acceleration
        message.verticalDescendingJerk = limits.descending.jerk
        message.verticalDescendingSnap = constraints.snap
        message.headingSpeed = limits.heading.speed
        message.headingAcceleration = limits.heading.acceleration
        message.headingJerk = limits.heading.jerk
        message.headingSnap = constraints.headingSnap
        message.rollRate = constraints.rollPitchRate
        message.pitchRate = constraints.rollPitchRate
        message.yawRate = constraints.yawRate
        message.tilt = constraints.tiltRadians
        return message
    }

    var constraintDiagnostics: MRSMsgs.ConstraintManagerDiagnostics {
        MRSMsgs.ConstraintManagerDiagnostics(
            stamp: stamp, loaded: Constraints.names, available: Constraints.names, currentName: seen.constraints,
            currentValues: currentConstraints)
    }

    var gainDiagnostics: MRSMsgs.GainManagerDiagnostics {
        MRSMsgs.GainManagerDiagnostics(
            stamp: stamp, loaded: FlightStackNames.gains, available: FlightStackNames.gains, currentName: seen.gains)
    }

    var hardwareStatus: MRSMsgs.HwApiStatus {
        MRSMsgs.HwApiStatus(
            stamp: stamp, connected: true, armed: seen.flight.isArmed, offboard: seen.flight.isOffboard, mode: "")
    }

    /// As reported by the real simulation: percentage 0, "present" false, no stamp, voltage and current filled.
    var battery: SensorMsgs.BatteryState {
        var message = SensorMsgs.BatteryState()
        message.voltage = Float(seen.battery.voltageVolts ?? 0)
        message.current = Float(seen.battery.currentAmperes ?? 0)
        return message
    }

    func gnss(_ fix: GNSSFix) -> SensorMsgs.NavSatFix {
        var message = SensorMsgs.NavSatFix()
        message.header = header(body)
        message.status.status = fix.quality.rawValue
        message.status.service = 1
        message.latitude = fix.latitudeDegrees
        message.longitude = fix.longitudeDegrees
        message.altitude = fix.altitudeMetres
        if let deviation = fix.horizontalAccuracyMetres {
            let variance = deviation * deviation
            message.positionCovariance = [variance, 0, 0, 0, variance, 0, 0, 0, variance * 4]
            message.positionCovarianceType = 1
        }
        return message
    }

    var range: SensorMsgs.Range {
        var message = SensorMsgs.Range()
        message.header = header("\(vehicle)/garmin")
        message.radiationType = 1
        message.fieldOfView = 0.03
        message.minRange = 0.1
        message.maxRange = Float(HexacopterSimulator.rangeFinderReach)
        message.range = Float(seen.range)
        return message
    }

    var capabilities: MRSMsgs.HwApiCapabilities {
        var message = MRSMsgs.HwApiCapabilities()
        message.stamp = stamp
        message.apiName = "uavlink-sim"
        message.acceptsAttitudeRateCmd = true
        message.producesGnss = true
        message.producesDistanceSensor = true
        message.producesAltitude = true
        message.producesRcChannels = true
        message.producesBatteryState = true
        message.producesOdometry = true
        return message
    }

    // MARK: Transforms

    /// The body is the parent of the origins, as in the real stack: each transform is the origin's pose relative to the
    /// body.
    var transforms: TF2Msgs.TFMessage {
        let back = seen.attitude.conjugate
        let origin = back.rotate(seen.position * -1)
        let origins = FlightStackNames.estimators.map { $0 + "_origin" } + ["fixed_origin", "stable_origin"]
        var all = origins.map { transform("fcu", $0, origin, back) }
        all.append(transform("fcu", "fcu_untilted", .zero, back * Quaternion(headingRadians: seen.heading)))
        let ground = Vector3(x: 0, y: 0, z: -seen.heightAboveGround)
        all.append(transform("fcu_untilted", "garmin_agl_origin", ground, .identity))
        return TF2Msgs.TFMessage(transforms: all)
    }

    /// The constant poses of the world's frames and of the sensors.
    var staticTransforms: TF2Msgs.TFMessage {
        TF2Msgs.TFMessage(transforms: [
            transform("fixed_origin", "local_origin", world.start, .identity),
            transform("fixed_origin", "world_origin", .zero, .identity),
            transform("fixed_origin", "utm_origin", world.utmOrigin * -1, .identity),
            transform("fcu", "garmin", Vector3(x: 0, y: 0, z: -0.05), .identity),
        ])
    }

    private func transform(
        _ parent: String, _ child: String, _ translation: Vector3, _ rotation: Quaternion
    ) -> GeometryMsgs.TransformStamped {
        GeometryMsgs.TransformStamped(
            header: header("\(vehicle)/\(parent)"), childFrameID: "\(vehicle)/\(child)",
            transform: GeometryMsgs.Transform(translation: vector(translation), rotation: orientation(rotation)))
    }
}
