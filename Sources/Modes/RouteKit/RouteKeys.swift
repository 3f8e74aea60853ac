internal import RouteFlight
package import TextScreen

/// The keys common to all modes with a route.
package enum RouteKeys {
    /// The step with Control (cursor) or Alt (pan), in columns and rows.
    private static let largeStep = (columns: 8, rows: 4)
    private static let turnDegrees = 15.0

    /// Maps a key to an intent.
    ///
    /// - Parameter letters: the mode's own letters, which have priority.
    package static func intent<Intent: RouteModeIntent>(_ key: KeyEvent, letters: [Character: Intent]) -> Intent? {
        guard let typed = typed(key) else { return intent(key).map { .route($0) } }
        return letters[typed] ?? intent(typed).map { .route($0) }
    }

    /// The typed letter. With the kitty protocol the event has the letter and Shift, otherwise the capital letter.
    private static func typed(_ key: KeyEvent) -> Character? {
        guard case .character(let plain) = key.key, key.modifiers.subtracting(.shift).isEmpty else { return nil }
        return key.text?.first ?? (key.modifiers == .shift ? Character(plain.uppercased()) : plain)
    }

    private static func intent(_ key: KeyEvent) -> RouteIntent? {
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
        return switch (key.key, key.modifiers) {
        case (.enter, []): .placeAtCursor
        case (.delete, []), (.backspace, []): .deletePoint
        case (.tab, []): .selectNext(1)
        case (.tab, .shift): .selectNext(-1)
        case (.pageUp, []): .raise(metres: 1)
        case (.pageDown, []): .raise(metres: -1)
        case (.pageUp, .shift): .raise(metres: 0.1)
        case (.pageDown, .shift): .raise(metres: -0.1)
        case (.character("r"), .control): .redo
        default: nil
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

    private static func intent(_ typed: Character) -> RouteIntent? {
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
        case "e": .act(.send)
        case "g": .act(.goToStart)
        case "s": .act(.start)
        case "x": .act(.stop)
        case "r": .act(.resume)
        default: nil
        }
    }
}
