public import Geodesy
public import UAVLink

/// The checks that a trajectory must pass before it is sent.
public struct TrajectoryCheck: Sendable {
    /// The vehicle's limits of motion.
    public var limits: MotionLimits
    /// Where it may fly; absent: not known, which is said.
    public var volume: FlyableVolume?
    /// The lowest and the greatest z, metres in `world_origin`, besides the volume's own.
    public var altitudes: ClosedRange<Double>?
    /// No sample lies farther than this from the first, nor the vehicle from it, metres.
    public var greatestDistanceMetres: Double?
    /// Where the vehicle is, metres in `world_origin`; it flies from there to the first sample in a straight line.
    public var vehiclePosition: Vector3?
    /// Neighbours are never farther apart, metres.
    public var spacingMetres: Double
    /// The longest way, metres.
    public var greatestLengthMetres: Double?
    /// The longest time, seconds.
    public var greatestDurationSeconds: Double?
    /// The battery.
    public var battery: BatteryNeed

    /// Checks of motion and spacing; the others are set as they are known.
    public init(
        limits: MotionLimits, volume: FlyableVolume? = nil, altitudes: ClosedRange<Double>? = nil,
        greatestDistanceMetres: Double? = nil, vehiclePosition: Vector3? = nil, spacingMetres: Double = 0.08,
        greatestLengthMetres: Double? = nil, greatestDurationSeconds: Double? = nil, battery: BatteryNeed = .init()
    ) {
        self.limits = limits
        self.volume = volume
        self.altitudes = altitudes
        self.greatestDistanceMetres = greatestDistanceMetres
        self.vehiclePosition = vehiclePosition
        self.spacingMetres = spacingMetres
        self.greatestLengthMetres = greatestLengthMetres
        self.greatestDurationSeconds = greatestDurationSeconds
        self.battery = battery
    }

    /// Goes through a trajectory once.
    public func report(on generated: GeneratedTrajectory) -> TrajectoryReport {
        let trajectory = generated.trajectory
        let audit = MotionAudit(trajectory, limits: limits)
        var report = TrajectoryReport(
            samples: trajectory.points.count, lengthMetres: audit.lengthMetres,
            durationSeconds: generated.durationSeconds, maximumSpacingMetres: audit.widestSpacingMetres,
            timeStepSeconds: trajectory.timeStepSeconds, greatestSpeed: audit.greatestSpeed)
        let places = FindingPlaces(generated: generated)
        report.findings =
            area(places) + altitude(places) + distance(places) + motion(places, audit) + whole(places, audit)
        addBattery(&report)
        return report
    }

    private func area(_ places: FindingPlaces) -> [TrajectoryFinding] {
        guard let volume else {
            return [
                TrajectoryFinding(
                    .safetyArea, .warning, text: "the safety area is not known: nothing was checked against it")
            ]
        }
        var found = VolumeWalk(volume: volume, points: places.trajectory.points).exits.map {
            places.finding(.safetyArea, $0.sample, at: $0.position, $0.words)
        }
        if let vehiclePosition, let first = places.trajectory.points.first,
            let exit = volume.firstExit(from: vehiclePosition, to: first.position), exit.border != .startsOutside
        {
            found.append(
                TrajectoryFinding(
                    .safetyArea, pointIndex: 0, sample: 0, position: exit.position,
                    text: "the straight way from the vehicle to point 1 leaves the safety area at "
                        + exit.position.words))
        }
        return found
    }

    private func altitude(_ places: FindingPlaces) -> [TrajectoryFinding] {
        guard let allowed = altitudes else { return [] }
        return places.worstOfRuns { max(allowed.lowerBound - $0.z, $0.z - allowed.upperBound) - 1e-9 }.map {
            sample, position in
            places.finding(
                .altitude, sample, at: position,
                "z is \(position.z.short) m; "
                    + (position.z < allowed.lowerBound
                        ? "the lowest allowed is \(allowed.lowerBound.short) m"
                        : "the greatest allowed is \(allowed.upperBound.short) m"))
        }
    }

    private func distance(_ places: FindingPlaces) -> [TrajectoryFinding] {
        guard let most = greatestDistanceMetres, let start = places.trajectory.points.first?.position else {
            return []
        }
        var found = places.worstOfRuns { ($0 - start).length - most - 1e-9 }.map { sample, position in
            places.finding(
                .distance, sample, at: position,
                "it is \((position - start).length.short) m from the start; allowed are \(most.short) m")
        }
        if let vehiclePosition, (vehiclePosition - start).length > most {
            found.append(
                places.finding(
                    .distance, 0, at: start,
                    "the vehicle is \((vehiclePosition - start).length.short) m away from it; allowed are "
                        + "\(most.short) m"))
        }
        return found
    }

    private func motion(_ places: FindingPlaces, _ audit: MotionAudit) -> [TrajectoryFinding] {
        audit.excesses.map { excess in
            places.finding(
                .motion, excess.sample, at: places.trajectory.points[excess.sample].position,
                "\(excess.axis.rawValue) \(excess.quantity.rawValue) of \(excess.value.short) \(excess.unit); "
                    + "the vehicle's limit is \(excess.limit.short)")
        }
    }

    private func whole(_ places: FindingPlaces, _ audit: MotionAudit) -> [TrajectoryFinding] {
        var found: [TrajectoryFinding] = []
        // A billionth is rounding.
        if audit.widestSpacingMetres > spacingMetres * (1 + 1e-9) {
            found.append(
                places.finding(
                    .spacing, audit.widestSpacingSample,
                    at: places.trajectory.points[audit.widestSpacingSample].position,
                    "neighbouring samples are \((audit.widestSpacingMetres * 100).short) cm apart; allowed are "
                        + "\((spacingMetres * 100).short) cm"))
        }
        if let most = greatestLengthMetres, audit.lengthMetres > most {
            found.append(
                TrajectoryFinding(
                    .length, text: "the way is \(audit.lengthMetres.short) m long; allowed are \(most.short) m"))
        }
        let duration = places.generated.durationSeconds
        if let most = greatestDurationSeconds, duration > most {
            found.append(
                TrajectoryFinding(.duration, text: "it takes \(duration.short) s; allowed are \(most.short) s"))
        }
        return found
    }

    private func addBattery(_ report: inout TrajectoryReport) {
        report.batteryRemaining = battery.remaining
        report.batteryNeeded = battery.needed(forSeconds: report.durationSeconds)
        guard let needed = report.batteryNeeded, let remaining = report.batteryRemaining else {
            let what = report.batteryRemaining == nil ? "how much battery is left" : "how fast the battery empties"
            report.findings.append(
                TrajectoryFinding(.battery, .warning, text: "\(what) is not known: whether it suffices was not checked")
            )
            return
        }
        guard remaining - needed < battery.reserve else { return }
        report.findings.append(
            TrajectoryFinding(
                .battery,
                text: "it needs \((needed * 100).short) % of the battery and \((remaining * 100).short) % are left; "
                    + "\((battery.reserve * 100).short) % must remain"))
    }
}

extension MotionAudit.Excess {
    fileprivate var unit: String {
        switch (axis, quantity) {
        case (.heading, .speed): "rad/s"
        case (.heading, .acceleration): "rad/s^2"
        case (.heading, .jerk): "rad/s^3"
        case (_, .speed): "m/s"
        case (_, .acceleration): "m/s^2"
        case (_, .jerk): "m/s^3"
        }
    }
}
