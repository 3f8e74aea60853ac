internal import GameController
internal import UAVLink

/// Keyboard and game controller side by side, and which of them steers.
@MainActor
final class StickBoard {
    var keyboard: KeyboardSticks
    private let makeGamepads: @MainActor () -> any Gamepads
    private var gamepads: (any Gamepads)?
    /// The controller that control was asked for with.
    private var chosen: ControllerSticks?

    init(_ settings: JoystickSettings, makeGamepads: @escaping @MainActor () -> any Gamepads) {
        keyboard = KeyboardSticks(settings)
        self.makeGamepads = makeGamepads
    }

    /// What is known of game controllers; `nil` before they were asked for.
    var gamepadsState: GamepadsState? { gamepads?.state }

    /// SDL is loaded when the controller is first asked for.
    func openGamepads() {
        if gamepads == nil { gamepads = makeGamepads() }
    }

    func closeGamepads() {
        gamepads?.close()
        gamepads = nil
    }

    /// Chooses the sticks that control is asked for with; `false` when there are none.
    func choose(_ settings: JoystickSettings) -> Bool {
        chosen = plugged(settings)
        return settings.source == .keyboard || chosen != nil
    }

    /// The sticks: those that were chosen while control is asked for or had, otherwise whatever is there.
    func source(_ settings: JoystickSettings, isActive: Bool) -> (any StickSource)? {
        switch settings.source {
        case .keyboard: keyboard.source
        case .controller: isActive ? chosen : plugged(settings)
        }
    }

    private func plugged(_ settings: JoystickSettings) -> ControllerSticks? {
        gamepads.flatMap { ControllerSticks($0, layout: settings.layout) }
    }
}
