internal import RouteFlight
internal import FlightControl
internal import Planning
internal import Trajectories
internal import UAVLink

/// Intents that edit the route; the same as on the map.
extension IndoorPresenter {
    func handleEditing(_ intent: IndoorIntent) -> Bool {
        switch intent {
        case .placeAtCursor: place(cursor)
        case .place(let dot):
            guard let place = viewpoint.place(at: dot, like: cursor) else { break }
            cursor = place
            self.place(place)
        case .insertHalfWay: interactor.desk.editor.insertHalfWay()
        case .deletePoint: interactor.desk.editor.deleteSelected()
        case .selectNext(let step):
            interactor.desk.editor.selectNext(step)
            if let point = interactor.desk.editor.selected {
                cursor = point.position
                change { $0.showCursor() }
            }
        case .press(let dot): press(dot)
        case .drag(let dot): drag(dot)
        case .release: release()
        case .nudge(let columns, let rows):
            interactor.desk.editor.nudge(by: viewpoint.way(columns: columns, rows: rows))
        case .raise(let metres): raise(metres)
        case .nextHeadingRule: nextHeadingRule()
        case .turn(let degrees): turn(degrees)
        case .toggleSnapshot:
            guard let point = interactor.desk.editor.selected else { break }
            interactor.desk.editor.setSnapshot(!point.takesSnapshot)
        case .reverse: interactor.desk.editor.reverse()
        case .clear: interactor.desk.editor.clear()
        case .undo: interactor.desk.editor.undo()
        case .redo: interactor.desk.editor.redo()
        case .toggleObstacleAvoidance:
            interactor.desk.planning.avoidsObstacles.toggle()
            say(
                interactor.desk.planning.avoidsObstacles
                    ? "the path avoids obstacles of the map" : "the path is flown as drawn, and checked")
        case .toggleBestOrder:
            let isBest = interactor.desk.planning.inspection.order == .best
            interactor.desk.planning.inspection.order = isBest ? .given : .best
            say(isBest ? "points are visited in route order" : "points are visited in the best order")
        case .toggleUnknownSpace:
            interactor.desk.planning.inspection.unknownIsOpen.toggle()
            let isOpen = interactor.desk.planning.inspection.unknownIsOpen
            say(
                isOpen ? "unobserved space counts as free" : "unobserved space counts as blocked",
                isOpen ? .warning : .information)
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

    /// Shows a notice about the changed setting and invalidates the plan.
    private func say(_ text: String, _ weight: Notice.Weight = .information) {
        interactor.settingsChanged()
        router.say(Notice(weight, text))
    }

    private func place(_ position: Vector3) {
        guard interactor.picture != nil else {
            return router.say(Notice(.warning, "no map is open: o opens a file, P fetches a map from the vehicle"))
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

    private func nextHeadingRule() {
        guard let point = interactor.desk.editor.selected else { return }
        switch point.heading {
        case .alongPath:
            interactor.desk.editor.setHeading(.fixed(radians: interactor.vehicle?.headingRadians ?? 0))
        case .fixed: interactor.desk.editor.setHeading(.towards(xMetres: cursor.x, yMetres: cursor.y))
        case .towards: interactor.desk.editor.setHeading(.alongPath)
        }
    }

    private func turn(_ degrees: Double) {
        guard let point = interactor.desk.editor.selected else { return }
        var radians = interactor.vehicle?.headingRadians ?? 0
        if case .fixed(let now) = point.heading { radians = now }
        interactor.desk.editor.setHeading(.fixed(radians: Heading.wrapped(radians + Heading.radians(degrees: degrees))))
    }
}
