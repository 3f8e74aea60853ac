/// A closed outline on the ground, metres east and north; it may be concave.
enum Outline {
    /// Whether a point lies inside, by the number of sides that a ray to the east crosses; for a point exactly on a side either
    /// answer may come.
    static func contains(_ p: SIMD2<Double>, in corners: [SIMD2<Double>]) -> Bool {
        var isInside = false
        guard var previous = corners.last else { return false }
        for corner in corners {
            if (corner.y > p.y) != (previous.y > p.y),
                p.x < (previous.x - corner.x) * (p.y - corner.y) / (previous.y - corner.y) + corner.x
            {
                isInside.toggle()
            }
            previous = corner
        }
        return isInside
    }

    /// Metres from a point to the nearest side; infinite without corners.
    static func distance(_ p: SIMD2<Double>, toSidesOf corners: [SIMD2<Double>]) -> Double {
        guard var previous = corners.last else { return .infinity }
        var least = Double.infinity
        for corner in corners {
            let (side, way) = (corner - previous, p - previous)
            let length = (side * side).sum()
            let share = length > 0 ? min(max((side * way).sum() / length, 0), 1) : 0
            let off = way - side * share
            least = min(least, (off * off).sum())
            previous = corner
        }
        return least.squareRoot()
    }
}
