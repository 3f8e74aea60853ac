public import ModeKit
public import RouteFlight
internal import Trajectories

/// What a screen shows of a route, its plan and its flight; part of the screen state of each mode with a route.
public struct RouteScreenState: Hashable, Sendable {
    /// The points of the route.
    public var points: [RouteMarker] = []
    /// Whether the drawn path matches the current route; otherwise it is being replanned.
    public var isPathCurrent = true
    /// The stage of the trajectory.
    public var stage = RouteStage.nothing
    /// Progress of the upload or the flight, 0 to 1; `nil` when neither is in progress.
    public var progress: Double?
    /// Facts on the plan: length, time, battery, ...
    public var plan: [LabeledValue] = []
    /// Findings of the checks, failures first.
    public var findings: [FindingLine] = []
    /// The index of the selected finding; `nil` when none is, or in a mode that does not mark it.
    public var chosenFinding: Int?
    /// Facts on the selected point; empty when none is selected.
    public var point: [LabeledValue] = []
    /// The tracking error of the flight.
    public var trackError: [LabeledValue] = []
    /// The position of the cursor as text.
    public var cursorLines: [String] = []
    /// Whether the view follows the vehicle.
    public var followsVehicle = false
    /// Whether an edit can be undone.
    public var canUndo = false
    /// Whether an undone edit can be redone.
    public var canRedo = false

    /// No route.
    public init() {}
}

extension RouteScreenState {
    /// Takes over the points of an editor, and what can be undone.
    ///
    /// - Parameter marked: the indices of the points with a finding.
    public mutating func show(_ editor: RouteEditor, marked: Set<Int>) {
        (canUndo, canRedo) = (editor.canUndo, editor.canRedo)
        points = editor.points.enumerated().map { index, point in
            var heading: Double?
            if case .fixed(let radians) = point.heading { heading = radians }
            return RouteMarker(
                position: point.position, label: "\(index + 1)", isSelected: index == editor.selection,
                holds: point.holdSeconds > 0, takesSnapshot: point.takesSnapshot, headingRadians: heading,
                hasFinding: marked.contains(index))
        }
    }
}
