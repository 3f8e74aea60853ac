/// The physical properties of the simulated hexacopter.
///
/// Values of a research hexacopter of the 650 mm class (3 kg with a 6S battery and 13-inch propellers, which hover at
/// 64 % of their speed and lift 2.4 times the weight at full speed).
public struct Airframe: Hashable, Sendable {
    /// Kilograms.
    public var massKilograms = 3.0
    /// Moments of inertia about the body's x and y, kg m^2 (the hexagon is symmetric).
    public var inertiaXY = 0.045
    /// Moment of inertia about the body's z, kg m^2.
    public var inertiaZ = 0.08
    /// From the centre to each rotor, metres.
    public var armMetres = 0.325
    /// One rotor's thrust at full speed, newtons.
    public var rotorThrustNewtons = 12.0
    /// Reaction torque per newton of thrust, metres.
    public var torquePerThrustMetres = 0.016
    /// How long a motor takes to reach 63 % of a new speed, seconds.
    public var motorLagSeconds = 0.035
    /// Idle speed of an armed motor, share of full speed.
    public var idleSpeed = 0.12
    /// Electrical power of one motor at full speed, watts; proportional to the cube of the speed.
    public var motorPowerWatts = 290.0
    /// Power of the electronics, watts.
    public var avionicsWatts = 12.0
    /// Drag in proportion to airspeed (mostly the rotors' own), N s/m.
    public var linearDrag = 0.35
    /// Drag in proportion to airspeed squared (the body's), N s^2/m^2.
    public var quadraticDrag = 0.04
    /// Height of the body's centre above the ground when landed, metres: the range finder's reading there.
    public var gearMetres = 0.06

    /// Standard gravity, m/s^2 (CGPM 1901).
    public static let gravity = 9.806_65

    /// The standard hexacopter.
    public init() {}

    /// Weight, newtons.
    public var weightNewtons: Double { massKilograms * Self.gravity }

    /// The six rotors, counter-clockwise from 30 degrees left of forward (two unused lanes are zero).
    struct Rotors: Hashable, Sendable {
        /// Cosines and sines of 30, 90, ... 330 degrees: x forward, y left, for an arm of one metre.
        static let x = SIMD8<Double>(
            0.866_025_403_784_438_6, 0, -0.866_025_403_784_438_6, -0.866_025_403_784_438_6, 0,
            0.866_025_403_784_438_6, 0, 0)
        static let y = SIMD8<Double>(0.5, 1, 0.5, -0.5, -1, -0.5, 0, 0)
        /// Direction of each rotor's reaction torque about the body's z.
        static let spin = SIMD8<Double>(1, -1, 1, -1, 1, -1, 0, 0)
        static let present = SIMD8<Double>(1, 1, 1, 1, 1, 1, 0, 0)
    }

    /// Rotor thrusts for a total thrust and torques about the body's axes: the pseudo-inverse of the hexagon's
    /// geometry, each clamped to a rotor's range.
    func mix(thrust: Double, torqueX: Double, torqueY: Double, torqueZ: Double) -> SIMD8<Double> {
        let share = 1 / (3 * armMetres)
        var each = Rotors.present * (thrust / 6)
        each += Rotors.y * (torqueX * share) - Rotors.x * (torqueY * share)
        each += Rotors.spin * (torqueZ / (6 * torquePerThrustMetres))
        let least = rotorThrustNewtons * idleSpeed * idleSpeed
        return each.clamped(
            lowerBound: Rotors.present * least, upperBound: Rotors.present * rotorThrustNewtons)
    }
}
