/// What the person did on the joystick's screen.
public enum JoystickIntent: Hashable, Sendable {
    /// A moving key went down.
    case press(StickKey)
    /// A moving key is held and repeats.
    case repeats(StickKey)
    /// A moving key came up.
    case release(StickKey)
    /// Wants control, or gives it back.
    case takeOrGiveBack
    /// Wants to give control back and leave.
    case leave
    /// Wants to hover.
    case hover
    /// Wants to take off.
    case takeOff
    /// Wants to land.
    case land
    /// Says yes or no to what was asked.
    case answer(Bool)
    /// Wants no longer to wait for the command under way.
    case cancelCommand
    /// Wants forward to mean something else: body or world.
    case changeFrame
    /// Wants faster (1) or slower (-1).
    case speed(Int)
    /// Wants more (1) or fewer (-1) setpoints a second.
    case rate(Int)
    /// Wants the next stick layout.
    case changeLayout
    /// Wants the other source of sticks.
    case changeSource
    /// The terminal lost the focus.
    case lostFocus
}
