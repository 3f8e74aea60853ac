/// What the user wants on the joystick screen.
package enum JoystickIntent: Hashable, Sendable {
    /// A motion key was pressed.
    case press(StickKey)
    /// A held motion key repeats.
    case repeats(StickKey)
    /// A motion key was released.
    case release(StickKey)
    /// Requests control, or releases it.
    case toggleControl
    /// Releases control and leaves the screen.
    case leave
    /// Hovers.
    case hover
    /// Takes off, after a confirmation.
    case takeOff
    /// Lands.
    case land
    /// Stops the motors of a vehicle on the ground, after a confirmation.
    case disarm
    /// Answers the confirmation.
    case answer(Bool)
    /// Switches between the body and the world frame.
    case changeFrame
    /// Raises (1) or lowers (-1) the speed limits.
    case speed(Int)
    /// Raises (1) or lowers (-1) the setpoint rate.
    case rate(Int)
    /// Selects the next stick layout.
    case changeLayout
    /// Switches between keyboard and game controller.
    case changeSource
    /// The terminal lost the focus.
    case lostFocus
}
