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
        case .telemetry:
            [
                KeyHelp("a", "add a ROS topic"), KeyHelp("x", "remove it"), KeyHelp("Tab", "next panel"),
                KeyHelp("Enter", "enlarge it"),
            ]
        case .terminal:
            [
                KeyHelp("F2", "line mode"), KeyHelp("F2", "shell"), KeyHelp("F3", "search"), KeyHelp("F4", "save log"),
                KeyHelp("Ctrl-R", "search the history"),
            ]
        case .mapTrajectory: RouteKeyHelp.named + map
        case .indoor: RouteKeyHelp.named + indoor
        case .latencyLab:
            [
                KeyHelp("s", "start"), KeyHelp("c", "condition"), KeyHelp("r", "last results"), KeyHelp("w", "save"),
                KeyHelp("n", "measure again"), KeyHelp("Del", "remove"), KeyHelp("Tab", "page"), KeyHelp("m", "kind"),
            ]
        case .robot: robot
        case .flightPlan:
            [
                KeyHelp("r", "fly"), KeyHelp("n", "fly step by step"), KeyHelp("p", "pause"), KeyHelp("o", "open"),
                KeyHelp("i", "make of a route"), KeyHelp("e", "write as a route"), KeyHelp("w", "write"),
                KeyHelp("n", "next step"), KeyHelp("r", "fly on"), KeyHelp("x", "stop"), KeyHelp("Tab", "map"),
                KeyHelp("Tab", "states"),
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
        KeyHelp("W", "world file"), KeyHelp("O", "origin"), KeyHelp("Z", "UTM zone"), KeyHelp("+ -", "zoom"),
    ]

    private static let indoor = [
        KeyHelp("o", "open a map"), KeyHelp("P", "fetch a map"), KeyHelp("w", "write the map"),
        KeyHelp("I", "open points"), KeyHelp("S", "write points"), KeyHelp("E", "edit the path"),
        KeyHelp("W", "world file"), KeyHelp("A", "obstacles of the map"), KeyHelp("b", "best or route order"),
        KeyHelp("z", "vehicle size"), KeyHelp("m", "free start"), KeyHelp("O", "unknown space"), KeyHelp("f", "fit"),
        KeyHelp("v", "follow the vehicle"), KeyHelp("l", "all layers or one"), KeyHelp("L", "number of layers"),
        KeyHelp("T", "thin the map"), KeyHelp("[ ]", "layer down, up"), KeyHelp("1 2 3", "top, side, oblique view"),
        KeyHelp("+ -", "zoom"), KeyHelp(", .", "turn the view"), KeyHelp("{ }", "tilt the view"),
    ]

    private static let robot = [
        KeyHelp("s", "scan"), KeyHelp("x", "end the scan"), KeyHelp("Enter", "connect"), KeyHelp("x", "disconnect"),
        KeyHelp("Enter", "start"), KeyHelp("a", "add"), KeyHelp("x", "delete"), KeyHelp("J K", "move"),
        KeyHelp("R", "default tasks"), KeyHelp("+ -", "speed"), KeyHelp("c", "game controller"),
        KeyHelp("c", "keyboard only"), KeyHelp("Ctrl-X", "hexadecimal"), KeyHelp("Ctrl-X", "text"),
        KeyHelp("Ctrl-S", "save"), KeyHelp("Tab", "next part"),
    ]
}
