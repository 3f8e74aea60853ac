/// What the values of a vehicle can be at all. Telemetry is held to it wherever it is decoded, over every link.
///
/// The bounds are far beyond what any multirotor does, so that an estimator that goes astray is still seen for what it is; what
/// lies beyond them is no measurement but a fault of a sensor, an estimator or a sender.
public enum TelemetryBounds {
    /// Metres along x and y of any frame: no two places on earth are farther apart along the ground, and the numbers of its
    /// grids (UTM) are smaller.
    public static let horizontalMetres = 20_004_000.0
    /// Metres along z, of altitudes, heights and ceilings, up and down: where space begins by the usual count.
    public static let verticalMetres = 100_000.0
    /// Metres per second along each axis: three times the speed of sound.
    public static let metresPerSecond = 1000.0
    /// Radians, either way: headings are kept within a turn; one that counts turns still has its place.
    public static let headingRadians = 1000.0
    /// Metres that a range finder can look: beyond the atmosphere it sees nothing.
    public static let rangeMetres = verticalMetres
    /// Volts, either way, since a sensor may be the wrong way round; electric cars have less.
    public static let volts = 1000.0
    /// Amperes, either way: a battery that gives more has melted.
    public static let amperes = 10_000.0

    /// A pose that can be.
    public static func pose(_ pose: Pose) -> Pose? {
        let position = pose.positionMetres
        let isPossible =
            holds(position.x, horizontalMetres) && holds(position.y, horizontalMetres)
            && holds(position.z, verticalMetres) && holds(pose.headingRadians, headingRadians)
        return isPossible ? pose : nil
    }

    /// A velocity that can be, metres per second.
    public static func velocity(_ velocity: Vector3) -> Vector3? {
        let isPossible =
            holds(velocity.x, metresPerSecond) && holds(velocity.y, metresPerSecond)
            && holds(velocity.z, metresPerSecond)
        return isPossible ? velocity : nil
    }

    /// A height, altitude or ceiling that can be, metres.
    public static func height(_ metres: Double) -> Double? { holds(metres, verticalMetres) ? metres : nil }

    /// A range finder's measurement that can be, metres.
    public static func range(_ metres: Double) -> Double? { metres >= 0 && metres <= rangeMetres ? metres : nil }

    /// A battery with only those figures that can be; `nil` when its voltage cannot.
    public static func battery(_ battery: Battery) -> Battery? {
        guard holds(battery.voltageVolts, volts) else { return nil }
        return Battery(
            voltageVolts: battery.voltageVolts, currentAmperes: battery.currentAmperes.flatMap { held($0, amperes) },
            remaining: battery.remaining.flatMap { (0...1).contains($0) ? $0 : nil })
    }

    /// A place on earth, with its accuracy only when that can be; `nil` of any other.
    public static func gnss(_ fix: GNSSFix) -> GNSSFix? {
        guard holds(fix.latitudeDegrees, 90), holds(fix.longitudeDegrees, 180),
            holds(fix.altitudeMetres, verticalMetres)
        else { return nil }
        var fix = fix
        // Receivers without a fix tell millions of metres; that is what they know.
        fix.horizontalAccuracyMetres = fix.horizontalAccuracyMetres.flatMap {
            $0 >= 0 && $0 <= horizontalMetres ? $0 : nil
        }
        return fix
    }

    private static func holds(_ value: Double, _ most: Double) -> Bool { value.magnitude <= most }
    private static func held(_ value: Double, _ most: Double) -> Double? { holds(value, most) ? value : nil }
}

/// What telemetry is asked whether it can be.
public enum TelemetryValue: UInt8, Sendable, CaseIterable {
    /// Position and heading.
    case position = 1
    /// Velocity.
    case velocity = 2
    /// Height above ground.
    case height = 3
    /// The range finder.
    case range = 4
    /// The battery, or one of its figures.
    case battery = 5
    /// Satellite navigation, or its accuracy.
    case gnss = 6

    /// The word for people and scripts.
    public var word: String {
        switch self {
        case .position: "position"
        case .velocity: "velocity"
        case .height: "height"
        case .range: "range"
        case .battery: "battery"
        case .gnss: "gnss"
        }
    }
}

/// Values that came and were not taken, since no vehicle can have them (``TelemetryBounds``).
public struct RejectedValues: Hashable, Sendable {
    /// How many were rejected at this end of the link.
    public var here: UInt64 = 0
    /// How many the vehicle's end of the link rejected, as it last told.
    public var byVehicle: UInt64 = 0
    /// Which one was the newest of both, and when it came.
    public var newest: Sample<TelemetryValue>?

    /// None.
    public init() {}

    /// How many in all.
    public var count: UInt64 { here &+ byVehicle }

    /// What can be of a sample; anything else is counted.
    public mutating func checked<Value>(
        _ sample: Sample<Value>, _ value: TelemetryValue, _ bounds: (Value) -> Value?
    ) -> Sample<Value>? {
        let possible = bounds(sample.value)
        if possible != sample.value {
            here &+= 1
            note(value, at: sample.at)
        }
        return possible.map { Sample($0, at: sample.at) }
    }

    /// The vehicle's end tells how many it has rejected.
    public mutating func told(_ count: UInt64, newest value: TelemetryValue, at: MonotonicTime) {
        byVehicle = count
        note(value, at: at)
    }

    private mutating func note(_ value: TelemetryValue, at: MonotonicTime) {
        if let newest, newest.at > at { return }
        newest = Sample(value, at: at)
    }
}
