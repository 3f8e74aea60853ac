package import FlightVolume
internal import Geodesy
package import Trajectories
package import UAVLink

/// User settings for trajectories.
package struct TrajectorySettings: Hashable, Sendable {
    /// Shape, speed, spacing and time step.
    package var options = TrajectoryOptions()
    /// Allowed range of z, metres in `world_origin`; `nil`: only the safety area limits it.
    package var altitudes: ClosedRange<Double>?
    /// Largest distance of any sample, and of the vehicle, from the first sample, metres. Default: 1 km, about visual range.
    package var maximumDistanceMetres: Double? = 1000
    /// Whether the place of the points in `world_origin` is known; see `TrajectoryCheck`.
    package var isPlaceKnown = true
    /// Longest allowed path, metres.
    package var maximumLengthMetres: Double?
    /// Longest allowed duration, seconds.
    package var maximumDurationSeconds: Double?
    /// Flight time on a full battery, seconds; `nil`: the measured value, once there is one.
    package var enduranceSeconds: Double?
    /// Share of the battery that must remain, 0 to 1.
    package var batteryReserve = 0.2

    package init() {}
}

/// What is known when a trajectory is planned.
package struct FlightConditions: Hashable, Sendable {
    /// Motion limits of the vehicle; `nil` if it did not report them.
    package var limits: MotionLimits?
    /// Where flight is allowed; `nil` if unknown.
    package var volume: FlyableVolume?
    /// Further limits, such as the geofence of the route's file.
    package var fileLimits: [NamedVolume] = []
    /// z of the ground as the user gave it, metres in `world_origin`.
    package var groundZMetres: Double?
    /// z of the ground under the vehicle as it measures it, metres in `world_origin`.
    package var vehicleGroundZMetres: Double?
    /// Position of the vehicle, metres in `world_origin`.
    package var vehiclePosition: Vector3?
    /// Remaining share of the battery, 0 to 1.
    package var batteryRemaining: Double?
    /// Measured flight time on a full battery, seconds.
    package var measuredEnduranceSeconds: Double?
    /// User settings.
    package var settings: TrajectorySettings

    /// Creates conditions; by default nothing but the settings is known.
    package init(
        limits: MotionLimits? = nil, volume: FlyableVolume? = nil, vehiclePosition: Vector3? = nil,
        batteryRemaining: Double? = nil, measuredEnduranceSeconds: Double? = nil,
        settings: TrajectorySettings = .init()
    ) {
        self.limits = limits
        self.volume = volume
        self.vehiclePosition = vehiclePosition
        self.batteryRemaining = batteryRemaining
        self.measuredEnduranceSeconds = measuredEnduranceSeconds
        self.settings = settings
    }

    /// The same with the limits of a route's file.
    package func limited(by limits: [NamedVolume]) -> Self {
        var conditions = self
        conditions.fileLimits = limits
        return conditions
    }

    /// The same over the ground that the user stated.
    ///
    /// - Parameter z: metres in `world_origin`; `nil`: none, the ground under the vehicle counts.
    package func overGround(_ z: Double?) -> Self {
        var conditions = self
        conditions.groundZMetres = z
        return conditions
    }

    /// The same for a path through a map, which shows the ground itself, also that of a mine below the vehicle's.
    package func overGroundOfMap() -> Self {
        var conditions = self
        (conditions.groundZMetres, conditions.vehicleGroundZMetres) = (nil, nil)
        return conditions
    }

    /// Whether about the same is known of the battery as in other conditions, so that the same can be said of it.
    package func knowsSameOfBattery(as other: Self) -> Bool {
        guard (measuredEnduranceSeconds == nil) == (other.measuredEnduranceSeconds == nil) else { return false }
        guard let batteryRemaining, let before = other.batteryRemaining else {
            return batteryRemaining == nil && other.batteryRemaining == nil
        }
        return (batteryRemaining - before).magnitude < Self.batteryStep
    }

    /// The change of the charge after which a check of the battery is made anew: so much is used in half a minute or more.
    private static let batteryStep = 0.05

    var check: TrajectoryCheck {
        var check = TrajectoryCheck(
            limits: limits ?? .medium, volume: volume, fileLimits: fileLimits, altitudes: settings.altitudes,
            maximumDistanceMetres: settings.maximumDistanceMetres, vehiclePosition: vehiclePosition,
            spacingMetres: settings.options.spacingMetres, maximumLengthMetres: settings.maximumLengthMetres,
            maximumDurationSeconds: settings.maximumDurationSeconds,
            battery: BatteryModel(
                remaining: batteryRemaining, enduranceSeconds: settings.enduranceSeconds ?? measuredEnduranceSeconds,
                reserve: settings.batteryReserve))
        check.isPlaceKnown = settings.isPlaceKnown
        (check.groundZMetres, check.vehicleGroundZMetres) = (groundZMetres, vehicleGroundZMetres)
        return check
    }
}

/// A generated and checked trajectory; the user decides whether it is flown.
package struct TrajectoryPlan: Hashable, Sendable {
    /// The samples, and which of them are route points.
    package var generated: GeneratedTrajectory
    /// Results of the checks.
    package var report: TrajectoryReport
    /// What was known when it was checked.
    package var conditions: FlightConditions
    /// Position of the vehicle at the time of the checks, metres in `world_origin`.
    package var vehiclePosition: Vector3?
    /// What was said of the world that it was checked in; `nil` if nothing was.
    package var world: WorldFindings?

    /// Generates a trajectory through points and checks it.
    ///
    /// - Throws: `RouteError` if no trajectory can be generated.
    package init(through points: [PlannedPoint], _ conditions: FlightConditions) throws(RouteError) {
        let generator = TrajectoryGenerator(
            limits: conditions.limits ?? .medium, options: conditions.settings.options)
        self.init(try generator.trajectory(through: points), conditions)
    }

    /// Checks an existing trajectory, such as one planned around obstacles.
    package init(_ generated: GeneratedTrajectory, _ conditions: FlightConditions) {
        self.generated = generated
        self.conditions = conditions
        vehiclePosition = conditions.vehiclePosition
        report = conditions.check.report(on: generated)
        if conditions.limits == nil {
            report.findings.append(
                TrajectoryFinding(
                    .motion, .warning,
                    text: "the vehicle did not report its motion limits; the flight stack's default limits are used"))
        }
    }

    /// Like ``init(through:_:)``, off the main actor: a long one takes a fraction of a second.
    @concurrent
    package static func make(
        through points: [PlannedPoint], _ conditions: FlightConditions
    ) async throws(RouteError) -> Self {
        try Self(through: points, conditions)
    }
}
