public import ModeKit

/// What the joystick's screen can do.
public protocol JoystickView: ModuleView {
    /// Shows this.
    func show(_ state: JoystickScreenState)
}
