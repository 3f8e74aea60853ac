internal import GameController
internal import UAVLink

/// Keyboard and game controller, and the choice between them.
@MainActor
final class StickSelection {
    var keyboard: KeyboardSticks
    private let makeGamepads: @MainActor () -> any Gamepads
    private var gamepads: (any Gamepads)?
    /// The controller that control was requested with.
    private var chosen: ControllerSticks?

    init(_ settings: JoystickSettings, makeGamepads: @escaping @MainActor () -> any Gamepads) {
        keyboard = KeyboardSticks(settings)
        self.makeGamepads = makeGamepads
    }

    /// The state of game controllers; `nil` before ``openGamepads()``.
    var gamepadsState: GamepadsState? { gamepads?.state }

    /// Opens the game controllers once; this loads SDL.
    func openGamepads() {
        if gamepads == nil { gamepads = makeGamepads() }
    }

    func closeGamepads() {
        gamepads?.close()
        gamepads = nil
    }

    /// Selects the sticks for a control request; `false` when there are none.
    func choose(_ settings: JoystickSettings) -> Bool {
        chosen = plugged(settings)
        return settings.source == .keyboard || chosen != nil
    }

    /// The sticks: the selected ones while control is requested or held, otherwise those connected now.
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
