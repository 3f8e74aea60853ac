package import TextScreen

/// Keys of the joystick mode.
///
/// The motion keys are those of `mrs_uav_status`: w s a d, h j k l and the arrows; q e to turn, r f to climb.
package enum JoystickKeys {
    /// The motion keys, regardless of modifiers: the release of `l` may arrive with Shift already down.
    static let moves: [KeyEvent.Key: StickKey] = {
        let letters: [(Character, StickKey.Move)] = [
            ("w", .forward), ("k", .forward), ("s", .back), ("j", .back), ("a", .left), ("h", .left), ("d", .right),
            ("l", .right), ("q", .turnLeft), ("e", .turnRight), ("r", .climb), ("f", .descend),
        ]
        var moves: [KeyEvent.Key: StickKey] = [
            .up: StickKey("up", .forward), .down: StickKey("down", .back), .left: StickKey("left", .left),
            .right: StickKey("right", .right),
        ]
        for (letter, move) in letters { moves[.character(letter)] = StickKey(String(letter), move) }
        return moves
    }()

    /// Whether a key does nothing but steer.
    package static func steers(_ key: KeyEvent) -> Bool { key.modifiers.isEmpty && moves[key.key] != nil }

    /// The intent of a key press. Terminals report a capital letter as such, or as the small letter with Shift.
    static func intent(_ event: KeyEvent) -> JoystickIntent? {
        guard event.phase != .release, event.modifiers.subtracting(.shift).isEmpty else { return nil }
        let isShifted = event.modifiers.contains(.shift)
        switch event.key {
        case .enter: return event.phase == .press ? .toggleControl : nil
        case .escape: return .leave
        case .character(let character):
            let typed = event.text?.first ?? (isShifted ? Character(character.uppercased()) : character)
            if let command = command(typed) { return command }
        default: break
        }
        guard !isShifted, let move = moves[event.key] else { return nil }
        return event.phase == .repeating ? .repeats(move) : .press(move)
    }

    private static func command(_ typed: Character) -> JoystickIntent? {
        switch typed {
        // As on the map, where x stops: what is waited for is given up with Esc.
        case " ", "x": .hover
        case "L": .land
        case "t", "T": .takeOff
        case "D": .disarm
        case "g", "G": .changeFrame
        case "+", "=": .speed(1)
        case "-", "_": .speed(-1)
        case "]": .rate(1)
        case "[": .rate(-1)
        case "m": .changeLayout
        case "c": .changeSource
        default: nil
        }
    }
}
