#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A small flying body: it follows velocities with a limited acceleration, and stands on the ground at zero.
///
/// Metres, radians and seconds; x forward and y left where it was switched on, z up, yaw counter-clockwise.
struct EmulatedBody: Sendable {
    private(set) var x = 0.0
    private(set) var y = 0.0
    private(set) var z = 0.0
    private(set) var yaw = 0.0
    private(set) var velocity = (x: 0.0, y: 0.0, z: 0.0)

    /// What it follows: forward, left and up of the body, and a turn, counter-clockwise.
    var wanted = (forward: 0.0, left: 0.0, up: 0.0, turn: 0.0)

    private static let acceleration = 3.0
    /// A fall is stopped by the ground at once.
    private static let gravity = 9.81

    /// Hovers from now on.
    mutating func hold() { wanted = (0, 0, 0, 0) }

    mutating func fly(seconds: Double) {
        let goal = (
            x: wanted.forward * cos(yaw) - wanted.left * sin(yaw),
            y: wanted.forward * sin(yaw) + wanted.left * cos(yaw), z: wanted.up
        )
        let change = (x: goal.x - velocity.x, y: goal.y - velocity.y, z: goal.z - velocity.z)
        let length = (change.x * change.x + change.y * change.y + change.z * change.z).squareRoot()
        let reach = Self.acceleration * seconds
        let share = length > reach ? reach / length : 1
        velocity.x += change.x * share
        velocity.y += change.y * share
        velocity.z += change.z * share
        move(seconds: seconds)
        yaw = (yaw + wanted.turn * seconds).remainder(dividingBy: 2 * .pi)
    }

    mutating func fall(seconds: Double) {
        velocity.z -= Self.gravity * seconds
        move(seconds: seconds)
    }

    private mutating func move(seconds: Double) {
        x += velocity.x * seconds
        y += velocity.y * seconds
        z += velocity.z * seconds
        guard z <= 0 else { return }
        z = 0
        velocity.z = max(0, velocity.z)
    }

    /// Stands on the ground.
    mutating func stand() {
        z = 0
        velocity = (0, 0, 0)
        hold()
    }
}
