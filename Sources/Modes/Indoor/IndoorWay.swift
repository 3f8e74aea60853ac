internal import Planning
internal import PointCloud
internal import ReportKit
internal import RouteFlight
package import Trajectories
package import UAVLink

/// A straight way that was checked against a map: the question that it is for is shown again and again.
struct CheckedWay {
    /// The vehicle is never still: so far from it, metres, a way counts as the same.
    static let tolerance = 0.1

    /// The map.
    let map: Int
    /// How far around the vehicle space was counted as free, metres.
    let free: Double
    let start: Vector3
    let end: Vector3
    /// What was found; `nil` for nothing.
    let nearest: (point: Vector3, metres: Double)?
}

extension IndoorInteractor {
    /// The planned path keeps its clearance; the way to it is flown straight, and only the points of the map are known to be in it.
    package func findingOfWay(from start: Vector3, to end: Vector3) -> TrajectoryFinding? {
        guard let picture else { return nil }
        let settings = desk.planning.inspection
        let clearance = settings.body.clearanceMetres
        let known = checkedWay.flatMap { way in
            way.map == picture.id && way.free == settings.freeAroundStartMetres && way.end == end
                && (way.start - start).length < CheckedWay.tolerance ? way : nil
        }
        let way =
            known
            ?? CheckedWay(
                map: picture.id, free: settings.freeAroundStartMetres, start: start, end: end,
                nearest: picture.layers.cloud.nearest(
                    toLineFrom: start, to: end, beyond: settings.freeAroundStartMetres))
        checkedWay = way
        guard let (point, metres) = way.nearest, metres < clearance else { return nil }
        return TrajectoryFinding(
            .obstacle, .failure, position: point,
            text: "the straight way there comes within \(metres.formatted(decimals: 2)) m of the map's point at "
                + "\(InspectionText.place(point)), and \(clearance.formatted(decimals: 2)) m are needed: fly around it by goto, "
                + "or plan the path from where the vehicle is")
    }
}
