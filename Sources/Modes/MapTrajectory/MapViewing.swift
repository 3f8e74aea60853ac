internal import FlightControl
internal import FlightVolume
internal import Geodesy
internal import ModeKit
internal import RouteFlight
internal import RouteKit
internal import Trajectories
internal import UAVLink

/// Intents that change what is seen, and the mouse, which also selects and drags points.
extension MapTrajectoryPresenter {
    func look(_ intent: RouteIntent) {
        switch intent {
        case .pan(let columns, let rows):
            state.route.followsVehicle = false
            state.viewport.centre = moved(state.viewport.centre, columns, rows)
        // Pressed again, it shows all.
        case .fit: fit(fittedView == state.viewport && fittedPart == .route ? .everything : .route)
        case .followVehicle: state.route.followsVehicle.toggle()
        case .moveCursor(let columns, let rows):
            state.cursor = moved(state.cursor, columns, rows)
            bringIntoView(state.cursor)
        case .nextFinding(let step): chooseFinding(step)
        default: break
        }
    }

    func toggleBackground() {
        guard desk.hasBackground else {
            return router.say(Notice(.information, "no background is open: b opens one"))
        }
        desk.showsBackground.toggle()
    }

    private func moved(_ place: MapPlace, _ columns: Int, _ rows: Int) -> MapPlace {
        MapPlace(
            east: place.east + Double(columns) * state.viewport.metresPerColumn,
            north: place.north + Double(rows) * state.viewport.metresPerRow)
    }

    /// Zooms by steps of a factor of 1.26: three of them double the scale.
    func zoom(_ steps: Int, around place: MapPlace) {
        var factor = 1.0
        for _ in 0..<min(steps.magnitude, 100) { factor *= steps > 0 ? 1 / 1.26 : 1.26 }
        let before = state.viewport
        let after = MapViewport(centre: before.centre, metresPerColumn: before.metresPerColumn * factor)
        let ratio = after.metresPerColumn / before.metresPerColumn
        state.viewport = MapViewport(
            centre: MapPlace(
                east: place.east + (before.centre.east - place.east) * ratio,
                north: place.north + (before.centre.north - place.north) * ratio),
            metresPerColumn: after.metresPerColumn)
    }

    /// Fits the route into the view, with the vehicles near it; without a route everything. A safety area may be so much larger that the
    /// route would be a dot in it.
    func fit(_ part: FittedPart = .route) {
        var places = desk.editor.points.map(\.position.onMap)
        let vehicles = interactor.vehicles.map(\.place)
        if part == .route, !places.isEmpty {
            let route = places
            places += vehicles.filter { MapGeometry.isNear($0, route) }
        } else {
            places += vehicles + (interactor.volume?.corners.map(MapPlace.init) ?? [])
        }
        if places.isEmpty { places = interactor.background.prefix(5000).flatMap(\.corners) }
        let (columns, rows) = size
        if let view = MapGeometry.view(of: places, columns: columns, rows: rows) {
            state.viewport = view
            (fittedView, fittedPart) = (view, part)
            hasFitted = true
        }
    }

    /// Fits what was seen whole into a map of another size: what was fitted, or a route that would no longer be whole. A part that was
    /// chosen keeps its scale.
    func resize(columns: Int, rows: Int) {
        let wasWhole = isSizeKnown && seesRoute
        size = (columns, rows)
        isSizeKnown = true
        if fittedView == state.viewport {
            fit(fittedPart)
        } else if wasWhole, !seesRoute, !state.route.followsVehicle {
            fit()
        }
    }

    /// Whether there is a route, and all of its points are in view.
    private var seesRoute: Bool {
        let (view, points) = (state.viewport, desk.editor.points)
        let (east, north) = (
            Double(size.columns) / 2 * view.metresPerColumn, Double(size.rows) / 2 * view.metresPerRow
        )
        return !points.isEmpty
            && points.allSatisfy {
                abs($0.position.x - view.centre.east) <= east && abs($0.position.y - view.centre.north) <= north
            }
    }

    func bringIntoView(_ place: MapPlace) {
        let (columns, rows) = size
        let view = state.viewport
        // Keeps a margin to the edge.
        let (east, north) = (
            max(0, Double(columns) / 2 - 2) * view.metresPerColumn, max(0, Double(rows) / 2 - 2) * view.metresPerRow
        )
        state.viewport.centre = MapPlace(
            east: min(max(view.centre.east, place.east - east), place.east + east),
            north: min(max(view.centre.north, place.north - north), place.north + north))
    }

    private func chooseFinding(_ step: Int) {
        guard !state.route.findings.isEmpty else { return router.say(Notice(.information, "no findings")) }
        let count = state.route.findings.count
        let next = state.route.chosenFinding.map { ($0 + step + count) % count } ?? (step > 0 ? 0 : count - 1)
        state.route.chosenFinding = next
        router.say(
            Notice(
                state.route.findings[next].isFailure ? .error : .warning, state.route.findings[next].text,
                scope: .screen))
        guard let place = state.route.findings[next].place else { return }
        state.cursor = place
        bringIntoView(place)
    }

    // MARK: The mouse

    func press(_ place: MapPlace, within metres: Double) {
        desk.editor.endGesture()
        if let index = desk.editor.nearest(xMetres: place.east, yMetres: place.north, within: metres) {
            desk.editor.select(index)
            grab = .point(index)
        } else {
            state.cursor = place
            grab = .view(place)
        }
    }

    func drag(to place: MapPlace) {
        switch grab {
        case .point(let index):
            guard desk.editor.points.indices.contains(index) else { return }
            let z = desk.editor.points[index].position.z
            desk.editor.move(index, to: Vector3(x: place.east, y: place.north, z: z))
        case .view(let held):
            state.route.followsVehicle = false
            state.viewport.centre.east += held.east - place.east
            state.viewport.centre.north += held.north - place.north
        case nil: break
        }
    }

    func release() {
        grab = nil
        desk.editor.endGesture()
    }
}
