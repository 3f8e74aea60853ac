public import ModeKit

/// The view of the joystick mode.
public protocol JoystickView: ModeView {
    /// Shows a state.
    func show(_ state: JoystickScreenState)
}
