#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The way to a place: distance and bearing, and the sticks that fly it, turn first, then forward.
package struct ARDroneGuidance: Hashable, Sendable {
    /// Where it ends, degrees.
    package var latitude: Double
    package var longitude: Double

    /// A place in degrees.
    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Nearer than this it has arrived, metres.
    package static let arrival = 1.0
    /// The farthest place, metres: beyond the reach of its Wi-Fi in any case.
    package static let farthest = 500.0
    /// Of the yaw's full deflection for each degree that the nose points beside the place.
    private static let turnPerDegree = 0.01
    /// Of the pitch's full deflection.
    private static let forward = 0.2
    /// It flies forward only if the place is so far ahead, degrees to each side.
    private static let ahead = 45.0
    /// Nearer than this it flies slower, metres, down to a share of its speed.
    private static let near = 4.0
    private static let slowest = 0.3
    /// The mean radius of the earth, metres.
    private static let earth = 6_371_008.8

    /// The distance to the place, metres, and its bearing, degrees clockwise from true north, 0 to 360.
    package func way(latitude from: Double, longitude fromLongitude: Double) -> (metres: Double, bearing: Double) {
        let (a, b) = (from * .pi / 180, latitude * .pi / 180)
        let east = (longitude - fromLongitude) * .pi / 180
        let halfNorth = sin((b - a) / 2)
        let halfEast = sin(east / 2)
        let share = halfNorth * halfNorth + cos(a) * cos(b) * halfEast * halfEast
        let metres = 2 * Self.earth * asin(min(1, share.squareRoot()))
        let bearing = atan2(sin(east) * cos(b), cos(a) * sin(b) - sin(a) * cos(b) * cos(east)) * 180 / .pi
        return (metres, bearing < 0 ? bearing + 360 : bearing)
    }

    /// The sticks for a way and a heading, both clockwise from north; `nil` once it has arrived.
    package static func sticks(metres: Double, bearing: Double, heading: Double) -> ATSticks? {
        guard metres >= arrival else { return nil }
        // Positive: the place is to the right, and so the turn.
        let error = (bearing - heading).remainder(dividingBy: 360)
        guard error.isFinite else { return .neutral }
        let speed = forward * min(1, max(slowest, metres / near))
        // Forward is nose down, negative.
        return ATSticks(roll: 0, pitch: abs(error) < ahead ? -speed : 0, climb: 0, yaw: error * turnPerDegree)
    }
}
