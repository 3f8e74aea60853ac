package import FlightControl
internal import UAVLink

/// A flight command that the palette gives from every screen.
package enum FlightAction: Hashable, Sendable {
    case takeOff, land, landHome, disarm
    /// Fly to a place.
    case goTo(GoalInput)
    /// Climb or descend to a height in the current frame, metres.
    case altitude(Double)
    /// Turn to a heading, ENU radians.
    case heading(Double)

    /// The command in a word or two.
    var name: String {
        switch self {
        case .takeOff: "take-off"
        case .land: "landing"
        case .landHome: "landing at home"
        case .disarm: "disarming"
        case .goTo: "goto"
        case .altitude: "altitude"
        case .heading: "heading"
        }
    }

    /// The vehicle's command; of a goto without a heading one with heading 0, since the present one is known later.
    var command: Command {
        switch self {
        case .takeOff: .takeoff
        case .land: .land
        case .landHome: .landHome
        case .disarm: .arm(false)
        case .goTo(let goal):
            .goTo(.init(goal.reference, position: goal.position, headingRadians: goal.headingRadians ?? 0))
        case .altitude(let metres): .altitude(metres: metres)
        case .heading(let radians): .heading(radians: radians)
        }
    }
}
