public import ModeKit

/// The view of the joystick mode.
public typealias JoystickView = StateView<JoystickScreenState>
