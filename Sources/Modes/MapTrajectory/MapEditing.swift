internal import RouteFlight
internal import FlightControl
internal import ModeKit
internal import RouteKit
internal import Trajectories
internal import UAVLink

extension MapTrajectoryPresenter {
    /// Applies an intent for the route.
    func handleRoute(_ intent: RouteIntent) {
        if answerReplacing(intent) { return }
        if let need = desk.editor.need(of: intent) { return router.say(Notice(.information, need)) }
        if flying.handle(intent) || desk.editor.handle(intent) { return }
        switch intent {
        case .placeAtCursor: place(at: state.cursor)
        case .selectNext(let step):
            desk.editor.selectNext(step)
            if let selected = desk.editor.selected { bringIntoView(selected.position.onMap) }
        case .nudge(let columns, let rows):
            desk.editor.nudge(
                by: Vector3(
                    x: Double(columns) * state.viewport.metresPerColumn,
                    y: Double(rows) * state.viewport.metresPerRow, z: 0))
        case .raise(let metres): desk.editor.nudge(by: Vector3(x: 0, y: 0, z: metres))
        case .nextHeadingRule:
            let vehicle = state.vehicles.first(where: \.isSelected)
            desk.editor.nextHeadingRule(vehicleRadians: vehicle?.headingRadians ?? 0, cursor: state.cursor)
        case .turn(let degrees): desk.editor.turn(degrees: degrees, from: 0)
        default: look(intent)
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
        if let there = desk.editor.neighbour(at: point.position) {
            return router.say(Notice(.information, RouteText.isAlreadyThere(there)))
        }
        if desk.editor.place(point) == nil {
            router.say(Notice(.error, "cannot add a point: route full or position invalid", scope: .screen))
        }
    }
}
