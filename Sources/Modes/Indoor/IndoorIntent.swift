public import ModeKit
public import RouteKit

/// What the user wants on the indoor screen. Positions are in dots of the plot, from its upper left corner.
public enum IndoorIntent: Hashable, Sendable {
    /// The plot has this size, in cells.
    case resize(columns: Int, rows: Int)
    // View.

    /// Moves the view by columns and rows (up is positive).
    case pan(columns: Int, rows: Int)
    /// Zooms in (positive) or out, around a dot (`nil`: the cursor).
    case zoom(steps: Int, dot: IndoorDot?)
    /// Turns the view about the vertical, counter-clockwise positive.
    case turnView(degrees: Double)
    /// Tilts the view: positive looks more from above.
    case tiltView(degrees: Double)
    /// Selects the view: from above, from the side, or in between.
    case look(IndoorViewKind)
    /// Fits the whole map into the view.
    case fit
    /// Toggles keeping the vehicle in the middle of the view.
    case followVehicle
    /// Moves up by a number of layers.
    case moveLayer(Int)
    /// Toggles between all layers and the last single one.
    case toggleAllLayers
    /// Selects the layer at a position of the slider, 0 (lowest) to 1.
    case slideTo(Double)
    /// Moves the cursor by columns and rows (up is positive); at the plot's edge the view scrolls.
    case moveCursor(columns: Int, rows: Int)
    /// Goes to the next (1) or previous (-1) finding.
    case nextFinding(Int)

    // Editing, as on the map.

    /// Inserts a point after the selected one, at the cursor.
    case placeAtCursor
    /// Inserts a point after the selected one, at a dot.
    case place(IndoorDot)
    /// Inserts a point half way to the next one.
    case insertHalfWay
    /// Deletes the selected point.
    case deletePoint
    /// Selects the next (1) or previous (-1) point.
    case selectNext(Int)
    /// Mouse button pressed: selects the point at the dot, or moves the cursor there.
    case press(IndoorDot)
    /// Mouse dragged: moves the pressed point, or else the view.
    case drag(IndoorDot)
    /// Mouse button released.
    case release
    /// Moves the selected point by columns and rows (up is positive).
    case nudge(columns: Int, rows: Int)
    /// Raises the selected point, or the cursor when none is selected, in metres.
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

    // The path through the map.

    /// Toggles between a path around obstacles and straight lines from point to point.
    case toggleObstacleAvoidance
    /// Toggles between the best order of the points and route order.
    case toggleBestOrder
    /// Toggles whether unobserved space counts as free or as blocked.
    case toggleUnknownSpace
    /// Replaces the route by the waypoints of the planned path, for editing.
    case takePath

    // Prompts.

    /// Opens a prompt.
    case ask(IndoorPrompt.Kind)
    /// Completes the typed text.
    case complete(String)
    /// Submits the typed text.
    case answer(String)
    /// Cancels the prompt.
    case cancelPrompt
    /// Fetches a map from the vehicle.
    case pull
    /// Cancels the work in progress.
    case cancelWork

    // Flying, as on the map.

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

/// A position on the plot, in dots from its upper left corner: two dots per column, four per row.
public struct IndoorDot: Hashable, Sendable {
    /// To the right.
    public var x: Double
    /// Down.
    public var y: Double

    /// A position on the plot.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

extension IndoorIntent: RouteIntent {}

extension IndoorIntent: DialogIntent {
    /// Accepts the confirmation although a check failed.
    public static var forced: Self? { .force }
    /// Completes the typed text.
    public static func completion(of text: String) -> Self? { .complete(text) }
}
