package import RouteKit

/// What the user wants on the indoor screen. Positions are in dots of the plot, from its upper left corner.
package enum IndoorIntent: Hashable, Sendable {
    /// Looks at, edits or flies the route, as in all modes with one.
    case route(RouteIntent)
    /// The plot has this size, in cells.
    case resize(columns: Int, rows: Int)

    // View.

    /// Zooms in (positive) or out, around a dot (`nil`: the cursor).
    case zoom(steps: Int, dot: IndoorDot?)
    /// Turns the view about the vertical, counter-clockwise positive.
    case turnView(degrees: Double)
    /// Tilts the view: positive looks more from above.
    case tiltView(degrees: Double)
    /// Selects the view: from above, from the side, or in between.
    case look(IndoorViewKind)
    /// Moves up by a number of layers.
    case moveLayer(Int)
    /// Toggles between all layers and the last single one.
    case toggleAllLayers
    /// Selects the layer at a position of the slider, 0 (lowest) to 1.
    case slideTo(Double)

    // The mouse.

    /// Inserts a point after the selected one, at a dot.
    case place(IndoorDot)
    /// Mouse button pressed: selects the point at the dot, or moves the cursor there.
    case press(IndoorDot)
    /// Mouse dragged: moves the pressed point, or else the view.
    case drag(IndoorDot)
    /// Mouse button released.
    case release

    // The path through the map.

    /// Toggles between the best order of the points and route order.
    case toggleBestOrder
    /// Replaces the route by the waypoints of the planned path, for editing.
    case takePath

    // Prompts.

    /// Opens a prompt.
    case ask(IndoorPromptKind)
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

    /// Returns to the menu.
    case leave
}

/// A position on the plot, in dots from its upper left corner: two dots per column, four per row.
package struct IndoorDot: Hashable, Sendable {
    /// To the right.
    package var x: Double
    /// Down.
    package var y: Double

    /// A position on the plot.
    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

extension IndoorIntent: RouteModeIntent {
    /// Completes the typed text.
    package static func completion(of text: String) -> Self? { .complete(text) }
}
