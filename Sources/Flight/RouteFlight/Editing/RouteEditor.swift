package import Trajectories
package import UAVLink

/// A route being edited by the user: points in metres in `world_origin`, one of them selected, with undo and redo.
///
/// A value type without a screen; the map, the indoor plan and the tests share it.
package struct RouteEditor: Hashable, Sendable {
    /// Maximum number of undo steps.
    package static let undoDepth = 200

    private struct State: Hashable {
        var points: [PlannedPoint]
        var selection: Int?
        /// The number of the file that the points were read from.
        var origin: Int?
        /// The file that has the route, or had it before it was edited.
        var file: String?
    }

    private var state: State
    private var undoStack: [State] = []
    private var redoStack: [State] = []
    /// Kind of the last change; a further change of the same kind belongs to the same undo step.
    private var gesture: Gesture?
    /// Incremented with every change of the points, also by undo and redo; a plan made at another revision is out of date.
    package private(set) var revision = 0

    private enum Gesture: Hashable {
        case move(Int)
        case altitude(Int)
        case heading(Int)
        case hold(Int)
        case pitch(Int)
    }

    /// Creates an editor of these points.
    package init(_ points: [PlannedPoint] = []) { state = State(points: points, selection: points.isEmpty ? nil : 0) }

    /// The points in flight order.
    package var points: [PlannedPoint] { state.points }
    /// Index of the selected point, from 0.
    package var selection: Int? { state.selection }
    /// The number that the route was given by ``replace(with:origin:)``; undo and redo bring it back with the points.
    package var origin: Int? { state.origin }
    /// The same of all routes that undo and redo can bring back.
    package var origins: Set<Int> { Set((undoStack + redoStack + [state]).compactMap(\.origin)) }
    /// The file that the route was last read from or written to, if any; undo and redo bring back that of the route that they bring back.
    package var file: String? { state.file }
    /// The same of all routes that undo and redo can bring back.
    package var files: Set<String> { Set((undoStack + redoStack + [state]).compactMap(\.file)) }
    package var selected: PlannedPoint? { selection.map { state.points[$0] } }
    /// Whether there is a step to undo.
    package var canUndo: Bool { !undoStack.isEmpty }
    /// Whether there is a step to redo.
    package var canRedo: Bool { !redoStack.isEmpty }

    // MARK: Choosing

    /// Selects a point; `nil` or an index out of range clears the selection.
    package mutating func select(_ index: Int?) {
        gesture = nil
        state.selection = index.flatMap { state.points.indices.contains($0) ? $0 : nil }
    }

    /// Selects the next (1) or the previous (-1) point, wrapping around at the ends.
    package mutating func selectNext(_ step: Int = 1) {
        gesture = nil
        guard !state.points.isEmpty else { return }
        guard let selection else { return select(step > 0 ? 0 : state.points.count - 1) }
        state.selection = (selection + step % state.points.count + state.points.count) % state.points.count
    }

    /// Index of the point nearest to a horizontal position, if one lies within `metres`.
    package func nearest(xMetres: Double, yMetres: Double, within metres: Double) -> Int? {
        var best: (index: Int, distance: Double)?
        for (index, point) in state.points.enumerated() {
            let (east, north) = (point.position.x - xMetres, point.position.y - yMetres)
            let distance = (east * east + north * north).squareRoot()
            if distance <= metres, distance < best?.distance ?? .infinity { best = (index, distance) }
        }
        return best?.index
    }

    // MARK: Points

    /// Adds a point after the selected one (at the end if none is selected) and selects it.
    ///
    /// - Returns: its index; `nil` if the route is full or the position is not finite.
    @discardableResult
    package mutating func place(_ point: PlannedPoint) -> Int? {
        insert(point, at: (selection ?? state.points.count - 1) + 1)
    }

    /// The point that would be next to one that ``place(_:)`` adds, and is in the same place: flying from one to the other is no way.
    ///
    /// - Returns: its index, from 0; `nil` if there is none.
    package func neighbour(at position: Vector3) -> Int? {
        let at = (selection ?? state.points.count - 1) + 1
        return [at - 1, at].first {
            state.points.indices.contains($0) && (state.points[$0].position - position).length < Self.samePlaceMetres
        }
    }

    /// So near two points are one: less than a screen can show and a vehicle can hold.
    private static let samePlaceMetres = 0.01

    /// Inserts a point before the one at an index and selects it.
    ///
    /// - Returns: its index; `nil` if the route is full or the position is not finite.
    @discardableResult
    package mutating func insert(_ point: PlannedPoint, at index: Int) -> Int? {
        guard point.position.isFinite, state.points.count < Route.maximumPoints else { return nil }
        let at = min(max(index, 0), state.points.count)
        change {
            $0.points.insert(point, at: at)
            $0.selection = at
        }
        return at
    }

    /// Inserts a copy of the selected point halfway to the next one, without hold and snapshot.
    @discardableResult
    package mutating func insertHalfWay() -> Int? {
        guard let selection, selection + 1 < state.points.count else { return nil }
        var point = state.points[selection]
        point.position = (point.position + state.points[selection + 1].position) * 0.5
        point.holdSeconds = 0
        point.takesSnapshot = false
        return insert(point, at: selection + 1)
    }

    /// Moves a point; consecutive moves of the same point are one undo step.
    package mutating func move(_ index: Int, to position: Vector3) {
        guard position.isFinite else { return }
        changePoint(index, .move(index)) { $0.position = position }
    }

    /// Moves the selected point by an offset.
    package mutating func nudge(by way: Vector3) {
        guard let selection else { return }
        move(selection, to: state.points[selection].position + way)
    }

    /// Deletes the selected point and selects the next one.
    package mutating func deleteSelected() {
        guard let selection else { return }
        change {
            $0.points.remove(at: selection)
            $0.selection = $0.points.isEmpty ? nil : min(selection, $0.points.count - 1)
        }
    }

    /// Deletes all points.
    package mutating func clear() { replace(with: []) }

    /// Reverses the flight order.
    package mutating func reverse() {
        guard state.points.count > 1 else { return }
        change {
            $0.points.reverse()
            let last = $0.points.count - 1
            $0.selection = $0.selection.map { last - $0 }
        }
    }

    /// Replaces all points, as one undo step.
    ///
    /// - Parameters:
    ///   - origin: a number for where they are from, such as a file; `nil` if that does not matter.
    ///   - file: the file that has them; `nil` if none does.
    package mutating func replace(with points: [PlannedPoint], origin: Int? = nil, file: String? = nil) {
        guard points.count <= Route.maximumPoints else { return }
        guard points != state.points else {
            // Nothing to undo, but what is known of the route may be something else now.
            if origin != state.origin { revision += 1 }
            (state.origin, state.file) = (origin, file)
            return
        }
        change { $0 = State(points: points, selection: points.isEmpty ? nil : 0, origin: origin, file: file) }
    }

    /// Takes note that the route was written to a file: also for what it was before, back to the route that it replaced.
    package mutating func wrote(to file: String) {
        let (origin, before) = (state.origin, state.file)
        state.file = file
        for index in undoStack.indices.reversed() {
            guard undoStack[index].origin == origin, undoStack[index].file == before else { break }
            undoStack[index].file = file
        }
    }

    // MARK: What a point says

    /// Sets the height of the selected point, metres in `world_origin`.
    package mutating func setAltitude(metres: Double) {
        guard let selection, metres.isFinite else { return }
        changePoint(selection, .altitude(selection)) { $0.position.z = metres }
    }

    /// Sets the heading at the selected point.
    package mutating func setHeading(_ heading: PlannedPoint.Heading) {
        guard let selection else { return }
        changePoint(selection, .heading(selection)) { $0.heading = heading }
    }

    /// Sets the hold time at the selected point, seconds.
    package mutating func setHold(seconds: Double) {
        guard let selection, seconds.isFinite, seconds >= 0 else { return }
        changePoint(selection, .hold(selection)) { $0.holdSeconds = seconds }
    }

    /// Sets the camera pitch at the selected point, radians up from the horizon; `nil`: not specified.
    package mutating func setCameraPitch(radians: Double?) {
        guard let selection, radians?.isFinite ?? true else { return }
        changePoint(selection, .pitch(selection)) { $0.cameraPitchRadians = radians }
    }

    /// Sets whether a snapshot is taken at the selected point.
    package mutating func setSnapshot(_ takesSnapshot: Bool) {
        guard let selection else { return }
        changePoint(selection, nil) { $0.takesSnapshot = takesSnapshot }
    }

    // MARK: Back and forth

    /// Undoes the last step.
    package mutating func undo() {
        guard let before = undoStack.popLast() else { return }
        redoStack.append(state)
        restore(before)
    }

    /// Redoes the step that was undone last.
    package mutating func redo() {
        guard let after = redoStack.popLast() else { return }
        undoStack.append(state)
        restore(after)
    }

    /// Ends a drag: the next move is a new undo step.
    package mutating func endGesture() { gesture = nil }

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
        // A continued gesture belongs to the undo step that it began.
        if let gesture, gesture == self.gesture { return }
        if undoStack.count == Self.undoDepth { undoStack.removeFirst() }
        undoStack.append(before)
    }

    private mutating func changePoint(_ index: Int, _ gesture: Gesture?, _ body: (inout PlannedPoint) -> Void) {
        guard state.points.indices.contains(index) else { return }
        change(gesture) { body(&$0.points[index]) }
    }
}
