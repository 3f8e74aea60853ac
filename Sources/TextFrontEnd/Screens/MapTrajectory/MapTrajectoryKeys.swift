internal import Modules
internal import TextScreen

/// What the keys mean on the map.
enum MapTrajectoryKeys {
    /// A step that Control makes large, in columns and rows.
    private static let largeStep = (columns: 8, rows: 4)
    private static let turnDegrees = 15.0

    static func intent(_ key: KeyEvent) -> MapTrajectoryIntent? {
        if let step = step(key.key) {
            switch key.modifiers {
            case []: return .moveCursor(columns: step.columns, rows: step.rows)
            case .control:
                return .moveCursor(
                    columns: step.columns * largeStep.columns, rows: step.rows * largeStep.rows)
            case .shift: return .nudge(columns: step.columns, rows: step.rows)
            case .alt: return .pan(columns: step.columns * largeStep.columns, rows: step.rows * largeStep.rows)
            default: return nil
            }
        }
        switch (key.key, key.modifiers) {
        case (.enter, []): return .placeAtCursor
        case (.delete, []), (.backspace, []): return .deletePoint
        case (.tab, []): return .selectNext(1)
        case (.tab, .shift): return .selectNext(-1)
        case (.pageUp, []): return .raise(metres: 1)
        case (.pageDown, []): return .raise(metres: -1)
        case (.pageUp, .shift): return .raise(metres: 0.1)
        case (.pageDown, .shift): return .raise(metres: -0.1)
        case (.character("z"), .control): return nil
        case (.character("r"), .control): return .redo
        case (.character, let modifiers) where modifiers.subtracting(.shift).isEmpty: return letter(key)
        default: return nil
        }
    }

    /// The arrow keys; up is positive.
    private static func step(_ key: KeyEvent.Key) -> (columns: Int, rows: Int)? {
        switch key {
        case .left: (-1, 0)
        case .right: (1, 0)
        case .up: (0, 1)
        case .down: (0, -1)
        default: nil
        }
    }

    private static func letter(_ key: KeyEvent) -> MapTrajectoryIntent? {
        guard case .character(let plain) = key.key else { return nil }
        // Terminals that tell keys apart give the letter and Shift, others the capital letter.
        let typed =
            key.text?.first ?? (key.modifiers == .shift ? Character(plain.uppercased()) : plain)
        return looking[typed] ?? editing[typed] ?? asking[typed] ?? flying[typed]
    }

    private static let looking: [Character: MapTrajectoryIntent] = [
        "+": .zoom(steps: 1, around: nil), "=": .zoom(steps: 1, around: nil), "-": .zoom(steps: -1, around: nil),
        "f": .fit, "v": .followVehicle, "n": .nextFinding(1), "N": .nextFinding(-1), "B": .toggleBackground,
        "/": .ask(.goToPlace),
    ]

    private static let editing: [Character: MapTrajectoryIntent] = [
        "i": .insertHalfWay, "u": .undo, "U": .redo, "H": .nextHeadingRule, "<": .turn(degrees: turnDegrees),
        ">": .turn(degrees: -turnDegrees), "t": .toggleSnapshot, "R": .reverse, "C": .clear,
    ]

    /// What a file lacks is asked for when it is opened, by no key.
    private static let asking: [Character: MapTrajectoryIntent] = [
        "a": .ask(.altitude), "d": .ask(.hold), "h": .ask(.heading), "c": .ask(.cameraPitch), "p": .ask(.speed),
        "k": .ask(.deviation), "o": .ask(.open), "w": .ask(.save), "b": .ask(.background),
        "W": .ask(.world), "O": .ask(.origin), "Z": .ask(.zone),
    ]

    private static let flying: [Character: MapTrajectoryIntent] = [
        "e": .send, "g": .goToStart, "s": .start, "x": .stop, "r": .resume,
    ]

    /// What an answer to a confirmation means. Enter decides nothing: it may have been meant for a point.
    static func answer(_ key: KeyEvent, _ confirmation: MapConfirmation) -> MapTrajectoryIntent? {
        switch (key.key, key.modifiers) {
        case (.escape, []), (.character("n"), []): .decline
        case (.character("y"), []): confirmation.needsForce ? nil : .confirm
        case (.character("f"), .shift), (.character("F"), []), (.character("F"), .shift):
            confirmation.needsForce ? .force : nil
        default: nil
        }
    }

    static func help(hasPrompt: Bool, confirmation: MapConfirmation?) -> [KeyHelp] {
        if let confirmation {
            return [
                confirmation.needsForce ? KeyHelp("F", "do it although a check failed") : KeyHelp("y", "yes"),
                KeyHelp("n Esc", "no"),
            ]
        }
        if hasPrompt { return [KeyHelp("Enter", "take it"), KeyHelp("Esc", "cancel")] }
        return common
    }

    /// No more than a help box in 24 lines shows.
    private static let common = [
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
