package import FlightControl
package import RouteFlight
package import Trajectories

/// The route of a mode, which is kept while other modes are open, and after all vehicles were logged out of.
///
/// Its points are metres in the world of the vehicles that it was made with. In front of another vehicle one that a file has is
/// closed; one that no file has is kept, and it is said whose it is.
@MainActor
package protocol KeptRoute: AnyObject {
    /// The route and its undo history.
    var editor: RouteEditor { get set }
    /// The file that was read or written last.
    var lastPath: String { get set }
    /// The points of files as they were read or written last.
    var savedPoints: [String: [PlannedPoint]] { get set }
    /// What files have that is no part of a route, and is lost when they are written.
    var fileExtras: [String: [String]] { get set }
    /// The vehicles that were logged in to while it was made.
    var owners: RouteOwners { get set }
    /// The key that writes it.
    var writingKey: String { get }
    /// Takes the route off the screen; the name of its file stays the proposed one.
    func close()
}

extension KeptRoute {
    /// Whether the route has points that no file has.
    package var hasUnsavedPoints: Bool { !editor.points.isEmpty && !savedPoints.values.contains(editor.points) }

    /// Takes note that the points were written to a file.
    ///
    /// - Parameter before: the file of the route when that was begun: another route may have been opened meanwhile.
    package func wrote(_ points: [PlannedPoint], to path: String, before: String?) {
        if editor.file == before { editor.wrote(to: path) }
        isSaved(points, in: path)
        fileExtras[path] = nil
    }

    /// Takes note that a file has these points.
    package func isSaved(_ points: [PlannedPoint], in path: String) {
        savedPoints[path] = points
        lastPath = path
        let files = editor.files
        savedPoints = savedPoints.filter { files.contains($0.key) || $0.key == path }
    }

    /// Takes note that a vehicle was logged out of.
    ///
    /// - Parameter isLast: whether none is left.
    package func loggedOut(of vehicle: LoggedInVehicle, isLast: Bool) { owners.leave(vehicle, isLast: isLast) }

    /// Closes a route that was made with other vehicles, if a file has it.
    ///
    /// - Parameter vehicles: those that are logged in to now.
    /// - Returns: what is said of it; `nil` of one that was made with one of these.
    package func meet(_ vehicles: [LoggedInVehicle]) -> Notice? {
        guard let other = owners.other(than: vehicles), !editor.points.isEmpty else { return nil }
        guard hasUnsavedPoints else {
            let file = editor.file.map { " (\($0))" } ?? ""
            close()
            return Notice(.information, "the route of \(other)\(file) is closed; the file is kept", scope: .vehicle)
        }
        return Notice(
            .warning,
            "this route was made with \(other), in its world, and no file has it: \(writingKey) writes it, C deletes its points",
            scope: .vehicle)
    }
}

/// With which vehicles a route was made.
package struct RouteOwners {
    private var left: [String: String] = [:]
    /// The title of the last one that was logged out of, once none was left.
    private var last: String?

    /// None was logged out of yet.
    package init() {}

    mutating func leave(_ vehicle: LoggedInVehicle, isLast: Bool) {
        // In front of one that was logged in to since then the route was not shown.
        guard last == nil else { return }
        left[vehicle.identity] = vehicle.title
        if isLast { last = vehicle.title }
    }

    /// The vehicle that it was made with, if it is none of these; asked once.
    mutating func other(than vehicles: [LoggedInVehicle]) -> String? {
        guard let last else { return nil }
        let isSame = vehicles.contains { left[$0.identity] != nil }
        (left, self.last) = ([:], nil)
        return isSame ? nil : last
    }
}
