internal import Modules
internal import TextScreen

/// What the keys mean indoors: those for the route and the flight are the map's.
enum IndoorKeys {
    /// A step that Control makes large, in columns and rows.
    private static let largeStep = (columns: 8, rows: 4)
    private static let turnDegrees = 15.0

    static func intent(_ key: KeyEvent) -> IndoorIntent? {
        if let step = step(key.key) {
            switch key.modifiers {
            case []: return .moveCursor(columns: step.columns, rows: step.rows)
            case .control:
                return .moveCursor(columns: step.columns * largeStep.columns, rows: step.rows * largeStep.rows)
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

    private static func letter(_ key: KeyEvent) -> IndoorIntent? {
        guard case .character(let plain) = key.key else { return nil }
        // Terminals that tell keys apart give the letter and Shift, others the capital letter.
        let typed = key.text?.first ?? (key.modifiers == .shift ? Character(plain.uppercased()) : plain)
        return looking[typed] ?? editing[typed] ?? asking[typed] ?? flying[typed]
    }

    private static let looking: [Character: IndoorIntent] = [
        "+": .zoom(steps: 1, dot: nil), "=": .zoom(steps: 1, dot: nil), "-": .zoom(steps: -1, dot: nil),
        "f": .fit, "v": .followVehicle, "n": .nextFinding(1), "N": .nextFinding(-1), "]": .moveLayer(1),
        "[": .moveLayer(-1), "l": .toggleAllLayers, "1": .look(.above), "2": .look(.side), "3": .look(.free),
        ",": .turnView(degrees: turnDegrees), ".": .turnView(degrees: -turnDegrees),
        "{": .tiltView(degrees: -turnDegrees), "}": .tiltView(degrees: turnDegrees),
    ]

    private static let editing: [Character: IndoorIntent] = [
        "i": .insertHalfWay, "u": .undo, "U": .redo, "H": .nextHeadingRule, "<": .turn(degrees: turnDegrees),
        ">": .turn(degrees: -turnDegrees), "t": .toggleSnapshot, "R": .reverse, "C": .clear,
        "A": .toggleGoesAround, "b": .toggleBestOrder, "y": .toggleUnknownSpace, "E": .takePath,
    ]

    private static let asking: [Character: IndoorIntent] = [
        "a": .ask(.altitude), "d": .ask(.hold), "h": .ask(.heading), "c": .ask(.cameraPitch), "p": .ask(.speed),
        "k": .ask(.deviation), "o": .ask(.open), "w": .ask(.save), "L": .ask(.layers), "T": .ask(.spacing), "P": .pull,
        "z": .ask(.body), "F": .ask(.freeStart),
    ]

    private static let flying: [Character: IndoorIntent] = [
        "e": .send, "g": .goToStart, "s": .start, "x": .stop, "r": .resume,
    ]

    /// What an answer to a confirmation means. Enter decides nothing: it may have been meant for a point.
    static func answer(_ key: KeyEvent, _ confirmation: MapConfirmation) -> IndoorIntent? {
        switch MapTrajectoryKeys.answer(key, confirmation) {
        case .confirm: .confirm
        case .force: .force
        case .decline: .decline
        default: nil
        }
    }

    static func help(hasPrompt: Bool, isWorking: Bool, confirmation: MapConfirmation?) -> [KeyHelp] {
        if hasPrompt || confirmation != nil {
            let tab = hasPrompt && confirmation == nil ? [KeyHelp("Tab", "complete")] : []
            return MapTrajectoryKeys.help(hasPrompt: hasPrompt, confirmation: confirmation) + tab
        }
        let first = isWorking ? [KeyHelp("Esc", "give up waiting")] : []
        return first + [
            KeyHelp("o", "open a map"), KeyHelp("P", "fetch the vehicle's"), KeyHelp("[ ]", "layer down, up"),
            KeyHelp("l", "all layers or one"), KeyHelp("1 2 3", "from above, the side, between"),
            KeyHelp("Enter", "point here"), KeyHelp("e", "send"), KeyHelp("g", "go to start"), KeyHelp("s", "start"),
            KeyHelp("x", "stop"), KeyHelp("r", "resume"), KeyHelp("u U", "undo, redo"), KeyHelp("f", "fit"),
            KeyHelp("+ -", "zoom"), KeyHelp(", .", "turn the view"), KeyHelp("{ }", "tilt the view"),
            KeyHelp("← → ↑ ↓", "move the cross"), KeyHelp("Ctrl-arrows", "in large steps"),
            KeyHelp("Alt-arrows", "move the view"), KeyHelp("Shift-arrows", "move the point"),
            KeyHelp("PgUp PgDn", "raise, lower by 1 m (Shift: 0.1 m)"), KeyHelp("Tab", "next point"),
            KeyHelp("Del", "delete"), KeyHelp("i", "insert half way"), KeyHelp("a", "altitude"),
            KeyHelp("h H", "heading, next rule"), KeyHelp("< >", "turn by 15°"), KeyHelp("d", "hold"),
            KeyHelp("c", "camera"), KeyHelp("t", "snapshot"), KeyHelp("p k", "speed, corners"),
            KeyHelp("n N", "findings"), KeyHelp("v", "follow the vehicle"), KeyHelp("R C", "reverse, clear"),
            KeyHelp("A E", "around or as drawn, edit the way"), KeyHelp("b", "best order or as placed"),
            KeyHelp("z F y", "vehicle's size, free at start, unseen space"),
            KeyHelp("L T", "number of layers, thin the map"), KeyHelp("w", "write the map"),
        ]
    }
}
