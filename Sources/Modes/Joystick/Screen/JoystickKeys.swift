internal import TextScreen

/// Keys of the joystick mode.
///
/// The motion keys are those of `mrs_uav_status`: w s a d, h j k l and the arrows; q e to turn, r f to climb.
enum JoystickKeys {
    /// The motion key, regardless of modifiers: the release of `l` may arrive with Shift already down.
    static func move(_ key: KeyEvent.Key) -> StickKey? {
        switch key {
        case .up: StickKey("up", .forward)
        case .down: StickKey("down", .back)
        case .left: StickKey("left", .left)
        case .right: StickKey("right", .right)
        case .character(let character): move(character).map { StickKey(String(character), $0) }
        default: nil
        }
    }

    private static func move(_ character: Character) -> StickKey.Move? {
        switch character {
        case "w", "k": .forward
        case "s", "j": .back
        case "a", "h": .left
        case "d", "l": .right
        case "q": .turnLeft
        case "e": .turnRight
        case "r": .climb
        case "f": .descend
        default: nil
        }
    }

    /// The intent of a key press. Terminals report a capital letter as such, or as the small letter with Shift.
    static func intent(_ event: KeyEvent) -> JoystickIntent? {
        guard event.phase != .release, event.modifiers.subtracting(.shift).isEmpty else { return nil }
        let isShifted = event.modifiers.contains(.shift)
        switch event.key {
        case .enter: return event.phase == .press ? .toggleControl : nil
        case .escape: return .leave
        case .character(let character):
            let typed = event.text?.first ?? (isShifted ? Character(character.uppercased()) : character)
            return command(typed) ?? (isShifted ? nil : moving(event))
        default: return isShifted ? nil : moving(event)
        }
    }

    private static func moving(_ event: KeyEvent) -> JoystickIntent? {
        move(event.key).map { event.phase == .repeating ? .repeats($0) : .press($0) }
    }

    private static func command(_ typed: Character) -> JoystickIntent? {
        switch typed {
        case " ": .hover
        case "L": .land
        case "t", "T": .takeOff
        case "g", "G": .changeFrame
        case "+", "=": .speed(1)
        case "-", "_": .speed(-1)
        case "]": .rate(1)
        case "[": .rate(-1)
        case "m": .changeLayout
        case "c": .changeSource
        case "x": .cancelCommand
        default: nil
        }
    }
}
