import CommandLineKit
import Geodesy
import IndoorMode
import PointCloud
import ReportKit
import RouteFlight
import UAVLink

/// What can be done where `uavlink map plan` finds no path.
struct MapPlanHint {
    private let map: IndoorMap
    private let session: WorldSession?
    private let offset: Vector3
    private let hasViewpoint: Bool

    /// - Parameter session: where `world_origin` lies; `nil` if that is not known.
    init(map: IndoorMap, session: WorldSession?, _ arguments: ParsedCommand) throws {
        self.map = map
        self.session = session
        offset = try arguments[MapPlanCommand.offset] ?? .zero
        hasViewpoint = try map.cloud.viewpoint != nil || !arguments[MapPlanCommand.viewpoint].isEmpty
    }

    /// The hint; `nil` if nothing helps.
    func text(_ failure: InspectionFailure) -> String? {
        if failure.isOutsideMap { return extent }
        let parts = [failure.isUnknownSpace ? unknownSpace : nil, InspectionText.advice(failure)].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private var unknownSpace: String {
        let ways = "--free-start METRES counts the space around the start as free, --open-unknown all that is unknown"
        return hasViewpoint
            ? "--viewpoint X,Y,Z, repeated, names each place that the map was scanned from; \(ways)"
            : "the file does not say where it was scanned from, so that no space is known to be free: "
                + "--viewpoint X,Y,Z names that place; \(ways)"
    }

    /// Where the map is, and how it comes to the points.
    private var extent: String? {
        guard let bounds = map.bounds else { return nil }
        let (low, high) = (bounds.minimum + offset, bounds.maximum + offset)
        let range = "the map reaches from \(InspectionText.place(low)) to \(InspectionText.place(high))"
        let moved = CloudBounds(minimum: low, maximum: high)
        guard moved.isUTM else { return "\(range); --offset X,Y,Z moves it" }
        guard let session else {
            return "\(range), which looks like UTM coordinates: --offset=-EASTING,-NORTHING,-ALTITUDE of world_origin "
                + "moves it there, with 0 for -ALTITUDE if the heights are local"
        }
        let origin = session.grid.origin
        let altitude = moved.altitudeIncluded(of: session.altitudeMetres)
        let shift = [-origin.eastingMetres, -origin.northingMetres, 0 - altitude]
            .map { $0.formatted(decimals: 2) }.joined(separator: ",")
        return "\(range), which looks like UTM coordinates: --offset=\(shift) moves it into world_origin"
    }
}
