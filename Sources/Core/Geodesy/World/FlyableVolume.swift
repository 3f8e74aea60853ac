public import UAVLink

/// Where a vehicle may fly, in metres of `world_origin`: a prism over a polygon, which may be concave.
public struct FlyableVolume: Hashable, Sendable {
    /// Whether the limits apply; if not, every point counts as inside.
    public var isEnabled: Bool
    /// The corners east and north, in order; the last joins the first.
    public let corners: [SIMD2<Double>]
    /// The lowest height.
    public var minimumZMetres: Double
    /// The greatest height.
    public var maximumZMetres: Double

    /// A volume from corners and heights.
    public init(isEnabled: Bool = true, corners: [SIMD2<Double>], minimumZMetres: Double, maximumZMetres: Double) {
        self.isEnabled = isEnabled
        self.corners = corners
        self.minimumZMetres = minimumZMetres
        self.maximumZMetres = maximumZMetres
    }

    /// Whether a point lies inside; the result for a point exactly on the border is unspecified.
    public func contains(_ p: Vector3) -> Bool {
        guard isEnabled else { return true }
        return minimumZMetres <= p.z && p.z <= maximumZMetres && contains(SIMD2(p.x, p.y))
    }

    /// Counts the edges that a ray to the east crosses.
    private func contains(_ p: SIMD2<Double>) -> Bool {
        var isInside = false
        guard var previous = corners.last else { return true }
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

    /// Metres to the border: positive inside, negative outside, infinite when the volume is not enabled.
    public func distanceToBorder(_ p: Vector3) -> Double {
        guard isEnabled else { return .infinity }
        let horizontal = distanceToSides(SIMD2(p.x, p.y))
        let vertical = min(p.z - minimumZMetres, maximumZMetres - p.z)
        let isInsideOutline = contains(SIMD2(p.x, p.y))
        switch (isInsideOutline, vertical >= 0) {
        case (true, true): return min(horizontal, vertical)
        case (true, false): return vertical
        case (false, true): return -horizontal
        case (false, false): return -(horizontal * horizontal + vertical * vertical).squareRoot()
        }
    }

    private func distanceToSides(_ p: SIMD2<Double>) -> Double {
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
