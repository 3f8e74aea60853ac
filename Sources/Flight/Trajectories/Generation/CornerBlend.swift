internal import UAVLink

/// A rounded corner: the velocity turns from one direction to another, with the same speed at both ends.
///
/// velocity(x) = v (u + (w - u) S(x)) with S(x) = 3x^2 - 2x^3 and x = t/T. The velocity is always a weighted mean of the two,
/// so speed limits hold; acceleration v |w - u| S'/T is at most 1.5 v |w - u| / T, jerk at most 6 v |w - u| / T^2, and the
/// acceleration is zero at both ends. The blend begins and ends v T / 2 from the corner and passes it at 3/32 v T |w - u|.
struct CornerBlend {
    /// Directions in and out.
    let inward: Vector3
    let outward: Vector3
    private let horizontalTurn: Double
    private let verticalTurn: Double
    private let turn: Double
    private let horizontal: MotionLimits.Limits
    private let vertical: MotionLimits.Limits

    init(inward: Vector3, outward: Vector3, limits: MotionLimits) {
        self.inward = inward
        self.outward = outward
        let change = outward - inward
        horizontalTurn = (change.x * change.x + change.y * change.y).squareRoot()
        verticalTurn = change.z.magnitude
        turn = change.length
        horizontal = limits.horizontal
        vertical = limits.vertical(from: inward.z, to: outward.z)
    }

    /// Whether the direction does not change, so that no blend is needed.
    var isStraight: Bool { turn < 1e-9 }

    /// Duration of the blend at a speed, seconds.
    func duration(at speed: Double) -> Double {
        if isStraight { return 0 }
        func needed(_ change: Double, _ limits: MotionLimits.Limits) -> Double {
            max(1.5 * speed * change / limits.acceleration, (6 * speed * change / limits.jerk).squareRoot())
        }
        return max(needed(horizontalTurn, horizontal), needed(verticalTurn, vertical))
    }

    /// Distance from the corner at which the blend begins and ends, metres.
    func reach(at speed: Double) -> Double { speed * duration(at: speed) / 2 }

    /// Distance at which the blend passes the corner, metres.
    func deviation(at speed: Double) -> Double { 3.0 / 32 * speed * duration(at: speed) * turn }

    /// The highest speed within a reach and a deviation.
    func greatestSpeed(upTo most: Double, reach: Double, deviation: Double) -> Double {
        SpeedRamp.greatestSpeed(from: 0, upTo: most) {
            self.reach(at: $0) <= reach && self.deviation(at: $0) <= deviation
        }
    }

    /// Offset from the start of a blend of a speed and duration at its fraction `x` (0...1).
    func offset(at x: Double, speed: Double, duration: Double) -> Vector3 {
        let turned = x * x * x * (1 - x / 2)
        return (inward * x + (outward - inward) * turned) * (speed * duration)
    }
}
