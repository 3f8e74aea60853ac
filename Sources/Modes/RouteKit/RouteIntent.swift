/// The user's intents for a route and its flight, common to the map and indoor modes; each mode's intent has these cases.
public protocol RouteIntent {
    static func moveCursor(columns: Int, rows: Int) -> Self
    static func pan(columns: Int, rows: Int) -> Self
    static func nudge(columns: Int, rows: Int) -> Self
    static func raise(metres: Double) -> Self
    static func turn(degrees: Double) -> Self
    static func selectNext(_ step: Int) -> Self
    static func nextFinding(_ step: Int) -> Self
    static var placeAtCursor: Self { get }
    static var deletePoint: Self { get }
    static var insertHalfWay: Self { get }
    static var nextHeadingRule: Self { get }
    static var toggleSnapshot: Self { get }
    static var reverse: Self { get }
    static var clear: Self { get }
    static var undo: Self { get }
    static var redo: Self { get }
    static var fit: Self { get }
    static var followVehicle: Self { get }
    static var send: Self { get }
    static var goToStart: Self { get }
    static var start: Self { get }
    static var stop: Self { get }
    static var resume: Self { get }
}
