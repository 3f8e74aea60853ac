public import ModeKit
public import RouteKit

/// What the user wants on the map screen. Positions are in metres of the world; the screen converts its cells.
public enum MapTrajectoryIntent: Hashable, Sendable {
    /// The map has this size, in cells.
    case resize(columns: Int, rows: Int)
    // View.

    /// Moves the view by columns and rows (up is positive).
    case pan(columns: Int, rows: Int)
    /// Zooms in (positive) or out, around a position (`nil`: the cursor).
    case zoom(steps: Int, around: MapPlace?)
    /// Fits the route, the safety area and the vehicles into the view.
    case fit
    /// Toggles keeping the vehicle in the middle of the view.
    case followVehicle
    /// Moves the cursor by columns and rows (up is positive); at the map's edge the view scrolls.
    case moveCursor(columns: Int, rows: Int)
    /// Toggles the background.
    case toggleBackground
    /// Goes to the next (1) or previous (-1) finding.
    case nextFinding(Int)

    // Editing.

    /// Inserts a point after the selected one, at the cursor.
    case placeAtCursor
    /// Inserts a point after the selected one, at a position.
    case place(MapPlace)
    /// Inserts a point half way to the next one.
    case insertHalfWay
    /// Deletes the selected point.
    case deletePoint
    /// Selects the next (1) or previous (-1) point.
    case selectNext(Int)
    /// Mouse button pressed: selects a point within `withinMetres`, or moves the cursor there.
    case press(MapPlace, withinMetres: Double)
    /// Mouse dragged: moves the pressed point, or else the view.
    case drag(MapPlace)
    /// Mouse button released.
    case release
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

    // Prompts.

    /// Opens a prompt.
    case ask(MapPromptKind)
    /// Submits the typed text.
    case answer(String)
    /// Cancels the prompt.
    case cancelPrompt

    // Flying.

    /// Sends the trajectory, after a confirmation.
    case send
    /// Accepts the confirmation.
    case confirm
    /// Accepts the confirmation although a check failed.
    case force
    /// Declines the confirmation.
    case decline
    /// Flies to the first point of the sent trajectory, after a confirmation.
    case goToStart
    /// Starts the sent trajectory, after a confirmation.
    case start
    /// Stops the trajectory at once, without a confirmation.
    case stop
    /// Resumes the stopped trajectory, after a confirmation.
    case resume

    /// Returns to the menu.
    case leave
}

extension MapTrajectoryIntent: RouteIntent {}

extension MapTrajectoryIntent: DialogIntent {
    /// Accepts the confirmation although a check failed.
    public static var forced: Self? { .force }
}
