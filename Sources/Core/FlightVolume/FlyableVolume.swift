public import UAVLink

/// Where a vehicle may fly, in metres of `world_origin`: a prism over a polygon, which may be concave, without the obstacles in it.
public struct FlyableVolume: Hashable, Sendable {
    /// Whether the limits apply; if not, every point counts as inside.
    public var isEnabled: Bool
    /// The corners east and north, in order; the last joins the first. Without any, only heights and obstacles limit.
    public let corners: [SIMD2<Double>]
    /// The lowest height.
    public var minimumZMetres: Double
    /// The greatest height.
    public var maximumZMetres: Double
    /// Places inside that must not be entered.
    public var obstacles: [FlightObstacle]
    /// How far the vehicle's centre must stay away from an obstacle.
    public var obstacleMarginMetres: Double

    /// A volume from corners, heights and obstacles.
    public init(
        isEnabled: Bool = true, corners: [SIMD2<Double>], minimumZMetres: Double, maximumZMetres: Double,
        obstacles: [FlightObstacle] = [], obstacleMarginMetres: Double = 0
    ) {
        self.isEnabled = isEnabled
        self.corners = corners
        self.minimumZMetres = minimumZMetres
        self.maximumZMetres = maximumZMetres
        self.obstacles = obstacles
        self.obstacleMarginMetres = obstacleMarginMetres
    }

    /// Whether a point lies inside and away from all obstacles; one on the border counts as inside.
    public func contains(_ p: Vector3) -> Bool {
        guard isEnabled else { return true }
        return isInsideOutline(p) && obstacle(at: p) == nil
    }

    /// The index of an obstacle that a point lies in, or closer to than the margin.
    public func obstacle(at p: Vector3) -> Int? {
        isEnabled ? obstacles.firstIndex { $0.distance(p) < obstacleMarginMetres - Self.roundingMetres } : nil
    }

    /// Whether a point lies inside, whatever the obstacles.
    public func isInsideOutline(_ p: Vector3) -> Bool {
        guard p.isFinite, minimumZMetres <= p.z, p.z <= maximumZMetres else { return false }
        return corners.isEmpty || Outline.contains(p.flat, in: corners)
            || Outline.distance(p.flat, toSidesOf: corners) <= Self.roundingMetres
    }

    /// Metres to the border or to the margin of the nearest obstacle: positive inside, negative outside or in an obstacle, infinite
    /// when the volume is not enabled.
    public func distanceToBorder(_ p: Vector3) -> Double {
        guard isEnabled else { return .infinity }
        return min(distanceToOutline(p), distanceToObstacles(p))
    }

    /// Metres to the margin of the nearest obstacle, negative inside; infinite without any.
    public func distanceToObstacles(_ p: Vector3) -> Double {
        obstacles.reduce(.infinity) { min($0, $1.distance(p) - obstacleMarginMetres) }
    }

    /// Metres to the sides, on the ground; infinite without corners.
    public func distanceToSides(_ p: Vector3) -> Double { Outline.distance(p.flat, toSidesOf: corners) }

    private func distanceToOutline(_ p: Vector3) -> Double {
        let horizontal = distanceToSides(p)
        let vertical = min(p.z - minimumZMetres, maximumZMetres - p.z)
        let isInsideSides = corners.isEmpty || Outline.contains(p.flat, in: corners)
        switch (isInsideSides, vertical >= 0) {
        case (true, true): return min(horizontal, vertical)
        case (true, false): return vertical
        case (false, true): return -horizontal
        case (false, false): return -(horizontal * horizontal + vertical * vertical).squareRoot()
        }
    }

    /// The usual ``obstacleMarginMetres``: half of a hexacopter of 0.7 m with its propellers, and as much as it may deviate from its
    /// path in light wind.
    public static let usualObstacleMarginMetres = 0.6

    /// What rounding may add.
    static let roundingMetres = 1e-9
}

extension Vector3 {
    /// East and north.
    var flat: SIMD2<Double> { SIMD2(x, y) }
}
