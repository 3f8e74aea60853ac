package import ModeKit

/// The view of the joystick mode.
package typealias JoystickView = StateView<JoystickScreenState>
