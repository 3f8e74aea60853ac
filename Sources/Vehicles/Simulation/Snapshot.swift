internal import FlightVolume
public import Geodesy
public import UAVLink

/// The complete state that the vehicle reports, at one instant.
public struct VehicleSnapshot: Hashable, Sendable {
    /// Simulated seconds since the start.
    public var seconds: Double
    /// Estimated position: ENU metres in the control frame.
    public var position: Vector3
    /// Estimated velocity, world axes, m/s.
    public var velocity: Vector3
    /// World axes, m/s^2, without gravity.
    public var acceleration: Vector3
    /// From body axes to world axes.
    public var attitude: Quaternion
    /// Body axes, rad/s.
    public var rates: Vector3
    /// True position, for tests.
    public var truePosition: Vector3
    /// Metres, from the range finder, corrected for tilt.
    public var heightAboveGround: Double
    /// The range finder's own reading, metres.
    public var range: Double
    /// The tracker's reference: position in the control frame.
    public var referencePosition: Vector3
    /// The tracker's reference, m/s.
    public var referenceVelocity: Vector3
    /// The tracker's reference, m/s^2.
    public var referenceAcceleration: Vector3
    /// The tracker's reference, ENU radians.
    public var referenceHeading: Double
    /// State of the flight stack.
    public var flight: FlightStatus
    /// State of the tracker.
    public var tracker: TrackerStatus
    /// The tracker's state in the numbering of `mrs_msgs/TrackerStatus`.
    public var trackerState: UInt8
    /// Whether the tracker, or NullTracker on the ground, has been activated.
    public var isTrackerActive: Bool
    /// Volts, amperes, remaining share.
    public var battery: Battery
    /// Watt-hours drawn so far.
    public var wattHours: Double
    /// Thrust as a share of the maximum.
    public var throttle: Double
    /// The active constraint set.
    public var constraints: String
    /// The active gains.
    public var gains: String
    /// The active estimator.
    public var estimator: String
    /// The ceiling: the lower of the safety area's and the estimator's, metres.
    public var ceiling: Double
    /// Flight time, seconds.
    public var flightSeconds: Double
    /// Position of the last take-off, control frame.
    public var home: Vector3?
    /// Whether the bumper is enabled.
    public var isBumperActive: Bool
    /// The GNSS receiver's current error, metres.
    public var gnssError: Vector3

    /// ENU radians.
    public var heading: Double { attitude.headingRadians }
}

extension HexacopterSimulator {
    /// The name of the control frame; it changes with the estimator.
    public var controlFrame: FrameName { FrameName("\(configuration.vehicle)/\(stack.estimator)_origin") }

    /// The complete state that the vehicle reports, now.
    public var snapshot: VehicleSnapshot {
        let (place, velocity) = (estimatedPosition, estimatedVelocity)
        let height = measuredHeight
        let upright = max(0.3, body.attitude.bodyZ.z)
        let ceiling = min(stack.ceiling, safety.map { $0.isEnabled ? $0.maximumZMetres : .infinity } ?? .infinity)
        return VehicleSnapshot(
            seconds: seconds, position: place, velocity: velocity, acceleration: body.acceleration,
            attitude: body.attitude, rates: body.rates, truePosition: body.position, heightAboveGround: height,
            range: min(height / upright, Self.rangeFinderReach), referencePosition: tracker?.position ?? place,
            referenceVelocity: tracker?.velocity ?? .zero, referenceAcceleration: tracker?.acceleration ?? .zero,
            referenceHeading: tracker?.headingRadians ?? body.attitude.headingRadians,
            flight: FlightStatus(
                state: stack.flightState, isArmed: stack.status.isArmed, isOffboard: stack.status.isOffboard,
                isOutputEnabled: stack.isOutputEnabled, isFlyingNormally: stack.isFlyingNormally),
            tracker: trackerStatus, trackerState: trackerState,
            isTrackerActive: stack.isOutputEnabled || tracker != nil,
            battery: Battery(
                voltageVolts: battery.volts, currentAmperes: battery.amperes, remaining: battery.charge),
            wattHours: battery.wattHours, throttle: tracker == nil ? 0 : controller.throttle,
            constraints: stack.constraints, gains: stack.gains, estimator: stack.estimator, ceiling: ceiling,
            flightSeconds: stack.flightSeconds, home: stack.home, isBumperActive: stack.isBumperActive,
            gnssError: sensors.gnssError)
    }

    /// Metres: range of a typical LIDAR range finder.
    public static let rangeFinderReach = 40.0

    /// The GNSS fix at the instant of a snapshot.
    ///
    /// - Throws: ``Geodesy/GeodesyError`` if the vehicle has left the zone's grid.
    public func gnss(_ snapshot: VehicleSnapshot) throws(GeodesyError) -> GNSSFix {
        let there = snapshot.truePosition + snapshot.gnssError
        let place = try frames.grid.geographic(xMetres: there.x, yMetres: there.y)
        return GNSSFix(
            quality: .fix, latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees,
            altitudeMetres: configuration.groundAltitudeMetres + there.z,
            horizontalAccuracyMetres: configuration.noise > 0
                ? SensorNoise.Figures.gnss.deviation * configuration.noise : nil)
    }

    /// Latitude and longitude of a position in the control frame.
    public func geographic(_ position: Vector3) throws(GeodesyError) -> GeographicCoordinate {
        try frames.grid.geographic(xMetres: position.x, yMetres: position.y)
    }

    private var trackerStatus: TrackerStatus {
        TrackerStatus(
            tracker: stack.trackerName, controller: stack.controllerName,
            takesReferences: stack.trackerTakesReferences, hasGoal: tracker?.hasGoal ?? false,
            isTrackingTrajectory: tracker?.isTrackingTrajectory ?? false,
            trajectoryIndex: tracker?.trajectory?.index ?? 0,
            trajectoryLength: tracker?.trajectory?.points.count ?? 0)
    }

    /// The state as numbered in `mrs_msgs/TrackerStatus`: 0 invalid, 1 idle, 2 take-off, 3 hover, 4 reference, 5
    /// trajectory, 6 land.
    private var trackerState: UInt8 {
        switch stack.phase {
        case .grounded: 0
        case .takingOff(_, let isClimbing): isClimbing ? 2 : 1
        case .emergencyHover: tracker?.hasGoal == true ? 0 : 1
        case .landing: 6
        case .flying, .flyingHome:
            tracker?.isTrackingTrajectory == true ? 5 : tracker?.hasGoal == true ? 4 : 3
        }
    }
}

/// What the control manager tells at once when it changes, and not only with its next diagnostics.
public struct ControlState: Hashable, Sendable {
    /// State of the tracker, without the progress along a trajectory.
    public var tracker: TrackerStatus
    /// The tracker's state in the numbering of `mrs_msgs/TrackerStatus`.
    public var trackerState: UInt8
    /// Whether the control output is on.
    public var isOutputEnabled: Bool
    /// Whether the vehicle flies normally.
    public var isFlyingNormally: Bool
}

/// The border of the safety area, metres in `world_origin`.
public struct SafetyBorder: Hashable, Sendable {
    /// The corners east and north, in order; the last joins the first.
    public var corners: [SIMD2<Double>]
    /// The lowest height.
    public var minimumZMetres: Double
    /// The greatest height.
    public var maximumZMetres: Double
}

extension HexacopterSimulator {
    /// Where it may fly; `nil` without a safety area.
    public var safetyBorder: SafetyBorder? {
        safety.map { area in
            SafetyBorder(
                corners: area.corners, minimumZMetres: area.minimumZMetres, maximumZMetres: area.maximumZMetres)
        }
    }

    /// The state of the control manager, now.
    public var controlState: ControlState {
        var status = trackerStatus
        (status.trajectoryIndex, status.trajectoryLength) = (0, 0)
        return ControlState(
            tracker: status, trackerState: trackerState, isOutputEnabled: stack.isOutputEnabled,
            isFlyingNormally: stack.isFlyingNormally)
    }

    /// The position of `world_origin`: x easting, y northing, z height of the ground above mean sea level, metres.
    public var utmOriginMetres: Vector3 {
        Vector3(
            x: frames.grid.origin.eastingMetres, y: frames.grid.origin.northingMetres, z: frames.groundAltitude)
    }
}
