public import Trajectories
public import UAVLink

/// A route while a person edits it: points in metres of `world_origin`, one of them chosen, with undo and redo.
///
/// A value without a screen: the map, the indoor plan and their tests edit alike.
public struct RouteEditor: Hashable, Sendable {
    /// How many steps can be taken back.
    public static let undoDepth = 200

    private struct State: Hashable {
        var points: [PlannedPoint]
        var selection: Int?
    }

    private var state: State
    private var undoStack: [State] = []
    private var redoStack: [State] = []
    /// What the last change was, when the next of its kind belongs to the same step.
    private var gesture: Gesture?
    /// Counts changes of the points: a plan that was made at another count is out of date.
    public private(set) var revision = 0

    private enum Gesture: Hashable {
        case move(Int)
        case altitude(Int)
        case heading(Int)
        case hold(Int)
        case pitch(Int)
    }

    /// An editor of these points.
    public init(_ points: [PlannedPoint] = []) { state = State(points: points, selection: points.isEmpty ? nil : 0) }

    /// The points in the order in which they are flown.
    public var points: [PlannedPoint] { state.points }
    /// Which one is chosen, counted from 0.
    public var selection: Int? { state.selection }
    /// The chosen one.
    public var selected: PlannedPoint? { selection.map { state.points[$0] } }
    /// Whether there is a step to take back.
    public var canUndo: Bool { !undoStack.isEmpty }
    /// Whether there is a step to do again.
    public var canRedo: Bool { !redoStack.isEmpty }

    // MARK: Choosing

    /// Chooses a point; `nil`, or one that there is not, chooses none.
    public mutating func select(_ index: Int?) {
        gesture = nil
        state.selection = index.flatMap { state.points.indices.contains($0) ? $0 : nil }
    }

    /// Chooses the next point (1) or the one before (-1), round the end.
    public mutating func selectNext(_ step: Int = 1) {
        gesture = nil
        guard !state.points.isEmpty else { return }
        guard let selection else { return select(step > 0 ? 0 : state.points.count - 1) }
        state.selection = (selection + step % state.points.count + state.points.count) % state.points.count
    }

    /// The point nearest to a place seen from above, when one is near enough.
    public func nearest(xMetres: Double, yMetres: Double, within metres: Double) -> Int? {
        var best: (index: Int, distance: Double)?
        for (index, point) in state.points.enumerated() {
            let (east, north) = (point.position.x - xMetres, point.position.y - yMetres)
            let distance = (east * east + north * north).squareRoot()
            if distance <= metres, distance < best?.distance ?? .infinity { best = (index, distance) }
        }
        return best?.index
    }

    // MARK: Points

    /// Adds a point behind the chosen one (at the end when none is), and chooses it.
    ///
    /// - Returns: its index; `nil` when the route is full or the place is not finite.
    @discardableResult
    public mutating func place(_ point: PlannedPoint) -> Int? {
        insert(point, at: (selection ?? state.points.count - 1) + 1)
    }

    /// Puts a point before the one of that index, and chooses it.
    ///
    /// - Returns: its index; `nil` when the route is full or the place is not finite.
    @discardableResult
    public mutating func insert(_ point: PlannedPoint, at index: Int) -> Int? {
        guard point.position.isFinite, state.points.count < Route.maximumPoints else { return nil }
        let at = min(max(index, 0), state.points.count)
        change {
            $0.points.insert(point, at: at)
            $0.selection = at
        }
        return at
    }

    /// Puts a point half way between the chosen one and the next, as the chosen one otherwise is.
    @discardableResult
    public mutating func insertHalfWay() -> Int? {
        guard let selection, selection + 1 < state.points.count else { return nil }
        var point = state.points[selection]
        point.position = (point.position + state.points[selection + 1].position) * 0.5
        point.holdSeconds = 0
        point.takesSnapshot = false
        return insert(point, at: selection + 1)
    }

    /// Moves a point; moves of the same point that follow each other are one step to take back.
    public mutating func move(_ index: Int, to position: Vector3) {
        guard position.isFinite else { return }
        changePoint(index, .move(index)) { $0.position = position }
    }

    /// Moves the chosen point by so much.
    public mutating func nudge(by way: Vector3) {
        guard let selection else { return }
        move(selection, to: state.points[selection].position + way)
    }

    /// Takes the chosen point away; the next one is chosen.
    public mutating func deleteSelected() {
        guard let selection else { return }
        change {
            $0.points.remove(at: selection)
            $0.selection = $0.points.isEmpty ? nil : min(selection, $0.points.count - 1)
        }
    }

    /// Takes all points away.
    public mutating func clear() { replace(with: []) }

    /// Flies it the other way round.
    public mutating func reverse() {
        guard state.points.count > 1 else { return }
        change {
            $0.points.reverse()
            let last = $0.points.count - 1
            $0.selection = $0.selection.map { last - $0 }
        }
    }

    /// Takes other points, as one step that can be taken back.
    public mutating func replace(with points: [PlannedPoint]) {
        guard points.count <= Route.maximumPoints, points != state.points else { return }
        change { $0 = State(points: points, selection: points.isEmpty ? nil : 0) }
    }

    // MARK: What a point says

    /// Sets the chosen point's height, metres in `world_origin`.
    public mutating func setAltitude(metres: Double) {
        guard let selection, metres.isFinite else { return }
        changePoint(selection, .altitude(selection)) { $0.position.z = metres }
    }

    /// Sets where the nose points at the chosen point.
    public mutating func setHeading(_ heading: PlannedPoint.Heading) {
        guard let selection else { return }
        changePoint(selection, .heading(selection)) { $0.heading = heading }
    }

    /// Sets how long the vehicle stays at the chosen point, seconds.
    public mutating func setHold(seconds: Double) {
        guard let selection, seconds.isFinite, seconds >= 0 else { return }
        changePoint(selection, .hold(selection)) { $0.holdSeconds = seconds }
    }

    /// Sets where the camera looks at the chosen point, radians up from the horizon; `nil` says nothing.
    public mutating func setCameraPitch(radians: Double?) {
        guard let selection, radians?.isFinite ?? true else { return }
        changePoint(selection, .pitch(selection)) { $0.cameraPitchRadians = radians }
    }

    /// Sets whether a snapshot is taken at the chosen point.
    public mutating func setSnapshot(_ takesSnapshot: Bool) {
        guard let selection else { return }
        changePoint(selection, nil) { $0.takesSnapshot = takesSnapshot }
    }

    // MARK: Back and forth

    /// Takes the last step back.
    public mutating func undo() {
        guard let before = undoStack.popLast() else { return }
        redoStack.append(state)
        restore(before)
    }

    /// Does the step again that was taken back last.
    public mutating func redo() {
        guard let after = redoStack.popLast() else { return }
        undoStack.append(state)
        restore(after)
    }

    /// Ends a drag: the next move is a step of its own.
    public mutating func endGesture() { gesture = nil }

    private mutating func restore(_ other: State) {
        state = other
        gesture = nil
        revision += 1
    }

    private mutating func change(_ gesture: Gesture? = nil, _ body: (inout State) -> Void) {
        let before = state
        body(&state)
        guard state != before else { return }
        revision += 1
        redoStack = []
        defer { self.gesture = gesture }
        // What goes on is part of the step that it began.
        if let gesture, gesture == self.gesture { return }
        if undoStack.count == Self.undoDepth { undoStack.removeFirst() }
        undoStack.append(before)
    }

    private mutating func changePoint(_ index: Int, _ gesture: Gesture?, _ body: (inout PlannedPoint) -> Void) {
        guard state.points.indices.contains(index) else { return }
        change(gesture) { body(&$0.points[index]) }
    }
}
