public import FlightVolume
internal import ReportKit
public import UAVLink

/// The checks that a trajectory must pass before it is sent.
public struct TrajectoryCheck: Sendable {
    /// Motion limits of the vehicle.
    public var limits: MotionLimits
    /// Where flight is allowed; `nil` if unknown, which gives a warning.
    public var volume: FlyableVolume?
    /// Further limits, such as the geofence of the route's file.
    public var fileLimits: [NamedVolume]
    /// Allowed range of z, metres in `world_origin`, in addition to the volume's own.
    public var altitudes: ClosedRange<Double>?
    /// Largest distance of any sample, and of the vehicle, from the first sample, metres; never more than 100 km.
    public var maximumDistanceMetres: Double?
    /// Whether the place of the points in `world_origin` is known. Of one that is not, such as that of a map in coordinates of its
    /// own, the distance from the origin fails no check.
    public var isPlaceKnown = true
    /// z of the ground of the whole field, metres in `world_origin`, as the user gave it; `nil` if not given.
    public var groundZMetres: Double?
    /// z of the ground under the vehicle or of its take-off, metres in `world_origin`, as it measures it; `nil` if unknown.
    public var vehicleGroundZMetres: Double?
    /// Position of the vehicle, metres in `world_origin`; it flies straight from there to the first sample.
    public var vehiclePosition: Vector3?
    /// Largest distance between neighbouring samples, metres.
    public var spacingMetres: Double
    /// Longest allowed path, metres.
    public var maximumLengthMetres: Double?
    /// Longest allowed duration, seconds.
    public var maximumDurationSeconds: Double?
    /// The battery.
    public var battery: BatteryModel

    /// Creates checks of motion and spacing; the others apply where their values are given.
    public init(
        limits: MotionLimits, volume: FlyableVolume? = nil, fileLimits: [NamedVolume] = [],
        altitudes: ClosedRange<Double>? = nil,
        maximumDistanceMetres: Double? = nil, vehiclePosition: Vector3? = nil, spacingMetres: Double = 0.08,
        maximumLengthMetres: Double? = nil, maximumDurationSeconds: Double? = nil, battery: BatteryModel = .init()
    ) {
        self.limits = limits
        self.volume = volume
        self.fileLimits = fileLimits
        self.altitudes = altitudes
        self.maximumDistanceMetres = maximumDistanceMetres
        self.vehiclePosition = vehiclePosition
        self.spacingMetres = spacingMetres
        self.maximumLengthMetres = maximumLengthMetres
        self.maximumDurationSeconds = maximumDurationSeconds
        self.battery = battery
    }

    /// Checks a trajectory in one pass.
    public func report(on generated: GeneratedTrajectory) -> TrajectoryReport {
        let trajectory = generated.trajectory
        let audit = MotionAudit(trajectory, limits: limits)
        var report = TrajectoryReport(
            samples: trajectory.points.count, lengthMetres: audit.lengthMetres,
            durationSeconds: generated.durationSeconds, maximumSpacingMetres: audit.largestSpacingMetres,
            timeStepSeconds: trajectory.timeStepSeconds, greatestSpeed: audit.greatestSpeed)
        let places = FindingFactory(generated: generated)
        report.findings =
            area(places) + altitude(places) + ground(places) + distance(places) + motion(places, audit)
            + whole(places, audit)
        report.start = trajectory.points.first.map { first in
            vehiclePosition.map { StartDistance(metres: (first.position - $0).length, from: .vehicle) }
                ?? StartDistance(metres: first.position.length, from: .worldOrigin)
        }
        if let first = trajectory.points.first?.position, isFarFromOrigin(first) {
            report.missingChecks.append(
                MissingCheck(
                    .distance, text: "distance implausible (point 1 is \(first.length.short) m from \(Self.origin))"))
        }
        if let depth = doubtedDepth(trajectory)?.words {
            report.missingChecks.append(MissingCheck(.altitude, text: "height implausible (\(depth))"))
        }
        if volume == nil {
            report.missingChecks.append(
                MissingCheck(.safetyArea, text: "safety area not checked (no world file with a safety area)"))
        } else if volume?.isEnabled == false {
            report.missingChecks += [
                MissingCheck(.safetyArea, text: "safety area not checked (switched off in the file)"),
                MissingCheck(.obstacle, text: "obstacles not checked (switched off with it)"),
            ]
        }
        addBattery(&report)
        return report
    }

    private func area(_ places: FindingFactory) -> [TrajectoryFinding] {
        if volume?.isEnabled == false {
            let off =
                "the safety area is switched off in the file (enabled: false): neither it nor its obstacles were checked"
            return [TrajectoryFinding(.safetyArea, .warning, text: off)]
                + fileLimits.flatMap { leaving($0.volume, $0.name, places) }
        }
        let own = volume.map { leaving($0, "the safety area", places) }
        let unknown = TrajectoryFinding(
            .safetyArea, .warning, text: "the safety area is unknown; it was not checked")
        return (own ?? [unknown]) + fileLimits.flatMap { leaving($0.volume, $0.name, places) }
    }

    /// What is said of ``volume`` and the samples alone: neither of other limits nor of the way to the first sample.
    public func areaFindings(on generated: GeneratedTrajectory) -> [TrajectoryFinding] {
        var check = self
        (check.fileLimits, check.vehiclePosition) = ([], nil)
        return check.area(FindingFactory(generated: generated))
    }

    /// Where the samples, or the straight line from the vehicle to the first one, leave a volume.
    private func leaving(_ volume: FlyableVolume, _ name: String, _ places: FindingFactory) -> [TrajectoryFinding] {
        var found = VolumeExits(volume: volume, name: name, points: places.trajectory.points).exits.map {
            places.finding($0.kind, $0.sample, at: $0.position, $0.words)
        }
        guard let vehiclePosition, let first = places.trajectory.points.first else { return found }
        let line = "the straight line from the vehicle to point 1"
        if let exit = volume.firstOutlineExit(from: vehiclePosition, to: first.position), exit.border != .startsOutside
        {
            found.append(
                TrajectoryFinding(
                    .safetyArea, pointIndex: 0, sample: 0, position: exit.position,
                    text: "\(line) leaves \(name) at \(exit.position.words)"))
        }
        // Also for a vehicle on the ground, below the area's lowest height.
        if let exit = volume.firstObstacle(from: vehiclePosition, to: first.position),
            case .obstacle(let index) = exit.border
        {
            found.append(
                TrajectoryFinding(
                    .obstacle, pointIndex: 0, sample: 0, position: exit.position,
                    text: "\(line) comes \(VolumeExits.obstacle(index, volume)) at \(exit.position.words)"))
        }
        return found
    }

    private func altitude(_ places: FindingFactory) -> [TrajectoryFinding] {
        guard let allowed = altitudes else { return [] }
        return places.worstSamples { max(allowed.lowerBound - $0.z, $0.z - allowed.upperBound) - 1e-9 }.map {
            sample, position in
            places.finding(
                .altitude, sample, at: position,
                "z is \(position.z.short) m; "
                    + (position.z < allowed.lowerBound
                        ? "the lowest allowed is \(allowed.lowerBound.short) m"
                        : "the highest allowed is \(allowed.upperBound.short) m"))
        }
    }

    /// How far a flight may be away: however much the user allows, no vehicle flies farther than 100 km.
    private var mostDistanceMetres: Double { min(maximumDistanceMetres ?? .infinity, Self.farthestMetres) }

    private func distance(_ places: FindingFactory) -> [TrajectoryFinding] {
        let most = mostDistanceMetres
        guard let start = places.trajectory.points.first?.position else { return [] }
        func limit(_ metres: Double) -> String {
            "allowed: \(most.short) m" + (metres > Self.implausibleMetres ? "; \(Self.doubt)" : "")
        }
        var found: [TrajectoryFinding] = places.worstSamples { ($0 - start).length - most - 1e-9 }.map {
            sample, position in
            let metres = (position - start).length
            return places.finding(
                .distance, sample, at: position, "it is \(metres.short) m from the start; \(limit(metres))")
        }
        if let vehiclePosition {
            let away = (vehiclePosition - start).length
            if away > most {
                found.append(
                    places.finding(
                        .distance, 0, at: start, "the vehicle is \(away.short) m away from it; \(limit(away))"))
            }
        } else if isFarFromOrigin(start) {
            var finding = places.finding(
                .distance, 0, at: start, "it is \(start.length.short) m from \(Self.origin); \(Self.doubt)")
            // A world may be larger than a flight: where its origin lies says less than where the vehicle is.
            if start.length <= Self.farthestMetres || !isPlaceKnown { finding.weight = .warning }
            found.append(finding)
        }
        return found
    }

    /// Whether the flight begins far from the only place that is known, for want of the vehicle's.
    private func isFarFromOrigin(_ start: Vector3) -> Bool {
        vehiclePosition == nil && start.length > mostDistanceMetres
    }

    /// No vehicle flies so far away from where it stands: something is wrong with the coordinates.
    private static let implausibleMetres = 10_000.0
    /// Beyond any flight.
    static let farthestMetres = 100_000.0
    static let origin = "the origin of world_origin"
    static let doubt = "are latitude and longitude swapped, or is the origin wrong?"

    private func motion(_ places: FindingFactory, _ audit: MotionAudit) -> [TrajectoryFinding] {
        audit.excesses.map { excess in
            places.finding(
                .motion, excess.sample, at: places.trajectory.points[excess.sample].position,
                "\(excess.axis.rawValue) \(excess.quantity.rawValue) of \(excess.value.short) \(excess.unit); "
                    + "the vehicle's limit is \(excess.limit.short)")
        }
    }

    private func whole(_ places: FindingFactory, _ audit: MotionAudit) -> [TrajectoryFinding] {
        var found: [TrajectoryFinding] = []
        // Tolerates rounding, also that of a file's decimals.
        if audit.largestSpacingMetres > spacingMetres * (1 + 1e-6) {
            let (apart, most) = Self.centimetres(audit.largestSpacingMetres, spacingMetres)
            found.append(
                places.finding(
                    .spacing, audit.largestSpacingSample,
                    at: places.trajectory.points[audit.largestSpacingSample].position,
                    "neighbouring samples are \(apart) cm apart; allowed: \(most) cm"))
        }
        if let most = maximumLengthMetres, audit.lengthMetres > most {
            found.append(
                TrajectoryFinding(
                    .length, text: "the path is \(audit.lengthMetres.short) m long; allowed: \(most.short) m"))
        }
        let duration = places.generated.durationSeconds
        if let most = maximumDurationSeconds, duration > most {
            found.append(
                TrajectoryFinding(.duration, text: "it takes \(duration.short) s; allowed: \(most.short) s"))
        }
        return found
    }

    /// Two lengths with as many digits as tell them apart.
    private static func centimetres(_ one: Double, _ other: Double) -> (String, String) {
        let (one, other) = (one * 100, other * 100)
        guard one.short == other.short else { return (one.short, other.short) }
        // As many decimals as tell them apart.
        for decimals in 3..<9 {
            let texts = (one.formatted(decimals: decimals), other.formatted(decimals: decimals))
            if texts.0 != texts.1 { return texts }
        }
        return (one.formatted(decimals: 9), other.formatted(decimals: 9))
    }

    private func addBattery(_ report: inout TrajectoryReport) {
        report.batteryRemaining = battery.remaining
        report.batteryNeeded = battery.needed(forSeconds: report.durationSeconds)
        guard let needed = report.batteryNeeded, let remaining = report.batteryRemaining else {
            let what = report.batteryRemaining == nil ? "the remaining battery" : "the battery's endurance"
            report.findings.append(
                TrajectoryFinding(.battery, .warning, text: "\(what) is unknown; the battery was not checked")
            )
            report.missingChecks.append(MissingCheck(.battery, text: "battery not checked (\(what) is unknown)"))
            return
        }
        guard remaining - needed < battery.reserve else { return }
        report.findings.append(
            TrajectoryFinding(
                .battery,
                text: "it needs \((needed * 100).short) % of the battery and \((remaining * 100).short) % remain; "
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
