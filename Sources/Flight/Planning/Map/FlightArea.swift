public import UAVLink

/// Where a vehicle's centre may be: a prism over a polygon, like a safety area.
public struct FlightArea: Hashable, Sendable {
    /// The polygon's corners in order, metres in the map's frame; z is ignored. With fewer than three, any x and y is
    /// inside.
    public var corners: [Vector3]
    /// From the lowest z to the highest, metres in the map's frame.
    public var heights: ClosedRange<Double>

    /// A prism.
    public init(corners: [Vector3], heights: ClosedRange<Double>) {
        self.corners = corners
        self.heights = heights
    }

    /// Whether a place is inside the area or on its border.
    public func contains(_ place: Vector3) -> Bool {
        guard heights.contains(place.z) else { return false }
        guard corners.count >= 3 else { return true }
        return isInsidePolygon(place) || distanceToBorder(place) <= 1e-9
    }

    /// Whether a straight line lies inside along its whole length.
    func contains(from start: Vector3, to end: Vector3) -> Bool {
        guard contains(start), contains(end) else { return false }
        guard corners.count >= 3 else { return true }
        return !sides.contains { Self.cross(start, end, $0.0, $0.1) }
    }

    /// Horizontal distance from a place to the polygon's border, metres; infinite without a polygon.
    func distanceToBorder(_ place: Vector3) -> Double {
        sides.reduce(.infinity) { least, side in
            let along = Vector3(x: side.1.x - side.0.x, y: side.1.y - side.0.y, z: 0)
            let to = Vector3(x: place.x - side.0.x, y: place.y - side.0.y, z: 0)
            let squared = along.dot(along)
            let fraction = squared > 0 ? min(1, max(0, to.dot(along) / squared)) : 0
            return min(least, (to - along * fraction).length)
        }
    }

    private var sides: [(Vector3, Vector3)] {
        guard corners.count >= 3 else { return [] }
        return corners.indices.map { (corners[$0], corners[($0 + 1) % corners.count]) }
    }

    private func isInsidePolygon(_ place: Vector3) -> Bool {
        var isInside = false
        for (first, second) in sides where (first.y > place.y) != (second.y > place.y) {
            let crossing = first.x + (place.y - first.y) / (second.y - first.y) * (second.x - first.x)
            if place.x < crossing { isInside.toggle() }
        }
        return isInside
    }

    /// Whether two segments properly intersect in the horizontal plane.
    private static func cross(_ a: Vector3, _ b: Vector3, _ c: Vector3, _ d: Vector3) -> Bool {
        func side(_ p: Vector3, _ q: Vector3, _ r: Vector3) -> Double {
            (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
        }
        return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
    }
}
