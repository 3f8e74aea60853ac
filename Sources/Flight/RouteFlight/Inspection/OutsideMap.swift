internal import Planning
internal import PointCloud
internal import UAVLink

extension InspectionInteractor {
    /// A place so far from all that the map shows is outside it, whatever the cells are, metres.
    private static let leastOutsideMetres = 1.0

    /// The failure for which a map has too many cells; where a place lies outside that map, no smaller part of it would help, and the
    /// place is the reason.
    ///
    /// - Parameters:
    ///   - start: as of the plan; `nil`: the first of the points.
    ///   - points: metres in `world_origin`.
    func explained(_ failure: InspectionFailure, from start: Vector3?, past points: [Vector3]) -> InspectionFailure {
        guard case .tooLarge = failure, let shown = map.bounds else { return failure }
        var (low, high) = (shown.minimum, shown.maximum)
        for seen in settings.viewpoints ?? map.viewpoint.map({ [$0] }) ?? [] {
            low = Vector3(x: min(low.x, seen.x), y: min(low.y, seen.y), z: min(low.z, seen.z))
            high = Vector3(x: max(high.x, seen.x), y: max(high.y, seen.y), z: max(high.z, seen.z))
        }
        // What is declared free around the start may reach beyond the map.
        let margin = max(Self.leastOutsideMetres, 2 * promised) + max(0, settings.freeAroundStartMetres)
        func isOutside(_ place: Vector3) -> Bool {
            max(low.x - place.x, place.x - high.x) > margin || max(low.y - place.y, place.y - high.y) > margin
                || max(low.z - place.z, place.z - high.z) > margin
        }
        let stop: Stop
        if let start, isOutside(start) {
            stop = .start
        } else if let index = points.firstIndex(where: isOutside) {
            stop = .place(index)
        } else {
            return failure
        }
        return .noPath(.outsideMap(stop, for: settings.body, cellMetres: settings.cellMetres))
    }
}
