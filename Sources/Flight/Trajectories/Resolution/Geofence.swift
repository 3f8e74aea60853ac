#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
public import FlightVolume
public import Geodesy

/// Where a file of points says that its route may be flown.
public struct Geofence: Hashable, Sendable {
    /// One area of it.
    public struct Area: Hashable, Sendable {
        /// What it covers.
        public enum Shape: Hashable, Sendable {
            /// Corners in order; the last joins the first.
            case polygon([GeographicCoordinate])
            /// A circle on the ground.
            case circle(centre: GeographicCoordinate, radiusMetres: Double)
        }

        /// What it covers.
        public var shape: Shape
        /// Whether the vehicle must stay inside; otherwise outside.
        public var isInclusion: Bool

        /// An area.
        public init(_ shape: Shape, isInclusion: Bool) { (self.shape, self.isInclusion) = (shape, isInclusion) }
    }

    /// Its areas. With several that must not be left, the vehicle must stay inside all of them: flight controllers differ, and
    /// this is the narrowest.
    public var areas: [Area]

    /// A fence of areas.
    public init(_ areas: [Area] = []) { self.areas = areas }
}

/// A limit of the flight with its name for messages.
public struct NamedVolume: Hashable, Sendable {
    /// As in "it leaves NAME".
    public var name: String
    /// Where the vehicle may fly.
    public var volume: FlyableVolume

    /// A limit.
    public init(_ name: String, _ volume: FlyableVolume) { (self.name, self.volume) = (name, volume) }
}

extension RouteResolver {
    /// A fence as limits in `world_origin`, of any height.
    ///
    /// - Throws: ``RouteError`` if the position of `world_origin` is unknown, or a corner is not a place on earth.
    public func limits(of fence: Geofence) throws(RouteError) -> [NamedVolume] {
        guard !fence.areas.isEmpty else { return [] }
        guard let session = references.session else {
            throw RouteError(.frameUnknown, "the file has a geofence, and the position of world_origin is unknown")
        }
        func local(_ place: GeographicCoordinate) throws(RouteError) -> SIMD2<Double> {
            let found: (xMetres: Double, yMetres: Double)
            do { found = try session.world(place) } catch {
                throw RouteError(.invalid, "the geofence: \(error.what)")
            }
            guard found.xMetres.isFinite, found.yMetres.isFinite else {
                throw RouteError(.invalid, "a corner of the geofence is not a finite number")
            }
            return SIMD2(found.xMetres, found.yMetres)
        }
        var limits: [NamedVolume] = []
        var forbidden: [FlightObstacle] = []
        for area in fence.areas {
            let shape: FlightObstacle.Shape
            switch area.shape {
            case .polygon(let corners):
                var outline: [SIMD2<Double>] = []
                for corner in corners { outline.append(try local(corner)) }
                shape = .polygon(outline)
            case .circle(let centre, let radius): shape = .circle(centre: try local(centre), radiusMetres: radius)
            }
            guard area.isInclusion else {
                forbidden.append(
                    FlightObstacle(name: "exclusion zone \(forbidden.count + 1) of the file", shape: shape))
                continue
            }
            let volume = FlyableVolume(
                corners: Self.corners(within: shape), minimumZMetres: -Self.anyHeight, maximumZMetres: Self.anyHeight)
            limits.append(NamedVolume("geofence \(limits.count + 1) of the file", volume))
        }
        if !forbidden.isEmpty {
            limits.append(
                NamedVolume(
                    "the geofence of the file",
                    FlyableVolume(
                        corners: [], minimumZMetres: -Self.anyHeight, maximumZMetres: Self.anyHeight,
                        obstacles: forbidden, obstacleMarginMetres: FlyableVolume.usualObstacleMarginMetres)))
        }
        return limits
    }

    /// Higher and lower than anything flies, metres.
    private static let anyHeight = 1e7
    /// Corners of a polygon in a circle: at 100 m its sides are 10 cm inside.
    private static let circleCorners = 72

    /// A polygon that lies within the shape.
    private static func corners(within shape: FlightObstacle.Shape) -> [SIMD2<Double>] {
        switch shape {
        case .polygon(let corners): return corners
        case .circle(let centre, let radius):
            return (0..<circleCorners).map { index in
                let angle = 2 * Double.pi * Double(index) / Double(circleCorners)
                return centre + radius * SIMD2(cos(angle), sin(angle))
            }
        }
    }
}
