public import RouteKit

/// What the person did indoors. Places come in dots of the plot, from its upper left corner: the presenter knows what is there.
public enum IndoorIntent: Hashable, Sendable {
    // Looking.

    /// Moves the view by so many columns and rows (up is positive).
    case pan(columns: Int, rows: Int)
    /// Comes nearer (positive) or goes farther away, around a dot (the cross when there is none).
    case zoom(steps: Int, dot: IndoorDot?)
    /// Turns the view about the vertical, counter-clockwise positive.
    case turnView(degrees: Double)
    /// Tilts the view: positive looks more from above.
    case tiltView(degrees: Double)
    /// Looks from above, from the side, or in between.
    case look(IndoorViewKind)
    /// Shows all of the map.
    case fit
    /// Keeps the vehicle in the middle, or no longer.
    case followVehicle
    /// Goes up by so many layers.
    case moveLayer(Int)
    /// Shows all layers, or the one again.
    case toggleAllLayers
    /// Takes the layer at that share of the slider, 0 the lowest to 1.
    case slideTo(Double)
    /// Moves the cross by so many columns and rows (up is positive); the view goes with it at its edge.
    case moveCursor(columns: Int, rows: Int)
    /// Goes to the next finding (1) or the one before (-1).
    case nextFinding(Int)

    // Editing, as on the map.

    /// Adds a point behind the chosen one, at the cross.
    case placeAtCursor
    /// Adds a point behind the chosen one, at a dot.
    case place(IndoorDot)
    /// Adds a point half way to the next one.
    case insertHalfWay
    /// Takes the chosen point away.
    case deletePoint
    /// Chooses the next point (1) or the one before (-1).
    case selectNext(Int)
    /// The mouse's button went down: chooses the point there, or puts the cross there.
    case press(IndoorDot)
    /// The mouse moved with its button down: the pressed point goes with it, or else the view.
    case drag(IndoorDot)
    /// The mouse's button went up.
    case release
    /// Moves the chosen point by so many columns and rows (up is positive).
    case nudge(columns: Int, rows: Int)
    /// Raises the chosen point, or the cross where none is chosen, by so many metres.
    case raise(metres: Double)
    /// Goes to the next way of pointing the nose: along the path, fixed as it is now, towards the cross.
    case nextHeadingRule
    /// Turns the chosen point's fixed heading, degrees, counter-clockwise positive.
    case turn(degrees: Double)
    /// Whether a snapshot is taken at the chosen point: the other of the two.
    case toggleSnapshot
    /// Flies it the other way round.
    case reverse
    /// Takes all points away.
    case clear
    /// Takes the last step back.
    case undo
    /// Does it again.
    case redo

    // The way through the map.

    /// Goes around what is in the map, or straight from point to point.
    case toggleGoesAround
    /// Visits the points in the best order, or as they were placed.
    case toggleBestOrder
    /// Space that nobody has seen counts as free, or as closed.
    case toggleUnknownSpace
    /// Makes the corners of the way points of the route, to be edited.
    case takePath

    // Questions.

    /// Wants to type something.
    case ask(IndoorPrompt.Kind)
    /// Wants the line completed.
    case complete(String)
    /// The line of the question as it was finished.
    case answer(String)
    /// Does not want to answer.
    case cancelPrompt
    /// Wants a map from the vehicle.
    case pull
    /// Does not want to wait for the work under way.
    case cancelWork

    // Flying, as on the map.

    /// Wants to send the trajectory: the confirmation comes first.
    case send
    /// Says yes to the confirmation.
    case confirm
    /// Says yes although a check failed.
    case force
    /// Says no to the confirmation.
    case decline
    /// Flies to the first point of what was sent, after a confirmation.
    case goToStart
    /// Begins to follow what was sent, after a confirmation.
    case start
    /// Stops following, at once.
    case stop
    /// Goes on where it was stopped, after a confirmation.
    case resume

    /// Goes back to the menu.
    case leave
}

/// A place on the plot, in dots from its upper left corner: two to a column, four to a row.
public struct IndoorDot: Hashable, Sendable {
    /// To the right.
    public var x: Double
    /// Down.
    public var y: Double

    /// A place on the plot.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

extension IndoorIntent: RouteIntent {}
