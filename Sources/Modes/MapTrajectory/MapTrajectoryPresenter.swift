internal import FlightControl
internal import FlightVolume
internal import ModeKit
internal import RouteFlight
internal import RouteKit
internal import Geodesy
internal import ReportKit
internal import Trajectories
internal import UAVLink

/// Turns intents into edits, plans and flights, and the interactor's state into the screen state.
@MainActor
package final class MapTrajectoryPresenter: ModePresenter {
    package weak var view: (any MapTrajectoryView)?
    package let interactor: MapTrajectoryInteractor
    let router: ModeRouter
    let tasks: TaskBag
    let flying: RouteFlying
    var state = MapTrajectoryScreenState()
    /// The position of a new point whose height is being asked for.
    var pendingPlace: MapPlace?
    /// A file whose missing altitude or frame is being asked for.
    var pendingFile: String?
    /// The answers about this file so far.
    var pendingDefaults = RouteDefaults()
    /// What is to be replaced, while it is asked whether it is.
    var replacement: Replacement?
    var grab: Grab?
    private var drawnPlan: TrajectoryPlan?
    private var gridKey: GridKey?
    private var elevation = ElevationObstacles()
    /// The size of the map, in cells; until it is known, about that of a terminal with 80 columns.
    var size = (columns: 80, rows: 19)
    var isSizeKnown = false
    var hasFitted = false
    /// The view as it was fitted last, and to what.
    var fittedView: MapViewport?
    var fittedPart = FittedPart.route
    private var isPlanning = false

    /// What the grid was computed of.
    private struct GridKey: Equatable {
        var view: MapViewport
        var columns: Int
        var rows: Int
        var world: Int
    }

    /// What is replaced only after a question.
    enum Replacement {
        /// A file that exists, by the points of the route.
        case file(String)
        /// The route, by the points of a file.
        case route(by: String, RouteDefaults)
    }

    /// What is fitted into the view.
    enum FittedPart {
        /// The route, and the vehicles near it.
        case route
        /// The route, all vehicles and the safety area.
        case everything
    }

    /// What the mouse holds.
    enum Grab {
        case point(Int)
        case view(MapPlace)
    }

    /// The most positions drawn of a sampled path: twice the dots of a wide terminal.
    private static let maxDrawnPoints = 2000

    init(interactor: MapTrajectoryInteractor, router: ModeRouter, tasks: TaskBag) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
        flying = RouteFlying(interactor, words: .map, tasks: tasks, say: router.say)
        flying.changed = { [weak self] in self?.show() }
    }

    var desk: RouteDocument { interactor.desk }

    /// Shows the first state and queries the vehicle.
    package func begin() {
        state.cursor = desk.cursor
        if let viewport = desk.viewport {
            state.viewport = viewport
            hasFitted = true
        }
        // Uses what is known of the vehicle already; the first look queries the rest.
        look()
        tasks.start { [interactor] in await interactor.projectBackground() }
    }

    /// Updates the vehicles and the plan, and shows the state.
    package func look() {
        flying.look { askVehicle() }
        if interactor.selection.hasComeBack() { askVehicle() }
        if !interactor.isPlanCurrent, !isPlanning { plan() }
        show()
    }

    /// Drops the pending confirmation, because something was stopped.
    func stopped() {
        flying.forget()
        replacement = nil
        show()
    }

    /// Handles an intent.
    package func handle(_ intent: MapTrajectoryIntent) {
        switch intent {
        case .route(let intent): handleRoute(intent)
        case .resize(let columns, let rows):
            guard columns > 0, rows > 0 else { break }
            resize(columns: columns, rows: rows)
        case .zoom(let steps, let place): zoom(steps, around: place ?? state.cursor)
        case .toggleBackground: toggleBackground()
        case .place(let place): self.place(at: place)
        case .press(let place, let within): press(place, within: within)
        case .drag(let place): drag(to: place)
        case .release: release()
        case .ask(let kind): ask(kind)
        case .answer(let text): answer(text)
        case .complete(let text): complete(text)
        case .cancelPrompt: cancelPrompt()
        case .leave: router.leave()
        }
        if !interactor.isPlanCurrent, !isPlanning { plan() }
        show()
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
        tasks.start { [interactor, router, weak self] in
            do throws(FileAccessError) { try await interactor.openProfileWorld() } catch {
                router.say(Notice(.warning, RouteText.withKeys(error.what)))
            }
            guard interactor.flight != nil else { return }
            do throws(LinkError) { try await interactor.askVehicle() } catch {
                router.say(Notice(.warning, error.description))
            }
            if let warning = interactor.earlierWorld { router.say(Notice(.warning, warning)) }
            await interactor.projectBackground()
            self?.look()
        }
    }

    // MARK: Showing

    func show() {
        let words = MapFormatter(interactor: interactor)
        state.vehicles = interactor.vehicles
        if state.route.followsVehicle, let vehicle = state.vehicles.first(where: \.isSelected) {
            state.viewport.centre = vehicle.place
        }
        if !hasFitted { fit() }
        let volume = interactor.volume.flatMap { $0.isEnabled ? $0 : nil }
        state.safetyArea = volume?.corners.map(MapPlace.init) ?? []
        let limits = (desk.file?.limits ?? []).map(\.volume)
        state.obstacles = ([volume].compactMap(\.self) + limits).flatMap(\.obstacles).map {
            $0.outline.map(MapPlace.init)
        }
        elevation.update(desk.editor.points.map(\.position), [volume].compactMap(\.self) + limits)
        state.route.elevation = elevation.all
        state.fences = limits.filter { !$0.corners.isEmpty }.map { $0.corners.map(MapPlace.init) }
        state.home = interactor.home
        state.background = desk.showsBackground ? interactor.background : []
        state.hasBackground = desk.hasBackground
        showPlan()
        state.route.show(desk.editor, marked: failed)
        state.flown =
            interactor.flight?.track?.flown.map(\.position.onMap).thinned(to: Self.maxDrawnPoints) ?? []
        showGrid()
        state.route.cursorLines = words.cursorLines(state.cursor)
        state.sessionLine = words.sessionLine
        state.route.point = words.point
        flying.show(
            plan: RouteStage(
                hasRoute: desk.editor.points.count > 1,
                isCurrent: interactor.isPlanCurrent && interactor.isVehicleRead,
                isOK: interactor.plan?.report.isOK), in: &state.route)
        state.wayToStart = interactor.controller?.wayToStart.map(\.onMap) ?? []
        state.route.trackError = MapFormatter.trackError(interactor.flightOfRoute?.track)
        state.confirmation = flying.confirmation ?? replacementRequest
        (desk.viewport, desk.cursor) = (hasFitted ? state.viewport : nil, state.cursor)
        view?.show(state)
    }

    private func showPlan() {
        let plan = interactor.plan
        state.route.isPathCurrent = interactor.isPlanCurrent
        if let problem = interactor.planProblem {
            let place = problem.pointIndex.flatMap { index in
                desk.editor.points.indices.contains(index) ? desk.editor.points[index].position.onMap : nil
            }
            state.route.findings = [FindingLine(text: RouteText.withKeys(problem.what), isFailure: true, place: place)]
        } else {
            state.route.findings = MapFormatter.lines(plan?.report.findings ?? [])
        }
        state.route.plan = plan.map { MapFormatter.facts(interactor.atPresent($0.report)) } ?? []
        state.route.exceptions = plan.map { RouteText.exceptions($0.report) } ?? ""
        if let chosen = state.route.chosenFinding, chosen >= state.route.findings.count {
            state.route.chosenFinding = nil
        }
        guard plan?.generated != drawnPlan?.generated else { return }
        drawnPlan = plan
        state.path =
            plan?.generated.trajectory.points.map(\.position.onMap).thinned(to: Self.maxDrawnPoints) ?? []
    }

    /// The points with a failed check.
    private var failed: Set<Int> {
        Set(
            (interactor.plan?.report.findings ?? []).filter { $0.weight == .failure }.compactMap(\.pointIndex)
                + [interactor.planProblem?.pointIndex].compactMap { $0 })
    }

    private func showGrid() {
        let (columns, rows) = size
        state.scaleBar = MapGeometry.scaleBar(state.viewport)
        let key = GridKey(view: state.viewport, columns: columns, rows: rows, world: interactor.worldRevision)
        guard key != gridKey else { return }
        gridKey = key
        state.grid = MapGeometry.grid(state.viewport, columns: columns, rows: rows, interactor.session)
        state.northRadians = MapGeometry.north(at: state.viewport.centre, interactor.session)
    }

    /// The world changed: the background is projected again.
    func worldChanged() {
        tasks.start { [interactor, weak self] in
            await interactor.projectBackground()
            self?.show()
        }
    }

    /// Fits the route into the view at the next refresh.
    func requestFit() { hasFitted = false }
}
