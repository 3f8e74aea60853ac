package import ModeKit
package import RouteFlight

/// What the user wants of a route and its flight: the same on the map and indoors.
package enum RouteIntent: Hashable, Sendable {
    // View.

    /// Moves the view by columns and rows (up is positive).
    case pan(columns: Int, rows: Int)
    /// Moves the cursor by columns and rows (up is positive); at the map's edge the view scrolls.
    case moveCursor(columns: Int, rows: Int)
    /// Fits everything into the view.
    case fit
    /// Toggles keeping the vehicle in the middle of the view.
    case followVehicle
    /// Goes to the next (1) or previous (-1) finding.
    case nextFinding(Int)

    // Editing.

    /// Inserts a point after the selected one, at the cursor.
    case placeAtCursor
    /// Inserts a point half way to the next one.
    case insertHalfWay
    /// Deletes the selected point.
    case deletePoint
    /// Selects the next (1) or previous (-1) point.
    case selectNext(Int)
    /// Moves the selected point by columns and rows (up is positive).
    case nudge(columns: Int, rows: Int)
    /// Raises the selected point, in metres.
    case raise(metres: Double)
    /// Selects the next heading rule: along the path, fixed at the vehicle's heading, towards the cursor.
    case nextHeadingRule
    /// Turns the selected point's heading, which becomes fixed; degrees, counter-clockwise positive.
    case turn(degrees: Double)
    /// Toggles the snapshot at the selected point.
    case toggleSnapshot
    /// Reverses the route.
    case reverse
    /// Deletes all points.
    case clear
    /// Undoes the last edit.
    case undo
    /// Redoes the last undone edit.
    case redo

    // Flying.

    /// Sends or flies the trajectory, after a confirmation; stops it at once, without one.
    case act(RouteAction)
    /// Accepts the confirmation.
    case confirm
    /// Accepts the confirmation although a check failed.
    case force
    /// Declines the confirmation.
    case decline
}

/// The intent of a mode with a route: one of its cases carries the intents that all of them have.
package protocol RouteModeIntent: DialogIntent {
    /// Looks at, edits or flies the route.
    static func route(_ intent: RouteIntent) -> Self
}

extension RouteModeIntent {
    /// Accepts the confirmation before a flight.
    package static var confirm: Self { .route(.confirm) }
    /// Accepts the confirmation although a check failed.
    package static var forced: Self? { .route(.force) }
    /// Declines the confirmation.
    package static var decline: Self { .route(.decline) }
}
