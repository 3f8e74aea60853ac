public import ModeKit
public import RouteKit

/// What the person did on the map. Places come in metres of the world: the screen knows where its cells lie.
public enum MapTrajectoryIntent: Hashable, Sendable {
    // Looking.

    /// Moves the view by so many columns and rows (up is positive).
    case pan(columns: Int, rows: Int)
    /// Comes nearer (positive) or goes farther away, around a place (the cross when there is none).
    case zoom(steps: Int, around: MapPlace?)
    /// Shows all of the route, the safety area and the vehicle.
    case fit
    /// Puts the vehicle in the middle, and keeps it there or no longer.
    case followVehicle
    /// Moves the cross by so many columns and rows (up is positive); the view goes with it at its edge.
    case moveCursor(columns: Int, rows: Int)
    /// Shows the background, or hides it.
    case toggleBackground
    /// Goes to the next finding (1) or the one before (-1).
    case nextFinding(Int)

    // Editing.

    /// Adds a point behind the chosen one, at the cross.
    case placeAtCursor
    /// Adds a point behind the chosen one, at a place.
    case place(MapPlace)
    /// Adds a point half way to the next one.
    case insertHalfWay
    /// Takes the chosen point away.
    case deletePoint
    /// Chooses the next point (1) or the one before (-1).
    case selectNext(Int)
    /// The mouse's button went down: chooses the point there, or puts the cross there; `withinMetres` is how near counts.
    case press(MapPlace, withinMetres: Double)
    /// The mouse moved with its button down: the pressed point goes with it, or else the view.
    case drag(MapPlace)
    /// The mouse's button went up.
    case release
    /// Moves the chosen point by so many columns and rows (up is positive).
    case nudge(columns: Int, rows: Int)
    /// Raises the chosen point by so many metres.
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

    // Questions.

    /// Wants to type something.
    case ask(MapPromptKind)
    /// The line of the question as it was finished.
    case answer(String)
    /// Does not want to answer.
    case cancelPrompt

    // Flying.

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

extension MapTrajectoryIntent: RouteIntent {}
