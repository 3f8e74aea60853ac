/// How much room a vehicle takes: a ball around its centre, and a margin around that.
///
/// A ball, because a multirotor tilts as it flies: whatever its attitude, it stays inside the ball around its centre.
public struct VehicleBody: Hashable, Sendable {
    /// From the centre to the outermost part, propellers included, metres.
    public var radiusMetres: Double
    /// What is kept free beyond that: errors of the map, of the estimate and of tracking, metres.
    public var marginMetres: Double

    /// A ball and its margin.
    public init(radiusMetres: Double, marginMetres: Double) {
        self.radiusMetres = radiusMetres
        self.marginMetres = marginMetres
    }

    /// From the centre of the vehicle to the nearest point of the map, at least, metres: what a planned path keeps.
    public var clearanceMetres: Double { radiusMetres + marginMetres }

    /// - Throws: ``PlanningError`` that names the value.
    func validate() throws(PlanningError) {
        guard radiusMetres.isFinite, radiusMetres > 0 else {
            throw PlanningError("the vehicle's radius is \(radiusMetres) m, which is not positive")
        }
        guard marginMetres.isFinite, marginMetres >= 0 else {
            throw PlanningError("the margin is \(marginMetres) m, which is negative or no number")
        }
        guard (0.02...50).contains(clearanceMetres) else {
            throw PlanningError("radius and margin together are \(clearanceMetres) m, not within 0.02 m ... 50 m")
        }
    }
}
