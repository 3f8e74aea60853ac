public import PointCloud
public import UAVLink

/// A part of a map that is small enough for cells of a certain size.
public struct SearchRegion: Hashable, Sendable {
    /// The part; its corners are multiples of 0.1 m.
    public var box: MapOptions.Box
    /// Edge of the cells, metres, a multiple of a millimetre.
    public var cellMetres: Double

    /// Space around the places, in clearances: as much as possible, for ways around obstacles.
    private static let margins = [80.0, 30, 15, 8]
    /// With less space there is often no way: only if no cells are large enough for more.
    private static let leastMargin = 4.0

    /// The part around some places with the smallest cells that the options allow there, for each of the bodies; `nil` if
    /// the places are too far from one another, or outside the map.
    ///
    /// - Parameter options: their region limits the part; their cells are not used.
    public static func around(
        _ places: [Vector3], in map: PointCloud, for bodies: [VehicleBody], _ options: MapOptions
    ) -> SearchRegion? {
        guard let first = places.first, places.allSatisfy(\.isFinite),
            let clearance = bodies.map(\.clearanceMetres).min(), let most = bodies.map(\.clearanceMetres).max()
        else { return nil }
        var (low, high) = (Place(first), Place(first))
        for place in places.map({ Place($0) }) {
            low.replace(with: place, where: place .< low)
            high.replace(with: place, where: place .> high)
        }
        let cells = [4.0, 2, 1].map { (clearance / $0 * 1000).rounded(.down) / 1000 }
        var tries: [(cell: Double, margin: Double)] = []
        for cell in cells { tries += margins.map { (cell: cell, margin: $0) } }
        tries += cells.map { (cell: $0, margin: leastMargin) }
        for (cell, margin) in tries {
            var trial = options
            trial.cellMetres = cell
            trial.region = box(low - margin * most, high + margin * most, within: options.region)
            guard let region = trial.region else { continue }
            let isEnough = bodies.allSatisfy { body in
                do throws(PlanningError) {
                    _ = try GridChoice.make(for: map, body, trial)
                    return true
                } catch {
                    return false
                }
            }
            if isEnough { return SearchRegion(box: region, cellMetres: cell) }
        }
        return nil
    }

    private static func box(_ low: Place, _ high: Place, within limit: MapOptions.Box?) -> MapOptions.Box? {
        var low = (low * 10).rounded(.down) / 10
        var high = (high * 10).rounded(.up) / 10
        if let limit {
            low.replace(with: Place(limit.low), where: low .< Place(limit.low))
            high.replace(with: Place(limit.high), where: high .> Place(limit.high))
        }
        guard low.x < high.x, low.y < high.y, low.z < high.z else { return nil }
        return MapOptions.Box(low: low.vector, high: high.vector)
    }
}
