internal import ModeKit
internal import RouteKit
internal import TextScreen

/// Keys of the indoor mode, in addition to those common to all routes.
enum IndoorKeys {
    private static let turnDegrees = 15.0

    static func intent(_ key: KeyEvent) -> IndoorIntent? { RouteKeys.intent(key, letters: letters) }

    private static let letters: [Character: IndoorIntent] = [
        "+": .zoom(steps: 1, dot: nil), "=": .zoom(steps: 1, dot: nil), "-": .zoom(steps: -1, dot: nil),
        "]": .moveLayer(1), "[": .moveLayer(-1), "l": .toggleAllLayers, "1": .look(.above), "2": .look(.side),
        "3": .look(.free), ",": .turnView(degrees: turnDegrees), ".": .turnView(degrees: -turnDegrees),
        "{": .tiltView(degrees: -turnDegrees), "}": .tiltView(degrees: turnDegrees), "A": .toggleObstacleAvoidance,
        "b": .toggleBestOrder, "O": .ask(.unknownSpace), "E": .takePath, "a": .ask(.altitude), "d": .ask(.hold),
        "h": .ask(.heading), "c": .ask(.cameraPitch), "p": .ask(.speed), "k": .ask(.deviation), "o": .ask(.open),
        "w": .ask(.save), "L": .ask(.layers), "T": .ask(.spacing), "P": .pull, "z": .ask(.body),
        "F": .ask(.freeStart), "I": .ask(.openPoints), "W": .ask(.savePoints),
    ]

    static func help(isWorking: Bool) -> [KeyHelp] {
        let first = isWorking ? [KeyHelp("Esc", "cancel")] : []
        return first + [
            KeyHelp("o", "open a map"), KeyHelp("P", "fetch a map"), KeyHelp("[ ]", "layer down, up"),
            KeyHelp("l", "all layers or one"), KeyHelp("1 2 3", "top, side, oblique view"),
            KeyHelp("Enter", "add waypoint"), KeyHelp("e", "send"), KeyHelp("g", "go to start"), KeyHelp("s", "start"),
            KeyHelp("x", "stop"), KeyHelp("r", "resume"), KeyHelp("u U", "undo, redo"), KeyHelp("f", "fit"),
            KeyHelp("+ -", "zoom"), KeyHelp(", .", "turn the view"), KeyHelp("{ }", "tilt the view"),
            KeyHelp("← → ↑ ↓", "move the cursor"), KeyHelp("Ctrl-arrows", "in large steps"),
            KeyHelp("Alt-arrows", "move the view"), KeyHelp("Shift-arrows", "move the waypoint"),
            KeyHelp("PgUp PgDn", "raise, lower by 1 m (Shift: 0.1 m)"), KeyHelp("Tab", "next waypoint"),
            KeyHelp("Del", "delete"), KeyHelp("i", "insert half way"), KeyHelp("a", "altitude"),
            KeyHelp("h H", "heading, next rule"), KeyHelp("< >", "turn by 15°"), KeyHelp("d", "hold"),
            KeyHelp("c", "camera"), KeyHelp("t", "snapshot"), KeyHelp("p k", "speed, corners"),
            KeyHelp("n N", "findings"), KeyHelp("v", "follow the vehicle"), KeyHelp("R C", "reverse, clear"),
            KeyHelp("A E", "avoid obstacles, edit the path"), KeyHelp("b", "best or route order"),
            KeyHelp("z F O", "vehicle size, free start, unknown space"),
            KeyHelp("L T", "number of layers, thin the map"), KeyHelp("w", "write the map"),
            KeyHelp("I W", "open points, write points"),
        ]
    }
}
