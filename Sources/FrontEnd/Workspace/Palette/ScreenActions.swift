internal import ModeKit
internal import RouteKit

/// The actions of the screens, whatever their state: the palette finds them from every screen. The keys of the open screen are its own
/// (`Screen.keys`); what acts on every screen is left out.
enum ScreenActions {
    /// Those of a mode that have a name.
    static func of(_ mode: Mode) -> [KeyHelp] {
        switch mode {
        case .login: []
        case .menu: [KeyHelp("n", "log in to another vehicle"), KeyHelp("o", "log out")]
        case .joystick: joystick
        case .telemetry: [KeyHelp("a", "add a ROS topic")]
        case .terminal:
            [
                KeyHelp("F2", "line mode"), KeyHelp("F3", "search"), KeyHelp("F4", "save log"),
                KeyHelp("Ctrl-R", "search the history"),
            ]
        case .mapTrajectory: RouteKeyHelp.named + map
        case .indoor: RouteKeyHelp.named + indoor
        case .latencyLab:
            [
                KeyHelp("s", "start"), KeyHelp("c", "condition"), KeyHelp("r", "last results"), KeyHelp("w", "save"),
                KeyHelp("n", "measure again"),
            ]
        case .robot: [KeyHelp("s", "scan"), KeyHelp("a", "add"), KeyHelp("R", "default tasks")]
        case .flightPlan:
            [
                KeyHelp("r", "fly"), KeyHelp("n", "fly step by step"), KeyHelp("p", "pause"), KeyHelp("o", "open"),
                KeyHelp("i", "make of a route"), KeyHelp("e", "write as a route"), KeyHelp("w", "write"),
            ]
        }
    }

    private static let joystick = [
        KeyHelp("Enter", "take control"), KeyHelp("G", "body or world frame"), KeyHelp("+ -", "speed limit"),
        KeyHelp("[ ]", "setpoint rate"), KeyHelp("c", "keyboard or game controller"), KeyHelp("m", "stick layout"),
    ]

    private static let map = [
        KeyHelp("o", "open"), KeyHelp("w", "write"), KeyHelp("f", "fit"), KeyHelp("v", "follow the vehicle"),
        KeyHelp("/", "go to a place"), KeyHelp("b", "open a background"), KeyHelp("B", "background on, off"),
        KeyHelp("W", "world file"), KeyHelp("O", "origin"), KeyHelp("Z", "UTM zone"),
    ]

    private static let indoor = [
        KeyHelp("o", "open a map"), KeyHelp("P", "fetch a map"), KeyHelp("w", "write the map"),
        KeyHelp("I", "open points"), KeyHelp("S", "write points"), KeyHelp("E", "edit the path"),
        KeyHelp("W", "world file"), KeyHelp("A", "obstacles of the map"), KeyHelp("b", "best or route order"),
        KeyHelp("z", "vehicle size"), KeyHelp("m", "free start"), KeyHelp("O", "unknown space"), KeyHelp("f", "fit"),
        KeyHelp("v", "follow the vehicle"), KeyHelp("l", "all layers or one"), KeyHelp("L", "number of layers"),
        KeyHelp("T", "thin the map"),
    ]
}
