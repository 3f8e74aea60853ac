package import ModeKit
package import RouteFlight
internal import Trajectories
internal import UAVLink

/// Edits that are the same on the map and indoors.
extension RouteEditor {
    /// Applies an intent that needs neither the view nor the vehicle.
    ///
    /// - Returns: `false` for another intent; nothing is changed then.
    package mutating func handle(_ intent: RouteIntent) -> Bool {
        switch intent {
        case .insertHalfWay: insertHalfWay()
        case .deletePoint: deleteSelected()
        case .toggleSnapshot: if let selected { setSnapshot(!selected.takesSnapshot) }
        case .reverse: reverse()
        case .clear: clear()
        case .undo: undo()
        case .redo: redo()
        default: return false
        }
        return true
    }

    /// Selects the next heading rule of the selected point: along the path, fixed at the vehicle's heading, towards the cursor.
    ///
    /// - Parameter vehicleRadians: the vehicle's heading, ENU radians.
    package mutating func nextHeadingRule(vehicleRadians: Double, cursor: MapPlace) {
        guard let selected else { return }
        switch selected.heading {
        case .alongPath: setHeading(.fixed(radians: vehicleRadians))
        case .fixed: setHeading(.towards(xMetres: cursor.east, yMetres: cursor.north))
        case .towards: setHeading(.alongPath)
        }
    }

    /// Turns the heading of the selected point, which becomes fixed.
    ///
    /// - Parameters:
    ///   - degrees: counter-clockwise positive.
    ///   - radians: the heading that a point without a fixed one is turned from, ENU radians.
    package mutating func turn(degrees: Double, from radians: Double) {
        guard let selected else { return }
        var heading = radians
        if case .fixed(let present) = selected.heading { heading = present }
        setHeading(.fixed(radians: Heading.wrapped(heading + Heading.radians(degrees: degrees))))
    }
}
