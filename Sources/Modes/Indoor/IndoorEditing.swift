internal import RouteFlight
internal import FlightControl
internal import ModeKit
internal import Planning
internal import RouteKit
internal import Trajectories
internal import UAVLink

/// Intents that edit the route.
extension IndoorPresenter {
    /// Applies an intent for the route.
    func handleRoute(_ intent: RouteIntent) {
        if answerReplacing(intent) || flying.handle(intent) { return }
        if let need = need(of: intent) { return router.say(Notice(.information, need)) }
        let origin = interactor.desk.editor.origin
        if interactor.desk.editor.handle(intent) {
            if interactor.followStep(from: origin) { sayAvoidance() }
            return
        }
        switch intent {
        case .placeAtCursor: place(cursor)
        case .selectNext(let step):
            interactor.desk.editor.selectNext(step)
            if let point = interactor.desk.editor.selected {
                cursor = point.position
                change { $0.showCursor() }
            }
        case .nudge(let columns, let rows):
            interactor.desk.editor.nudge(by: viewpoint.way(columns: columns, rows: rows))
        case .raise(let metres): raise(metres)
        case .nextHeadingRule:
            interactor.desk.editor.nextHeadingRule(
                vehicleRadians: vehicleRadians, cursor: MapPlace(east: cursor.x, north: cursor.y))
        case .turn(let degrees): interactor.desk.editor.turn(degrees: degrees, from: vehicleRadians)
        default: look(intent)
        }
    }

    private var vehicleRadians: Double { interactor.vehicle?.headingRadians ?? 0 }

    func handleEditing(_ intent: IndoorIntent) -> Bool {
        switch intent {
        case .place(let dot):
            guard let place = viewpoint.place(at: dot, like: cursor) else { break }
            cursor = place
            self.place(place)
        case .press(let dot): press(dot)
        case .drag(let dot): drag(dot)
        case .release: release()
        case .toggleBestOrder:
            let isBest = interactor.desk.planning.inspection.order == .best
            interactor.desk.planning.inspection.order = isBest ? .given : .best
            say(isBest ? "points are visited in route order" : "points are visited in the best order")
        case .takePath:
            if interactor.takePath() {
                say("the corners of the path are now points of the route; moved points are checked again")
            } else {
                say("no path is planned yet", .warning)
            }
        default: return false
        }
        return true
    }

    func sayAvoidance() {
        let avoids = interactor.desk.planning.avoidsObstacles
        router.say(
            Notice(
                avoids ? .information : .warning,
                avoids ? "the path avoids obstacles of the map" : "the path is flown as drawn, and checked"))
    }

    /// Shows a notice about the changed setting and invalidates the plan.
    private func say(_ text: String, _ weight: Notice.Weight = .information) {
        interactor.settingsChanged()
        router.say(Notice(weight, text))
    }

    /// What an edit needs; without a map the first thing is that.
    private func need(of intent: RouteIntent) -> String? {
        // Without a waypoint it raises the cursor.
        if case .raise = intent { return nil }
        return withMap(interactor.desk.editor.need(of: intent))
    }

    /// Where no waypoint can be added yet, a map comes first.
    func withMap(_ need: String?) -> String? {
        need == RouteEditor.noPoints && interactor.picture == nil ? Self.noMap : need
    }

    /// What is said instead of what needs a map.
    static let noMap = "no map is open: o opens a file, P fetches a map from the vehicle"

    private func place(_ position: Vector3) {
        guard interactor.picture != nil else {
            return router.say(Notice(.warning, Self.noMap))
        }
        if let there = interactor.desk.editor.neighbour(at: position) {
            return router.say(Notice(.information, RouteText.isAlreadyThere(there)))
        }
        var point = PlannedPoint(position: position)
        // A new point takes heading and camera pitch from the selected one.
        if let before = interactor.desk.editor.selected {
            (point.heading, point.cameraPitchRadians) = (before.heading, before.cameraPitchRadians)
        }
        interactor.desk.editor.place(point)
    }

    private func raise(_ metres: Double) {
        guard interactor.desk.editor.selection != nil else {
            cursor.z += metres
            return
        }
        interactor.desk.editor.nudge(by: Vector3(x: 0, y: 0, z: metres))
        cursor.z = interactor.desk.editor.selected?.position.z ?? cursor.z
    }
}
