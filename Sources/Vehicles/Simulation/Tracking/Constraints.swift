public import UAVLink

/// Limits of motion, as the flight stack's constraint manager sets them.
public struct Constraints: Hashable, Sendable {
    /// The limits that the trackers keep.
    public var limits: MotionLimits
    /// m/s^4; reported, not enforced: no tracker of the real stack enforces it either.
    public var snap = 40.0
    /// rad/s^4; reported, not enforced.
    public var headingSnap = 20.0
    /// Maximum tilt, radians.
    public var tiltRadians = 1.047_197_551_196_597_6
    /// Maximum roll and pitch rate, rad/s.
    public var rollPitchRate = 60.0
    /// Maximum yaw rate, rad/s.
    public var yawRate = 10.0

    private init(_ limits: MotionLimits) { self.limits = limits }

    private init(speed: Double, acceleration: Double, climb: Double, climbAcceleration: Double, turn: Double) {
        let vertical = MotionLimits.Limits(speed: climb, acceleration: climbAcceleration, jerk: 40)
        self.init(
            MotionLimits(
                horizontal: .init(speed: speed, acceleration: acceleration, jerk: 40), ascending: vertical,
                descending: vertical, heading: .init(speed: turn, acceleration: turn, jerk: 20)))
    }

    /// 1 m/s, 1 m/s^2.
    public static let slow = Self(speed: 1, acceleration: 1, climb: 1, climbAcceleration: 1, turn: 1)
    /// ``UAVLink/MotionLimits/medium``.
    public static let medium = Self(.medium)
    /// 8 m/s, 4 m/s^2. (The vertical and heading limits are ours; the real ones were not recorded.)
    public static let fast = Self(speed: 8, acceleration: 4, climb: 4, climbAcceleration: 2, turn: 2)

    /// Names in the order of the constraint manager.
    public static let names = ["slow", "medium", "fast"]

    /// The set of that name.
    public static func named(_ name: String) -> Self? {
        switch name {
        case "slow": slow
        case "medium": medium
        case "fast": fast
        default: nil
        }
    }

    /// Motion of the landing and take-off tracker, measured on the real stack: it reaches 0.5 m/s in both directions
    /// and takes 4.7 s for 1.5 m up after its start and 5.6 s for 1.94 m down.
    static let landoffUp = MotionLimits.Limits(speed: 0.5, acceleration: 0.35, jerk: 40)
    static let landoffDown = MotionLimits.Limits(speed: 0.5, acceleration: 0.25, jerk: 40)
}
