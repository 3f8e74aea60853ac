public import FlightControl
public import ModeKit

/// Navigation of the joystick mode.
@MainActor
public final class JoystickRouter {
    private weak var stage: (any Stage)?

    /// A router on a stage.
    public init(stage: any Stage) { self.stage = stage }

    /// Leaves the screen.
    public func leave() { stage?.goBack() }
    /// Shows a notice.
    public func say(_ notice: Notice) { stage?.say(notice) }
}
