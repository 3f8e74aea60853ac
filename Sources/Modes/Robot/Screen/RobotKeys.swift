internal import ModeKit
internal import TextScreen
internal import UAVLink

/// Keys of the mode. F1 to F4 of the remote are 1 to 4 here: function keys belong to the frame.
enum RobotKeys {
    /// The keys that drive while they are held, regardless of modifiers.
    static let directions: [KeyEvent.Key: RobotDirection] = [
        .up: .forward, .down: .back, .left: .left, .right: .right, .character("w"): .forward,
        .character("s"): .back, .character("a"): .left, .character("d"): .right,
    ]

    /// Keys with the same meaning on each part.
    static func common(_ key: KeyEvent, _ state: RobotScreenState) -> RobotIntent? {
        switch (key.key, key.modifiers) {
        case (.tab, []): .turn(1)
        case (.tab, .shift): .turn(-1)
        case (.escape, []): .leave
        case (.character(" "), []) where state.tab != .console: .stop
        default: nil
        }
    }

    /// Keys of the part that is shown.
    static func intent(_ key: KeyEvent, _ state: RobotScreenState) -> RobotIntent? {
        guard key.modifiers.subtracting(.shift).isEmpty else { return nil }
        switch state.tab {
        case .connection: return state.radio == nil ? nil : radio(key)
        case .console: return nil
        case .tasks: return task(key)
        case .control: return control(key)
        }
    }

    private static func radio(_ key: KeyEvent) -> RobotIntent? {
        guard key.modifiers.isEmpty else { return nil }
        switch key.key {
        case .up: return .moveBoard(-1)
        case .down: return .moveBoard(1)
        case .enter: return key.phase == .press ? .choose : nil
        case .character("s"): return key.phase == .press ? .scan : nil
        case .character("x"): return key.phase == .press ? .endScan : nil
        default: return nil
        }
    }

    private static func task(_ key: KeyEvent) -> RobotIntent? {
        let isShifted = key.modifiers.contains(.shift)
        switch key.key {
        case .up: return isShifted ? .moveTask(-1) : .moveSelection(-1)
        case .down: return isShifted ? .moveTask(1) : .moveSelection(1)
        case .enter where !isShifted: return key.phase == .press ? .start : nil
        case .delete, .character("x"): return isShifted || key.phase != .press ? nil : .delete
        case .character(let character):
            let typed = key.text?.first ?? (isShifted ? Character(character.uppercased()) : character)
            switch typed {
            case "K": return .moveTask(-1)
            case "J": return .moveTask(1)
            case "k": return .moveSelection(-1)
            case "j": return .moveSelection(1)
            case "R": return key.phase == .press ? .restoreTasks : nil
            case "a": return key.phase == .press ? .askTask : nil
            default: return nil
            }
        default: return nil
        }
    }

    private static func control(_ key: KeyEvent) -> RobotIntent? {
        if key.modifiers.isEmpty, let direction = directions[key.key] {
            return key.phase == .repeating ? .repeats(direction) : .press(direction)
        }
        guard case .character(let character) = key.key else { return nil }
        let typed = key.text?.first ?? character
        switch typed {
        case "+", "=": return .speed(1)
        case "-", "_": return .speed(-1)
        case "c": return key.phase == .press ? .toggleController : nil
        default:
            guard key.phase == .press, typed.isASCII, let number = typed.wholeNumberValue else { return nil }
            return RobotFunction(rawValue: number).map { .function($0) }
        }
    }

    /// The help on the keys.
    static func help(_ state: RobotScreenState) -> [KeyHelp] {
        let parts = [KeyHelp("Tab", "next part"), KeyHelp("Esc", "back")]
        switch state.tab {
        case .connection:
            guard let radio = state.radio else { return [KeyHelp("Space", "stop")] + parts }
            return [
                KeyHelp("Space", "stop"), KeyHelp("s", "scan"),
                KeyHelp("x", radio.isScanning ? "end the scan" : "disconnect"),
            ] + (radio.boards.isEmpty ? [] : [KeyHelp("↑ ↓", "choose"), KeyHelp("Enter", "connect")]) + parts
        case .tasks:
            let add = [KeyHelp("a", "add"), KeyHelp("R", "default tasks")]
            guard !state.tasks.isEmpty else { return [KeyHelp("Space", "stop")] + add + parts }
            return [
                KeyHelp("Space", "stop"), KeyHelp("Enter", "start"), KeyHelp("↑ ↓", "choose"), add[0],
                KeyHelp("x", "delete"), KeyHelp("J K", "move"), add[1],
            ] + parts
        case .control:
            return [
                KeyHelp("Space", "stop"), KeyHelp("arrows w s a d", "drive while held"), KeyHelp("+ -", "speed"),
                KeyHelp("1-4", "F1 to F4"),
                KeyHelp("c", state.controller == nil ? "game controller" : "keyboard only"),
            ] + parts
        case .console:
            // Without the stop: Space is text here, and the frame names its F7.
            return [
                KeyHelp("Enter", "send"),
                KeyHelp("Ctrl-X", state.isHex ? "text" : "hexadecimal"), KeyHelp("Ctrl-S", "save"),
                KeyHelp("↑ ↓", "scroll"),
            ] + parts
        }
    }
}
