internal import RouteFlight
internal import FlightControl
internal import ModeKit
internal import PointCloud
internal import RouteKit
internal import ReportKit
internal import Trajectories
internal import UAVLink

/// Turns intents into calls of the interactor, and its state into the screen state.
@MainActor
package final class IndoorPresenter: ModePresenter {
    package weak var view: (any IndoorView)?
    let interactor: IndoorInteractor
    let router: ModeRouter
    let tasks: TaskBag
    var cursor = Vector3.zero
    /// The size of the plot, in cells; 0 until it is known.
    private var plotSize = (columns: 0, rows: 0)
    private var followsVehicle = false
    /// The layer that was shown before all of them.
    var lastLayer: Int?
    private var pressed: Pressed?
    private var chosenFinding: Int?
    private var elevation = ElevationObstacles()
    var prompt: IndoorPrompt?
    /// A file, while it is asked whether it or the route is replaced, and the prompt in which it was named.
    var replacement: (kind: IndoorPromptKind, path: String)?
    var topics: [String] = []
    private var loading: Task<Void, Never>?
    let flying: RouteFlying

    /// Where the mouse button was pressed.
    private enum Pressed {
        case point(Int)
        case view(IndoorDot)
    }

    init(interactor: IndoorInteractor, router: ModeRouter, tasks: TaskBag) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
        flying = RouteFlying(interactor, words: .indoor, tasks: tasks, say: router.say)
        flying.changed = { [weak self] in self?.refresh() }
    }

    /// Queries the vehicle's limits and shows the first state.
    package func begin() {
        if let bounds = interactor.picture?.layers.cloud.bounds { cursor = bounds.centre }
        askVehicle()
        refresh()
    }

    /// Updates the vehicle, the plan and the work in progress; called for new telemetry.
    package func look() {
        flying.look { askVehicle() }
        if interactor.selection.hasComeBack() { askVehicle() }
        if followsVehicle, let vehicle = interactor.vehicle { change { $0.camera.centre = vehicle.position } }
        if !interactor.isPlanCurrent { tasks.start { [interactor] in await interactor.replan() } }
        refresh()
    }

    /// Handles an intent.
    package func handle(_ intent: IndoorIntent) {
        switch intent {
        case .route(let intent): handleRoute(intent)
        case .leave: router.leave()
        default: if !handleLooking(intent), !handleEditing(intent) { handleQuestions(intent) }
        }
        refresh()
    }

    /// Drops the pending confirmation, because something was stopped.
    func stopped() {
        flying.forget()
        replacement = nil
        refresh()
    }

    // MARK: Looking

    private func handleLooking(_ intent: IndoorIntent) -> Bool {
        switch intent {
        case .resize(let columns, let rows):
            plotSize = (columns, rows)
            // The whole map fills a larger plot too; a part that was chosen keeps its scale.
            if interactor.desk.isFitted { fit() }
        case .zoom(let steps, let dot): change { $0.zoom(steps: steps, around: dot) }
        case .turnView(let degrees): change { $0.turn(degrees: degrees) }
        case .tiltView(let degrees): change { $0.tilt(degrees: degrees) }
        case .look(let kind): change { $0.look(kind) }
        case .moveLayer(let step): showLayer((interactor.desk.layer ?? layerOfCursor) + step)
        case .toggleAllLayers: showLayer(interactor.desk.layer == nil ? lastLayer ?? layerOfCursor : nil)
        case .slideTo(let share):
            guard let count = interactor.picture?.layers.count else { break }
            showLayer(Int(saturating: min(max(share, 0), 1) * Double(count)))
        default: return false
        }
        return true
    }

    /// Applies an intent for the route that only looks at it.
    func look(_ intent: RouteIntent) {
        switch intent {
        case .pan(let columns, let rows):
            followsVehicle = false
            change { $0.pan(columns: columns, rows: rows) }
        case .fit:
            followsVehicle = false
            fit()
        case .followVehicle: followsVehicle.toggle()
        case .moveCursor(let columns, let rows): change { $0.moveCursor(columns: columns, rows: rows) }
        case .nextFinding(let step): chooseFinding(step)
        default: break
        }
    }

    private var layerOfCursor: Int { interactor.picture?.layers.layer(atHeight: cursor.z) ?? 0 }

    /// Shows a layer, or all. Selecting one moves the cursor, and so the next point, to its middle height.
    func showLayer(_ index: Int?) {
        guard let layers = interactor.picture?.layers else { return }
        if let old = interactor.desk.layer { lastLayer = old }
        interactor.desk.layer = index.map { min(max($0, 0), layers.count - 1) }
        guard let shown = interactor.desk.layer else { return }
        cursor.z = (layers.borders[shown] + layers.borders[shown + 1]) / 2
    }

    private func chooseFinding(_ step: Int) {
        let findings = IndoorFormatter(interactor: interactor).placedFindings
        guard !findings.isEmpty else { return router.say(Notice(.information, "no findings")) }
        let count = findings.count
        let next = chosenFinding.map { ($0 % count + step % count + count) % count } ?? (step > 0 ? 0 : count - 1)
        chosenFinding = next
        // Beside the map there may not be enough space for all of it.
        router.say(
            Notice(findings[next].line.isFailure ? .error : .warning, findings[next].line.text, scope: .screen))
        guard let place = findings[next].place else { return }
        cursor = place
        change { $0.showCursor() }
    }

    var viewpoint: IndoorViewpoint {
        IndoorViewpoint(
            kind: interactor.desk.view, camera: interactor.desk.camera, cursor: cursor, size: plotSize)
    }

    func change(_ body: (inout IndoorViewpoint) -> Void) {
        let old = viewpoint.camera
        var changed = viewpoint
        body(&changed)
        if changed.camera.centre != old.centre || changed.camera.metresPerDot != old.metresPerDot {
            interactor.desk.isFitted = false
        }
        (interactor.desk.view, interactor.desk.camera, cursor) = (changed.kind, changed.camera, changed.cursor)
    }

    // MARK: The mouse, which looks and edits

    /// The largest distance from a point, in dots, at which the mouse selects it.
    private static let selectionRadius = 4.0

    func press(_ dot: IndoorDot) {
        let viewpoint = viewpoint
        let near = interactor.desk.editor.points.enumerated().map { index, point in
            let at = viewpoint.dot(of: point.position)
            return (index, ((at.x - dot.x) * (at.x - dot.x) + (at.y - dot.y) * (at.y - dot.y)).squareRoot())
        }.min { $0.1 < $1.1 }
        if let near, near.1 <= Self.selectionRadius {
            interactor.desk.editor.select(near.0)
            pressed = .point(near.0)
        } else {
            pressed = .view(dot)
            if let place = viewpoint.place(at: dot, like: cursor) { cursor = place }
        }
    }

    func drag(_ dot: IndoorDot) {
        switch pressed {
        case .point(let index):
            guard interactor.desk.editor.points.indices.contains(index),
                let place = viewpoint.place(at: dot, like: interactor.desk.editor.points[index].position)
            else { return }
            interactor.desk.editor.move(index, to: place)
        case .view(let last):
            followsVehicle = false
            change { $0.camera.pan(right: dot.x - last.x, up: last.y - dot.y) }
            pressed = .view(dot)
        case nil: return
        }
    }

    func release() {
        pressed = nil
        interactor.desk.editor.endGesture()
    }

    // MARK: Loading

    /// Runs long work on the map; cancels previous work.
    ///
    /// - Parameters:
    ///   - kind: the prompt that is opened again when it fails, with the name that was typed; `nil`: none.
    func load(
        orAsk kind: IndoorPromptKind? = nil, _ text: String = "",
        _ body: @escaping @MainActor () async throws(MapFailure) -> Void
    ) {
        loading?.cancel()
        loading = tasks.start { [router, weak self] in
            do throws(MapFailure) { try await body() } catch {
                if error.isCancelled {
                    router.say(Notice(.information, "cancelled"))
                } else if let kind {
                    self?.askAgain(kind, text, error.description)
                } else {
                    router.say(Notice(.error, error.description))
                }
            }
            self?.refresh()
        }
    }

    func cancelLoading() { loading?.cancel() }

    // MARK: Showing

    /// The most positions drawn of a sampled path.
    private static let maxDrawnPoints = 600

    func refresh() {
        let words = IndoorFormatter(interactor: interactor)
        let desk = interactor.desk
        let viewpoint = viewpoint
        var state = IndoorScreenState()
        state.picture = interactor.picture
        (state.view, state.camera, state.layer) = (viewpoint.kind, viewpoint.camera, desk.layer)
        (state.cursor, state.scaleBar) = (cursor, viewpoint.scaleBar)
        state.path =
            interactor.plan?.trajectory.generated.trajectory.points.map(\.position).thinned(to: Self.maxDrawnPoints)
            ?? []
        state.flown = interactor.flight?.track?.flown.map(\.position).thinned(to: Self.maxDrawnPoints) ?? []
        state.wayToStart = interactor.controller?.wayToStart ?? []
        (state.border, state.obstacles) = IndoorBorder.lines(interactor.volume)
        elevation.update(interactor.desk.editor.points.map(\.position), [interactor.volume].compactMap(\.self))
        state.route.elevation = elevation.all
        (state.trail, state.vehicle) = (interactor.trail, interactor.vehicle)
        (state.title, state.layerText, state.worldText) = (words.title, words.layer, words.world)
        show(words, in: &state.route)
        (state.work, state.prompt) = (interactor.work, prompt)
        state.fetchesMaps = interactor.fetchesMaps
        state.confirmation = flying.confirmation ?? replacementRequest
        view?.show(state)
    }

    private func show(_ words: IndoorFormatter, in route: inout RouteScreenState) {
        let editor = interactor.desk.editor
        route.show(
            editor, marked: Set(interactor.plan?.trajectory.report.findings.compactMap(\.pointIndex) ?? []))
        route.isPathCurrent = interactor.isPlanCurrent
        route.cursorLines = [words.cursor(cursor), words.layer].filter { !$0.isEmpty }
        (route.point, route.plan, route.findings) = (words.point, words.plan, words.findings)
        route.exceptions = interactor.plan.map { RouteText.exceptions($0.trajectory.report) } ?? ""
        route.chosenFinding = chosenFinding.flatMap { $0 < route.findings.count ? $0 : nil }
        let isOK = interactor.planProblem == nil ? interactor.plan?.trajectory.report.isOK : false
        flying.show(
            plan: RouteStage(
                hasRoute: editor.points.count > 1,
                isCurrent: interactor.isPlanCurrent && interactor.isVehicleRead, isOK: isOK),
            in: &route)
        route.trackError = RouteText.crossTrack(interactor.flightOfRoute?.track)
        route.followsVehicle = followsVehicle
    }
}
