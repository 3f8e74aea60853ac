public import Geodesy
public import Trajectories
public import UAVLink

/// What a person sets for trajectories.
public struct TrajectorySettings: Hashable, Sendable {
    /// Shape, speed, spacing and time step.
    public var options = TrajectoryOptions()
    /// The lowest and the greatest z, metres in `world_origin`; absent: only the safety area's.
    public var altitudes: ClosedRange<Double>?
    /// No sample lies farther from the first, nor the vehicle from it, metres. A kilometre: as far as one sees a vehicle.
    public var greatestDistanceMetres: Double? = 1000
    /// The longest way, metres.
    public var greatestLengthMetres: Double?
    /// The longest time, seconds.
    public var greatestDurationSeconds: Double?
    /// How long a full battery lasts, seconds; absent: as measured, once it was.
    public var enduranceSeconds: Double?
    /// What must be left in the battery, 0 to 1.
    public var batteryReserve = 0.2

    /// The seed's figures.
    public init() {}
}

/// What is known where and when a trajectory is planned.
public struct FlightConditions: Hashable, Sendable {
    /// The vehicle's limits of motion; absent when it did not say.
    public var limits: MotionLimits?
    /// Where it may fly; absent when nobody said.
    public var volume: FlyableVolume?
    /// Where it is, metres in `world_origin`.
    public var vehiclePosition: Vector3?
    /// What is left in the battery, 0 to 1.
    public var batteryRemaining: Double?
    /// How long a full battery lasts by what was measured, seconds.
    public var measuredEnduranceSeconds: Double?
    /// What the person set.
    public var settings: TrajectorySettings

    /// Nothing known but the settings.
    public init(
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

    var check: TrajectoryCheck {
        TrajectoryCheck(
            limits: limits ?? .medium, volume: volume, altitudes: settings.altitudes,
            greatestDistanceMetres: settings.greatestDistanceMetres, vehiclePosition: vehiclePosition,
            spacingMetres: settings.options.spacingMetres, greatestLengthMetres: settings.greatestLengthMetres,
            greatestDurationSeconds: settings.greatestDurationSeconds,
            battery: BatteryNeed(
                remaining: batteryRemaining, enduranceSeconds: settings.enduranceSeconds ?? measuredEnduranceSeconds,
                reserve: settings.batteryReserve))
    }
}

/// A trajectory that was made and checked; whether it may be flown is for a person to say.
public struct TrajectoryPlan: Hashable, Sendable {
    /// The samples and where the points lie among them.
    public var generated: GeneratedTrajectory
    /// What the checks came to.
    public var report: TrajectoryReport
    /// Where the vehicle was when it was checked, metres in `world_origin`.
    public var vehiclePosition: Vector3?

    /// Makes a trajectory through points and checks it.
    ///
    /// - Throws: `RouteError` when there is none.
    public init(through points: [PlannedPoint], _ conditions: FlightConditions) throws(RouteError) {
        let generator = TrajectoryGenerator(
            limits: conditions.limits ?? .medium, options: conditions.settings.options)
        self.init(try generator.trajectory(through: points), conditions)
    }

    /// Checks a trajectory that is there already, such as one that was planned around obstacles.
    public init(_ generated: GeneratedTrajectory, _ conditions: FlightConditions) {
        self.generated = generated
        vehiclePosition = conditions.vehiclePosition
        report = conditions.check.report(on: generated)
        if conditions.limits == nil {
            report.findings.append(
                TrajectoryFinding(
                    .motion, .warning,
                    text: "the vehicle did not say how fast it may move: the flight stack's usual limits were taken"))
        }
    }

    /// As ``init(through:_:)``, beside the main actor: a long one takes a part of a second.
    @concurrent
    public static func make(
        through points: [PlannedPoint], _ conditions: FlightConditions
    ) async throws(RouteError) -> Self {
        try Self(through: points, conditions)
    }
}
