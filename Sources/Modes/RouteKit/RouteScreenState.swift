package import ModeKit
package import RouteFlight
internal import Trajectories

/// What a screen shows of a route, its plan and its flight; part of the screen state of each mode with a route.
package struct RouteScreenState: Hashable, Sendable {
    /// The points of the route.
    package var points: [RouteMarker] = []
    /// Whether the drawn path matches the current route; otherwise it is being replanned.
    package var isPathCurrent = true
    /// The stage of the trajectory.
    package var stage = RouteStage.nothing
    /// What is missing besides, where a check failed: `take off to send`; empty: nothing.
    package var missing = ""
    /// What can be done with the route now, the most useful first.
    package var actions: [RouteAction] = []
    /// Why actions that are not among them are not possible, each in one line.
    package var refusals: [RouteAction: String] = [:]
    /// The edits that are not possible, with the reason.
    package var needs: [RefusedKey] = []
    /// Whether a vehicle is logged in.
    package var hasVehicle = false
    /// Progress of the upload or the flight, 0 to 1; `nil` when neither is in progress.
    package var progress: Double?
    /// Facts on the plan: length, time, battery, ...
    package var plan: [LabeledValue] = []
    /// Findings of the checks, failures first.
    package var findings: [FindingLine] = []
    /// What was not checked or is in doubt, in words; empty: nothing.
    package var exceptions = ""
    /// The index of the selected finding; `nil` when none is, or in a mode that does not mark it.
    package var chosenFinding: Int?
    /// Facts on the selected point; empty when none is selected.
    package var point: [LabeledValue] = []
    /// The tracking error of the flight.
    package var trackError: [LabeledValue] = []
    /// The position of the cursor as text.
    package var cursorLines: [String] = []
    /// Whether the view follows the vehicle.
    package var followsVehicle = false
    /// The obstacles along the route, for the view from the side.
    package var elevation: [ElevationObstacle] = []
    /// Whether an edit can be undone.
    package var canUndo = false
    /// Whether an undone edit can be redone.
    package var canRedo = false

    /// No route.
    package init() {}
}

extension RouteScreenState {
    /// The index of the selected point.
    package var selection: Int? { points.firstIndex(where: \.isSelected) }

    /// Takes over the points of an editor, and what can be undone.
    ///
    /// - Parameter marked: the indices of the points with a finding.
    package mutating func show(_ editor: RouteEditor, marked: Set<Int>) {
        (canUndo, canRedo) = (editor.canUndo, editor.canRedo)
        needs = RouteKeyHelp.edits.compactMap { edit in
            editor.need(of: edit.intent).map { RefusedKey(edit.help, $0) }
        }
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
