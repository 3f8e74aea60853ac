#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// Follows the tracker: converts position and velocity errors to an acceleration, that to thrust and attitude, and
/// those to the thrusts of the six rotors.
///
/// The attitude controller is the quaternion form of the geometric controller of T. Lee, M. Leok and N. H. McClamroch
/// (2010), with a feed-forward of the heading rate only.
struct FlightController: Hashable, Sendable {
    /// Gains and limits.
    enum Tuning {
        /// 1/s^2 and 1/s: 2.2 rad/s with a damping of 0.95, five times slower than the attitude loop below.
        static let position = 4.8
        static let velocity = 4.2
        /// 1/s^3, against wind and drag, and its limit, m/s^2.
        static let integral = 1.2
        static let integralLimit = 4.0
        /// 1/s^2 and 1/s: 11 rad/s with a damping of 0.85; the motors' lag of 35 ms costs 20 degrees of phase there.
        static let attitude = 121.0
        static let rate = 19.0
        /// The same for the heading, which has little torque available.
        static let heading = 9.0
        static let headingRate = 6.0
        /// Share of the rotors' total thrust available for flight; the rest is reserved for attitude control.
        static let thrustShare = 0.9
        /// Minimum thrust in flight as a share of the weight, which keeps the attitude controllable.
        static let minimumThrustShare = 0.15
    }

    private(set) var desiredAttitude = Quaternion.identity
    private(set) var desiredThrust = 0.0
    private var desiredHeadingRate = 0.0
    private var sum = Vector3.zero
    private let airframe: Airframe

    init(airframe: Airframe) { self.airframe = airframe }

    /// Thrust as a share of the maximum, as the real stack reports it.
    var throttle: Double { desiredThrust / (6 * airframe.rotorThrustNewtons) }

    /// Resets the integral, on the ground.
    mutating func reset(headingRadians: Double) {
        sum = .zero
        desiredThrust = 0
        desiredHeadingRate = 0
        desiredAttitude = Quaternion(headingRadians: headingRadians)
    }

    /// The outer loop, once per tracker step. `share` scales the thrust while it ramps up and down on the ground.
    mutating func follow(
        _ tracker: borrowing Tracker, position: Vector3, velocity: Vector3, tiltLimit: Double, share: Double,
        seconds: Double
    ) {
        let positionError = tracker.position - position
        let velocityError = tracker.velocity - velocity
        if share >= 1 {
            sum = sum + positionError * (Tuning.integral * seconds)
            sum = Vector3(x: limited(sum.x), y: limited(sum.y), z: limited(sum.z))
        }
        let wanted =
            tracker.acceleration + positionError * Tuning.position + velocityError * Tuning.velocity + sum
        let mass = airframe.massKilograms
        var force = (wanted + Vector3(x: 0, y: 0, z: Airframe.gravity)) * mass
        force.z = max(force.z, Tuning.minimumThrustShare * airframe.weightNewtons)
        // Height has priority over position: the horizontal force yields to the tilt limit and to the rotors' limit.
        let greatest = 6 * airframe.rotorThrustNewtons * Tuning.thrustShare
        force.z = min(force.z, greatest)
        let sideways = (force.x * force.x + force.y * force.y).squareRoot()
        let allowed = min(force.z * tan(tiltLimit), (greatest * greatest - force.z * force.z).squareRoot())
        if sideways > allowed {
            force.x *= allowed / sideways
            force.y *= allowed / sideways
        }
        desiredThrust = force.length * share
        desiredHeadingRate = tracker.headingRate
        let up = force * (1 / force.length)
        let heading = tracker.headingRadians
        let left = normalised(up.cross(Vector3(x: cos(heading), y: sin(heading), z: 0)))
        desiredAttitude = Quaternion(bodyX: left.cross(up), bodyY: left, bodyZ: up)
    }

    /// The inner loop, at every step: rotor thrusts, newtons.
    func thrusts(attitude: Quaternion, rates: Vector3) -> SIMD8<Double> {
        var error = desiredAttitude.conjugate * attitude
        if error.w < 0 { error = Quaternion(x: -error.x, y: -error.y, z: -error.z, w: -error.w) }
        // Twice the vector part is the angle about each body axis, for small angles.
        let (ixy, iz) = (airframe.inertiaXY, airframe.inertiaZ)
        return airframe.mix(
            thrust: desiredThrust,
            torqueX: ixy * (-Tuning.attitude * 2 * error.x - Tuning.rate * rates.x),
            torqueY: ixy * (-Tuning.attitude * 2 * error.y - Tuning.rate * rates.y),
            torqueZ: iz * (-Tuning.heading * 2 * error.z - Tuning.headingRate * (rates.z - desiredHeadingRate)))
    }

    private func limited(_ value: Double) -> Double {
        min(max(value, -Tuning.integralLimit), Tuning.integralLimit)
    }

    private func normalised(_ v: Vector3) -> Vector3 { v * (1 / v.length) }
}
