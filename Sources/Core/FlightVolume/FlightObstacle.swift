#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
public import UAVLink

/// A place that no vehicle may enter, in metres of `world_origin`: a prism over a polygon or a circle.
public struct FlightObstacle: Hashable, Sendable {
    /// What it covers of the ground.
    public enum Shape: Hashable, Sendable {
        /// Corners east and north, in order; the last joins the first.
        case polygon([SIMD2<Double>])
        /// A circle.
        case circle(centre: SIMD2<Double>, radiusMetres: Double)
    }

    /// Its name, for messages.
    public var name: String
    /// What it covers of the ground.
    public var shape: Shape
    /// Its lowest height; may be minus infinity.
    public var minimumZMetres: Double
    /// Its greatest height; may be infinity.
    public var maximumZMetres: Double

    /// An obstacle; without heights it has no lower and no upper end.
    public init(
        name: String, shape: Shape, minimumZMetres: Double = -.infinity, maximumZMetres: Double = .infinity
    ) {
        self.name = name
        self.shape = shape
        self.minimumZMetres = minimumZMetres
        self.maximumZMetres = maximumZMetres
    }

    /// Metres from a point to the obstacle; negative inside, and for a point that is not finite.
    public func distance(_ p: Vector3) -> Double {
        guard p.isFinite else { return -.infinity }
        let horizontal = horizontalDistance(SIMD2(p.x, p.y))
        let vertical = max(minimumZMetres - p.z, p.z - maximumZMetres)
        guard horizontal > 0, vertical > 0 else { return max(horizontal, vertical) }
        return (horizontal * horizontal + vertical * vertical).squareRoot()
    }

    private func horizontalDistance(_ p: SIMD2<Double>) -> Double {
        switch shape {
        case .polygon(let corners):
            let distance = Outline.distance(p, toSidesOf: corners)
            return Outline.contains(p, in: corners) ? -distance : distance
        case .circle(let centre, let radius):
            let off = p - centre
            return (off * off).sum().squareRoot() - radius
        }
    }

    /// The outline for drawing, metres east and north: a circle as a polygon around it.
    public var outline: [SIMD2<Double>] {
        switch shape {
        case .polygon(let corners): return corners
        case .circle(let centre, let radius):
            let step = 2 * Double.pi / Double(Self.circleCorners)
            let reach = radius / cos(step / 2)
            return (0..<Self.circleCorners).map { index in
                let angle = step * Double(index)
                return centre + reach * SIMD2(cos(angle), sin(angle))
            }
        }
    }

    private static let circleCorners = 24
}
