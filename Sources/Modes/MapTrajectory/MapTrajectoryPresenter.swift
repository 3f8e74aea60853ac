internal import FlightControl
internal import ModeKit
internal import RouteFlight
internal import RouteKit
internal import Geodesy
internal import ReportKit
internal import Trajectories
internal import UAVLink

/// Turns intents into edits, plans and flights, and the interactor's state into the screen state.
@MainActor
public final class MapTrajectoryPresenter {
    /// The view.
    public weak var view: (any MapTrajectoryView)?
    /// The interactor.
    public let interactor: MapTrajectoryInteractor
    let router: MapTrajectoryRouter
    let tasks: TaskBag
    let flying: MapFlying
    var state = MapTrajectoryScreenState()
    /// The position of a new point whose height is being asked for.
    var pendingPlace: MapPlace?
    /// A file whose missing altitude or frame is being asked for.
    var pendingFile: String?
    /// The answers about this file so far.
    var pendingDefaults = RouteDefaults()
    private var grab: Grab?
    private var drawnPlan: TrajectoryPlan?
    private var gridKey: (view: MapViewport, columns: Int, rows: Int)?
    private var hasFitted = false
    private var isPlanning = false

    private enum Grab {
        case point(Int)
        case view(MapPlace)
    }

    /// The most positions drawn of a sampled path: twice the dots of a wide terminal.
    private static let maxDrawnPoints = 2000

    init(interactor: MapTrajectoryInteractor, router: MapTrajectoryRouter, tasks: TaskBag) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
        flying = MapFlying(interactor, tasks: tasks) { router.say($0) }
        flying.changed = { [weak self] in self?.show() }
    }

    var desk: RouteDocument { interactor.desk }

    /// Shows the first state and queries the vehicle.
    public func begin() {
        state.cursor = desk.cursor
        if let viewport = desk.viewport {
            state.viewport = viewport
            hasFitted = true
        }
        // Uses what is known of the vehicle already; the first refresh queries the rest.
        refresh()
        tasks.start { [interactor] in await interactor.projectBackground() }
    }

    /// Updates the vehicles and the plan, and shows the state.
    public func refresh() {
        let (isAnother, due) = interactor.look()
        if isAnother {
            flying.resetForVehicle()
            askVehicle()
        }
        flying.takeSnapshots(due)
        if !interactor.isPlanCurrent, !isPlanning { plan() }
        show()
    }

    /// Drops the pending confirmation, because something was stopped.
    func stopped() {
        flying.forget()
        show()
    }

    /// Handles an intent.
    public func handle(_ intent: MapTrajectoryIntent) {
        switch intent {
        case .pan, .zoom, .fit, .followVehicle, .moveCursor, .toggleBackground, .nextFinding: look(intent)
        case .press, .drag, .release: mouse(intent)
        case .ask(let kind): ask(kind)
        case .answer(let text): answer(text)
        case .cancelPrompt:
            (state.prompt, pendingPlace, pendingFile) = (nil, nil, nil)
        case .send: flying.askToSend()
        case .confirm: flying.accept(force: false)
        case .force: flying.accept(force: true)
        case .decline: flying.forget()
        case .goToStart: flying.ask(.goToStart)
        case .start: flying.ask(.start)
        case .stop: flying.stop()
        case .resume: flying.ask(.resume)
        case .leave: router.leave()
        default: edit(intent)
        }
        if !interactor.isPlanCurrent, !isPlanning { plan() }
        show()
    }

    // MARK: Looking

    private var size: (columns: Int, rows: Int) {
        guard let size = view?.mapSize, size.columns > 0, size.rows > 0 else { return (80, 19) }
        return size
    }

    private func look(_ intent: MapTrajectoryIntent) {
        switch intent {
        case .pan(let columns, let rows):
            state.followsVehicle = false
            state.viewport.centre = moved(state.viewport.centre, columns, rows)
        case .zoom(let steps, let place): zoom(steps, around: place ?? state.cursor)
        case .fit: fit()
        case .followVehicle: state.followsVehicle.toggle()
        case .moveCursor(let columns, let rows):
            state.cursor = moved(state.cursor, columns, rows)
            bringIntoView(state.cursor)
        case .toggleBackground: desk.showsBackground.toggle()
        case .nextFinding(let step): chooseFinding(step)
        default: break
        }
    }

    private func moved(_ place: MapPlace, _ columns: Int, _ rows: Int) -> MapPlace {
        MapPlace(
            east: place.east + Double(columns) * state.viewport.metresPerColumn,
            north: place.north + Double(rows) * state.viewport.metresPerRow)
    }

    /// Zooms by steps of a factor of 1.26: three of them double the scale.
    private func zoom(_ steps: Int, around place: MapPlace) {
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

    private func fit() {
        var places = desk.editor.points.map(\.position.onMap) + interactor.vehicles.map(\.place)
        places += interactor.volume?.corners.map { MapPlace(east: $0.x, north: $0.y) } ?? []
        if places.isEmpty { places = interactor.background.prefix(5000).flatMap(\.corners) }
        let (columns, rows) = size
        if let view = MapGeometry.view(of: places, columns: columns, rows: rows) {
            state.viewport = view
            hasFitted = true
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
        guard !state.findings.isEmpty else { return router.say(Notice(.information, "no findings")) }
        let count = state.findings.count
        let next = state.chosenFinding.map { ($0 + step + count) % count } ?? (step > 0 ? 0 : count - 1)
        state.chosenFinding = next
        router.say(Notice(state.findings[next].isFailure ? .error : .warning, state.findings[next].text))
        guard let place = state.findings[next].place else { return }
        state.cursor = place
        bringIntoView(place)
    }

    // MARK: The mouse

    private func mouse(_ intent: MapTrajectoryIntent) {
        switch intent {
        case .press(let place, let within):
            desk.editor.endGesture()
            if let index = desk.editor.nearest(xMetres: place.east, yMetres: place.north, within: within) {
                desk.editor.select(index)
                grab = .point(index)
            } else {
                state.cursor = place
                grab = .view(place)
            }
        case .drag(let place):
            switch grab {
            case .point(let index):
                guard desk.editor.points.indices.contains(index) else { return }
                let z = desk.editor.points[index].position.z
                desk.editor.move(index, to: Vector3(x: place.east, y: place.north, z: z))
            case .view(let held):
                state.followsVehicle = false
                state.viewport.centre.east += held.east - place.east
                state.viewport.centre.north += held.north - place.north
            case nil: break
            }
        default:
            grab = nil
            desk.editor.endGesture()
        }
    }

    // MARK: Planning

    private func plan() {
        isPlanning = true
        tasks.start { [interactor, weak self] in
            await interactor.replan()
            self?.isPlanning = false
            self?.show()
        }
    }

    private func askVehicle() {
        guard interactor.flight != nil else { return }
        tasks.start { [interactor, router, weak self] in
            do throws(LinkError) {
                try await interactor.askVehicle()
                await interactor.projectBackground()
            } catch {
                router.say(Notice(.warning, error.description))
            }
            self?.refresh()
        }
    }

    // MARK: Showing

    func show() {
        let words = MapFormatter(interactor: interactor)
        state.vehicles = interactor.vehicles
        if state.followsVehicle, let vehicle = state.vehicles.first(where: \.isSelected) {
            state.viewport.centre = vehicle.place
        }
        if !hasFitted { fit() }
        state.safetyArea =
            interactor.volume.map { $0.isEnabled ? $0.corners.map { MapPlace(east: $0.x, north: $0.y) } : [] } ?? []
        state.home = interactor.home
        state.background = desk.showsBackground ? interactor.background : []
        showPlan()
        state.route = route
        state.flown = MapGeometry.thinned(
            interactor.flight?.track?.flown.map(\.position.onMap) ?? [], to: Self.maxDrawnPoints)
        showGrid()
        state.cursorLines = words.cursorLines(state.cursor)
        state.sessionLine = words.sessionLine
        state.point = words.point
        state.stage = flying.stage(isPlanOK: interactor.plan?.report.isOK)
        state.progress = flying.progress
        state.trackError = MapFormatter.trackError(interactor.flight?.track)
        state.confirmation = flying.confirmation
        (state.canUndo, state.canRedo) = (desk.editor.canUndo, desk.editor.canRedo)
        (desk.viewport, desk.cursor) = (hasFitted ? state.viewport : nil, state.cursor)
        view?.show(state)
    }

    private func showPlan() {
        let plan = interactor.plan
        state.isPathCurrent = interactor.isPlanCurrent
        if let problem = interactor.planProblem {
            let place = problem.pointIndex.flatMap { index in
                desk.editor.points.indices.contains(index) ? desk.editor.points[index].position.onMap : nil
            }
            state.findings = [FindingLine(text: problem.what, isFailure: true, place: place)]
        } else {
            state.findings = MapFormatter.lines(plan?.report.findings ?? [])
        }
        state.plan = plan.map { MapFormatter.facts($0.report) } ?? []
        if let chosen = state.chosenFinding, chosen >= state.findings.count { state.chosenFinding = nil }
        guard plan?.generated != drawnPlan?.generated else { return }
        drawnPlan = plan
        state.path = MapGeometry.thinned(
            plan?.generated.trajectory.points.map(\.position.onMap) ?? [], to: Self.maxDrawnPoints)
    }

    private var route: [RouteMarker] {
        let failed = Set(
            (interactor.plan?.report.findings ?? []).filter { $0.weight == .failure }.compactMap(\.pointIndex)
                + [interactor.planProblem?.pointIndex].compactMap { $0 })
        return desk.editor.points.enumerated().map { index, point in
            var heading: Double?
            if case .fixed(let radians) = point.heading { heading = radians }
            return RouteMarker(
                place: point.position.onMap, z: point.position.z, label: "\(index + 1)",
                isSelected: index == desk.editor.selection, holds: point.holdSeconds > 0,
                takesSnapshot: point.takesSnapshot, headingRadians: heading, hasFinding: failed.contains(index))
        }
    }

    private func showGrid() {
        let (columns, rows) = size
        state.scaleBar = MapGeometry.scaleBar(state.viewport)
        guard gridKey?.view != state.viewport || gridKey?.columns != columns || gridKey?.rows != rows else { return }
        gridKey = (state.viewport, columns, rows)
        state.grid = MapGeometry.grid(state.viewport, columns: columns, rows: rows, interactor.session)
        state.northRadians = MapGeometry.north(at: state.viewport.centre, interactor.session)
    }

    /// The world changed: grid and background are recomputed.
    func worldChanged() {
        gridKey = nil
        tasks.start { [interactor, weak self] in
            await interactor.projectBackground()
            self?.show()
        }
    }

    /// Fits everything into the view at the next refresh.
    func requestFit() { hasFitted = false }
}
