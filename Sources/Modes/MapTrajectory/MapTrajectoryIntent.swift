package import ModeKit
package import RouteKit

/// What the user wants on the map screen. Positions are in metres of the world; the screen converts its cells.
package enum MapTrajectoryIntent: Hashable, Sendable {
    /// Looks at, edits or flies the route, as in all modes with one.
    case route(RouteIntent)
    /// The map has this size, in cells.
    case resize(columns: Int, rows: Int)
    /// Zooms in (positive) or out, around a position (`nil`: the cursor).
    case zoom(steps: Int, around: MapPlace?)
    /// Toggles the background.
    case toggleBackground

    // The mouse.

    /// Inserts a point after the selected one, at a position.
    case place(MapPlace)
    /// Mouse button pressed: selects a point within `withinMetres`, or moves the cursor there.
    case press(MapPlace, withinMetres: Double)
    /// Mouse dragged: moves the pressed point, or else the view.
    case drag(MapPlace)
    /// Mouse button released.
    case release

    // Prompts.

    /// Opens a prompt.
    case ask(MapPromptKind)
    /// Submits the typed text.
    case answer(String)
    /// Completes the typed path.
    case complete(String)
    /// Cancels the prompt.
    case cancelPrompt

    /// Returns to the menu.
    case leave
}

extension MapTrajectoryIntent: RouteModeIntent {
    /// Tab completes paths.
    package static func completion(of text: String) -> Self? { .complete(text) }
}
