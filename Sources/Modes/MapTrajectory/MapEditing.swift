internal import RouteFlight
internal import FlightControl
internal import ModeKit
internal import Trajectories
internal import UAVLink

extension MapTrajectoryPresenter {
    /// Applies an intent that edits the route.
    func edit(_ intent: MapTrajectoryIntent) {
        switch intent {
        case .placeAtCursor: place(at: state.cursor)
        case .place(let place): self.place(at: place)
        case .insertHalfWay: desk.editor.insertHalfWay()
        case .deletePoint: desk.editor.deleteSelected()
        case .selectNext(let step):
            desk.editor.selectNext(step)
            if let selected = desk.editor.selected { bringIntoView(selected.position.onMap) }
        case .nudge(let columns, let rows):
            desk.editor.nudge(
                by: Vector3(
                    x: Double(columns) * state.viewport.metresPerColumn,
                    y: Double(rows) * state.viewport.metresPerRow, z: 0))
        case .raise(let metres): desk.editor.nudge(by: Vector3(x: 0, y: 0, z: metres))
        case .nextHeadingRule: nextHeadingRule()
        case .turn(let degrees): turn(Heading.radians(degrees: degrees))
        case .toggleSnapshot:
            if let selected = desk.editor.selected { desk.editor.setSnapshot(!selected.takesSnapshot) }
        case .reverse: desk.editor.reverse()
        case .clear: desk.editor.clear()
        case .undo: desk.editor.undo()
        case .redo: desk.editor.redo()
        default: break
        }
    }

    /// Adds a point with height and heading of the one before it; for the first point the height is asked for.
    func place(at place: MapPlace) {
        let before = desk.editor.selected ?? desk.editor.points.last
        guard let before else {
            pendingPlace = place
            return ask(.altitude)
        }
        put(place, z: before.position.z, heading: before.heading)
    }

    func put(_ place: MapPlace, z: Double, heading: PlannedPoint.Heading = .alongPath) {
        let point = PlannedPoint(position: Vector3(x: place.east, y: place.north, z: z), heading: heading)
        if desk.editor.place(point) == nil {
            router.say(Notice(.error, "cannot add a point: route full or position invalid"))
        }
    }

    private func nextHeadingRule() {
        guard let selected = desk.editor.selected else { return }
        switch selected.heading {
        case .alongPath:
            let vehicle = state.vehicles.first(where: \.isSelected)?.headingRadians ?? 0
            desk.editor.setHeading(.fixed(radians: vehicle))
        case .fixed: desk.editor.setHeading(.towards(xMetres: state.cursor.east, yMetres: state.cursor.north))
        case .towards: desk.editor.setHeading(.alongPath)
        }
    }

    private func turn(_ radians: Double) {
        guard let selected = desk.editor.selected else { return }
        var heading = 0.0
        if case .fixed(let present) = selected.heading { heading = present }
        desk.editor.setHeading(.fixed(radians: Heading.wrapped(heading + radians)))
    }
}
