public import TextScreen

/// The keys common to all modes with a route.
public enum RouteKeys {
    /// The step with Control (cursor) or Alt (pan), in columns and rows.
    private static let largeStep = (columns: 8, rows: 4)
    private static let turnDegrees = 15.0

    /// Maps a key to an intent.
    ///
    /// - Parameter letters: the mode's own letters, which have priority.
    public static func intent<Intent: RouteIntent>(_ key: KeyEvent, letters: [Character: Intent]) -> Intent? {
        if let step = step(key.key) {
            let large = (columns: step.columns * largeStep.columns, rows: step.rows * largeStep.rows)
            switch key.modifiers {
            case []: return .moveCursor(columns: step.columns, rows: step.rows)
            case .control: return .moveCursor(columns: large.columns, rows: large.rows)
            case .shift: return .nudge(columns: step.columns, rows: step.rows)
            case .alt: return .pan(columns: large.columns, rows: large.rows)
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
        case (.character(let plain), let modifiers) where modifiers.subtracting(.shift).isEmpty:
            // With the kitty protocol the event has the letter and Shift, otherwise the capital letter.
            let typed = key.text?.first ?? (modifiers == .shift ? Character(plain.uppercased()) : plain)
            return letters[typed] ?? letter(typed)
        default: return nil
        }
    }

    /// The step of an arrow key; up is positive.
    private static func step(_ key: KeyEvent.Key) -> (columns: Int, rows: Int)? {
        switch key {
        case .left: (-1, 0)
        case .right: (1, 0)
        case .up: (0, 1)
        case .down: (0, -1)
        default: nil
        }
    }

    private static func letter<Intent: RouteIntent>(_ typed: Character) -> Intent? {
        switch typed {
        case "f": .fit
        case "v": .followVehicle
        case "n": .nextFinding(1)
        case "N": .nextFinding(-1)
        case "i": .insertHalfWay
        case "u": .undo
        case "U": .redo
        case "H": .nextHeadingRule
        case "<": .turn(degrees: turnDegrees)
        case ">": .turn(degrees: -turnDegrees)
        case "t": .toggleSnapshot
        case "R": .reverse
        case "C": .clear
        case "e": .send
        case "g": .goToStart
        case "s": .start
        case "x": .stop
        case "r": .resume
        default: nil
        }
    }
}
