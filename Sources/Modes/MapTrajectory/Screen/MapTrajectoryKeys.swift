internal import ModeKit
internal import RouteKit
internal import TextScreen

/// Keys of the map mode, in addition to those common to all routes.
enum MapTrajectoryKeys {
    static func intent(_ key: KeyEvent) -> MapTrajectoryIntent? { RouteKeys.intent(key, letters: letters) }

    /// No keys for `missingAltitude` and `missingFrame`: these prompts open while a file is read.
    private static let letters: [Character: MapTrajectoryIntent] = [
        "+": .zoom(steps: 1, around: nil), "=": .zoom(steps: 1, around: nil), "-": .zoom(steps: -1, around: nil),
        "B": .toggleBackground, "/": .ask(.goToPlace), "a": .ask(.altitude), "d": .ask(.hold), "h": .ask(.heading),
        "c": .ask(.cameraPitch), "p": .ask(.speed), "k": .ask(.deviation), "o": .ask(.open), "w": .ask(.save),
        "b": .ask(.background), "W": .ask(.world), "O": .ask(.origin), "Z": .ask(.zone),
    ]

    /// Limited to what a help overlay shows in 24 rows.
    static let help = [
        KeyHelp("Enter", "add point"), KeyHelp("e g s", "send, to start, start"), KeyHelp("x r", "stop, resume"),
        KeyHelp("o w", "open, write"), KeyHelp("u U", "undo, redo"), KeyHelp("f v + -", "fit, follow, zoom"),
        KeyHelp("← → ↑ ↓", "cursor; Ctrl: fast"), KeyHelp("Shift, Alt", "move point, view"),
        KeyHelp("PgUp PgDn", "raise, lower"), KeyHelp("Tab n", "next point, finding"),
        KeyHelp("Del i", "delete, insert"), KeyHelp("a h", "altitude, heading"),
        KeyHelp("H < >", "heading rule, turn"), KeyHelp("d c t", "hold, camera, snapshot"),
        KeyHelp("p k /", "speed, corners, go to"), KeyHelp("R C", "reverse, clear"),
        KeyHelp("b B", "background: open, hide"), KeyHelp("W O Z", "world, origin, zone"),
    ]
}
