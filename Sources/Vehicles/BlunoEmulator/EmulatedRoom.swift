#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A place in the emulated room, metres.
package struct RoomPlace: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    func distance(to other: Self) -> Double { hypot(other.x - x, other.y - y) }
    func bearing(to other: Self) -> Double { atan2(other.y - y, other.x - x) }
}

/// The little world of an emulated robot: a floor of 4 by 3 m with walls on three sides, and an edge on the fourth, in the east; a
/// round pillar; a person, who is a source of infrared; and the dock where it charges.
package struct EmulatedRoom: Sendable {
    /// Size along x, metres; at its end the floor ends.
    package var width = 4.0
    /// Size along y, metres.
    package var depth = 3.0
    package var pillar = RoomPlace(2.2, 1.6)
    package var pillarRadius = 0.2
    package var person = RoomPlace(3.0, 2.4)
    package var dock = RoomPlace(0.4, 0.4)

    /// The room described above.
    package init() {}

    /// Whether there is floor.
    func hasFloor(_ place: RoomPlace) -> Bool { place.x <= width }

    /// Whether a round body stands in a wall or in the pillar.
    func blocks(_ place: RoomPlace, radius: Double) -> Bool {
        place.x < radius || place.y < radius || place.y > depth - radius
            || place.distance(to: pillar) < pillarRadius + radius
    }

    /// The distance from a place to a wall or the pillar in a direction, metres; ``mostDistance`` if there is none so near.
    func distance(from place: RoomPlace, towards angle: Double) -> Double {
        let (dx, dy) = (cos(angle), sin(angle))
        var nearest = Self.mostDistance
        if dx < 0 { nearest = min(nearest, -place.x / dx) }
        if dy < 0 { nearest = min(nearest, -place.y / dy) }
        if dy > 0 { nearest = min(nearest, (depth - place.y) / dy) }
        let (px, py) = (pillar.x - place.x, pillar.y - place.y)
        let along = px * dx + py * dy
        let aside = abs(px * dy - py * dx)
        if along > 0, aside < pillarRadius {
            nearest = min(nearest, along - (pillarRadius * pillarRadius - aside * aside).squareRoot())
        }
        return max(nearest, 0)
    }

    /// As far as the sensor sees, metres.
    static let mostDistance = 2.0
}
