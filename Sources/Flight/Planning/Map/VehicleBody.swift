/// The space a vehicle needs: a sphere around its centre, and a margin around that.
///
/// A sphere, because a multirotor tilts as it flies: whatever its attitude, it stays inside the sphere around its centre.
public struct VehicleBody: Hashable, Sendable {
    /// Distance from the centre to the outermost part, propellers included, metres.
    public var radiusMetres: Double
    /// Additional distance to keep: errors of the map, of the estimate and of tracking, metres.
    public var marginMetres: Double

    /// Creates a sphere with a margin.
    public init(radiusMetres: Double, marginMetres: Double) {
        self.radiusMetres = radiusMetres
        self.marginMetres = marginMetres
    }

    /// Smallest distance from the vehicle's centre to a point of the map that a planned path keeps, metres.
    public var clearanceMetres: Double { radiusMetres + marginMetres }

    /// - Throws: ``PlanningError`` that names the value.
    func validate() throws(PlanningError) {
        guard radiusMetres.isFinite, radiusMetres > 0 else {
            throw PlanningError("the vehicle's radius is \(radiusMetres) m; it must be positive")
        }
        guard marginMetres.isFinite, marginMetres >= 0 else {
            throw PlanningError("the margin is \(marginMetres) m; it must be 0 or more")
        }
        guard (0.02...50).contains(clearanceMetres) else {
            throw PlanningError("radius and margin together are \(clearanceMetres) m; they must be 0.02 m to 50 m")
        }
    }
}
