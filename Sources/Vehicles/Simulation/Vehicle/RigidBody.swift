#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// The vehicle's dynamics: one rigid body, six rotors with a first-order lag, air and ground.
struct RigidBody: Hashable, Sendable {
    let airframe: Airframe
    /// World axes, metres; the ground is at 0.
    var position: Vector3
    /// World axes, m/s.
    var velocity = Vector3.zero
    /// World axes, m/s^2, with gravity: the change of velocity in the last step.
    private(set) var acceleration = Vector3.zero
    var attitude: Quaternion
    /// Body axes, rad/s.
    var rates = Vector3.zero
    /// Shares of full speed.
    private(set) var rotorSpeeds = SIMD8<Double>.zero
    /// Whether the gear stands on the ground.
    private(set) var isOnGround: Bool

    init(airframe: Airframe, x: Double, y: Double, headingRadians: Double) {
        self.airframe = airframe
        position = Vector3(x: x, y: y, z: airframe.gearMetres)
        attitude = Quaternion(headingRadians: headingRadians)
        isOnGround = true
    }

    /// Total thrust, newtons.
    var thrust: Double { (rotorSpeeds * rotorSpeeds).sum() * airframe.rotorThrustNewtons }

    /// Electrical power, watts.
    var power: Double {
        (rotorSpeeds * rotorSpeeds * rotorSpeeds).sum() * airframe.motorPowerWatts + airframe.avionicsWatts
    }

    /// Advances by a time.
    ///
    /// - Parameters:
    /// - thrusts: commanded rotor thrusts, newtons.
    /// - ceiling: maximum rotor speed at the present battery voltage, share of full speed.
    mutating func step(seconds: Double, thrusts: SIMD8<Double>, ceiling: Double = 1, wind: Vector3 = .zero) {
        let wanted = (thrusts / airframe.rotorThrustNewtons).squareRoot()
            .clamped(lowerBound: .zero, upperBound: SIMD8(repeating: ceiling))
        rotorSpeeds += (wanted - rotorSpeeds) * (1 - exp(-seconds / airframe.motorLagSeconds))

        let each = rotorSpeeds * rotorSpeeds * airframe.rotorThrustNewtons
        let torque = Vector3(
            x: (each * Airframe.Rotors.y).sum() * airframe.armMetres,
            y: -(each * Airframe.Rotors.x).sum() * airframe.armMetres,
            z: (each * Airframe.Rotors.spin).sum() * airframe.torquePerThrustMetres)
        let air = velocity - wind
        let drag = air * -(airframe.linearDrag + airframe.quadraticDrag * air.length)
        let force = attitude.bodyZ * each.sum() + drag
        acceleration = force * (1 / airframe.massKilograms) - Vector3(x: 0, y: 0, z: Airframe.gravity)
        position = position + velocity * seconds + acceleration * (seconds * seconds / 2)
        velocity = velocity + acceleration * seconds

        // Euler's equations; the hexagon's symmetry leaves the gyroscopic term without a z part.
        let (ixy, iz) = (airframe.inertiaXY, airframe.inertiaZ)
        let w = rates
        rates = Vector3(
            x: w.x + seconds * (torque.x - (iz - ixy) * w.y * w.z) / ixy,
            y: w.y + seconds * (torque.y - (ixy - iz) * w.x * w.z) / ixy,
            z: w.z + seconds * torque.z / iz)
        attitude = (attitude * Quaternion(rotationVector: rates * seconds)).normalised
        stand()
    }

    /// Ground contact: no bounce, no sliding, and the gear levels the body.
    private mutating func stand() {
        guard position.z <= airframe.gearMetres, velocity.z <= 0 || thrust < airframe.weightNewtons else {
            isOnGround = false
            return
        }
        isOnGround = true
        position.z = airframe.gearMetres
        velocity = .zero
        acceleration = .zero
        rates = .zero
        attitude = Quaternion(headingRadians: attitude.headingRadians)
    }
}
