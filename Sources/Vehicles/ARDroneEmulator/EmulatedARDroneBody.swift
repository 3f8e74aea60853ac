#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A small flying body: it follows velocities with a limited acceleration, tilts for them, and stands on the ground at zero.
///
/// Metres, radians and seconds; north, east and up of where it was switched on; heading clockwise from north.
struct EmulatedARDroneBody: Sendable {
    private(set) var north = 0.0
    private(set) var east = 0.0
    private(set) var up = 0.0
    var heading = 0.0
    private(set) var velocity = (north: 0.0, east: 0.0, up: 0.0)
    /// Nose up and right side down.
    private(set) var pitch = 0.0
    private(set) var roll = 0.0

    /// What it follows: forward, right and up of the body, m/s, and a turn to the right, rad/s.
    var wanted = (forward: 0.0, right: 0.0, up: 0.0, turn: 0.0)

    private static let acceleration = 2.5
    private static let gravity = 9.81

    /// Hovers from now on.
    mutating func hold() { wanted = (0, 0, 0, 0) }

    /// The velocity along the body: forward, right and down.
    var bodyVelocity: (forward: Double, right: Double, down: Double) {
        (
            velocity.north * cos(heading) + velocity.east * sin(heading),
            velocity.east * cos(heading) - velocity.north * sin(heading), -velocity.up
        )
    }

    mutating func fly(seconds: Double) {
        let goal = (
            north: wanted.forward * cos(heading) - wanted.right * sin(heading),
            east: wanted.forward * sin(heading) + wanted.right * cos(heading), up: wanted.up
        )
        let change = (
            north: goal.north - velocity.north, east: goal.east - velocity.east, up: goal.up - velocity.up
        )
        let length = (change.north * change.north + change.east * change.east + change.up * change.up).squareRoot()
        let reach = Self.acceleration * seconds
        let share = length > reach ? reach / length : 1
        velocity.north += change.north * share
        velocity.east += change.east * share
        velocity.up += change.up * share
        // It leans into the velocity: 0.1 rad for each metre per second, nose down to fly forward.
        let body = bodyVelocity
        (pitch, roll) = (-0.1 * body.forward, 0.1 * body.right)
        move(seconds: seconds)
        heading = (heading + wanted.turn * seconds).remainder(dividingBy: 2 * .pi)
    }

    mutating func fall(seconds: Double) {
        velocity.up -= Self.gravity * seconds
        move(seconds: seconds)
    }

    private mutating func move(seconds: Double) {
        north += velocity.north * seconds
        east += velocity.east * seconds
        up += velocity.up * seconds
        guard up <= 0 else { return }
        up = 0
        velocity.up = max(0, velocity.up)
    }

    /// Stands on the ground.
    mutating func stand() {
        up = 0
        velocity = (0, 0, 0)
        (pitch, roll) = (0, 0)
        hold()
    }
}
