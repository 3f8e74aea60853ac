/// Bounds of physically possible telemetry, applied wherever telemetry is decoded, on every link.
///
/// The bounds are far beyond what any multirotor reaches, so that the output of a diverging estimator is still shown; a
/// value beyond them is a fault of a sensor, an estimator or a sender.
public enum TelemetryBounds {
    /// Metres along x and y of any frame: half the earth's circumference, the largest distance between two places; UTM
    /// coordinates are smaller.
    public static let horizontalMetres = 20_004_000.0
    /// Metres along z, of altitudes, heights and ceilings, either sign: the Karman line.
    public static let verticalMetres = 100_000.0
    /// Metres per second along each axis: three times the speed of sound.
    public static let metresPerSecond = 1000.0
    /// Radians, either sign: far more than one turn, since some sources do not wrap their heading.
    public static let headingRadians = 1000.0
    /// Metres of a range finder.
    public static let rangeMetres = verticalMetres
    /// Volts, either sign, since a sensor may be connected with reversed polarity; electric cars have less.
    public static let volts = 1000.0
    /// Amperes, either sign: more than any battery delivers.
    public static let amperes = 10_000.0

    /// The pose, or `nil` if a value is out of bounds.
    public static func pose(_ pose: Pose) -> Pose? {
        let position = pose.positionMetres
        let isPossible =
            holds(position.x, horizontalMetres) && holds(position.y, horizontalMetres)
            && holds(position.z, verticalMetres) && holds(pose.headingRadians, headingRadians)
        return isPossible ? pose : nil
    }

    /// The velocity, metres per second, or `nil` if a component is out of bounds.
    public static func velocity(_ velocity: Vector3) -> Vector3? {
        let isPossible =
            holds(velocity.x, metresPerSecond) && holds(velocity.y, metresPerSecond)
            && holds(velocity.z, metresPerSecond)
        return isPossible ? velocity : nil
    }

    /// The height, altitude or ceiling, metres, or `nil` if out of bounds.
    public static func height(_ metres: Double) -> Double? { holds(metres, verticalMetres) ? metres : nil }

    /// The range finder's measurement, metres, or `nil` if out of bounds.
    public static func range(_ metres: Double) -> Double? { metres >= 0 && metres <= rangeMetres ? metres : nil }

    /// The battery without the values that are out of bounds; `nil` if its voltage is.
    public static func battery(_ battery: Battery) -> Battery? {
        if let voltage = battery.voltageVolts, !holds(voltage, volts) { return nil }
        return Battery(
            voltageVolts: battery.voltageVolts, currentAmperes: battery.currentAmperes.flatMap { held($0, amperes) },
            remaining: battery.remaining.flatMap { (0...1).contains($0) ? $0 : nil })
    }

    /// The fix, without its accuracy if that is out of bounds; `nil` if its position is out of bounds.
    public static func gnss(_ fix: GNSSFix) -> GNSSFix? {
        guard holds(fix.latitudeDegrees, 90), holds(fix.longitudeDegrees, 180),
            holds(fix.altitudeMetres, verticalMetres)
        else { return nil }
        var fix = fix
        // Receivers without a fix report millions of metres: still within this bound.
        fix.horizontalAccuracyMetres = fix.horizontalAccuracyMetres.flatMap {
            $0 >= 0 && $0 <= horizontalMetres ? $0 : nil
        }
        return fix
    }

    private static func holds(_ value: Double, _ most: Double) -> Bool { value.magnitude <= most }
    private static func held(_ value: Double, _ most: Double) -> Double? { holds(value, most) ? value : nil }
}

/// The values checked against ``TelemetryBounds``.
public enum TelemetryValue: UInt8, Sendable, CaseIterable {
    /// Position and heading.
    case position = 1
    /// Velocity.
    case velocity = 2
    /// Height above ground.
    case height = 3
    /// The range finder.
    case range = 4
    /// The battery, or one of its values.
    case battery = 5
    /// Satellite navigation, or its accuracy.
    case gnss = 6

    /// The value's name in output.
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

/// Counts of values rejected as out of bounds (``TelemetryBounds``).
public struct RejectedValues: Hashable, Sendable {
    /// The number rejected on this side of the link.
    public var here: UInt64 = 0
    /// The number rejected by the vehicle's side of the link, as last reported.
    public var byVehicle: UInt64 = 0
    /// The newest of both, and when it was received.
    public var newest: Sample<TelemetryValue>?

    /// None.
    public init() {}

    /// The total number.
    public var count: UInt64 { here &+ byVehicle }

    /// Checks a sample; counts it as rejected if any part of it is out of bounds.
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

    /// Takes over the number rejected by the vehicle's side.
    public mutating func received(_ count: UInt64, newest value: TelemetryValue, at: MonotonicTime) {
        byVehicle = count
        note(value, at: at)
    }

    private mutating func note(_ value: TelemetryValue, at: MonotonicTime) {
        if let newest, newest.at > at { return }
        newest = Sample(value, at: at)
    }
}
