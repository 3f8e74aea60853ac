internal import ModeKit
internal import RouteKit
internal import TextScreen

/// What the keys mean on the map, besides those for every route.
enum MapTrajectoryKeys {
    static func intent(_ key: KeyEvent) -> MapTrajectoryIntent? { RouteKeys.intent(key, letters: letters) }

    /// What a file lacks is asked for when it is opened, by no key.
    private static let letters: [Character: MapTrajectoryIntent] = [
        "+": .zoom(steps: 1, around: nil), "=": .zoom(steps: 1, around: nil), "-": .zoom(steps: -1, around: nil),
        "B": .toggleBackground, "/": .ask(.goToPlace), "a": .ask(.altitude), "d": .ask(.hold), "h": .ask(.heading),
        "c": .ask(.cameraPitch), "p": .ask(.speed), "k": .ask(.deviation), "o": .ask(.open), "w": .ask(.save),
        "b": .ask(.background), "W": .ask(.world), "O": .ask(.origin), "Z": .ask(.zone),
    ]

    /// No more than a help box in 24 lines shows.
    static let help = [
        KeyHelp("Enter", "point here"), KeyHelp("e g s", "send, to start, start"), KeyHelp("x r", "stop, resume"),
        KeyHelp("o w", "open, write"), KeyHelp("u U", "undo, redo"), KeyHelp("f v + -", "fit, follow, zoom"),
        KeyHelp("← → ↑ ↓", "the cross; Ctrl: fast"), KeyHelp("Shift, Alt", "the point, the view"),
        KeyHelp("PgUp PgDn", "raise, lower"), KeyHelp("Tab n", "next point, finding"),
        KeyHelp("Del i", "delete, half way"), KeyHelp("a h", "altitude, heading"),
        KeyHelp("H < >", "heading's rule, turn"), KeyHelp("d c t", "hold, camera, snapshot"),
        KeyHelp("p k /", "speed, corners, go to"), KeyHelp("R C", "reverse, clear"),
        KeyHelp("b B", "background: open, hide"), KeyHelp("W O Z", "world, origin, zone"),
    ]
}
