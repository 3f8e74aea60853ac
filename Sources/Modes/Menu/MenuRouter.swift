public import FlightControl
public import ModeKit

/// Navigates from the menu.
@MainActor
public final class MenuRouter {
    private weak var stage: (any Stage)?

    /// Creates a router on a stage.
    public init(stage: any Stage) { self.stage = stage }

    /// Opens a mode.
    public func open(_ mode: Mode) { stage?.open(mode) }
    /// Quits the program.
    public func quit() { stage?.quit() }
    /// Goes back when the last vehicle was logged out.
    public func lastVehicleLoggedOut() { stage?.goBack() }
    /// Shows a notice.
    public func say(_ notice: Notice) { stage?.say(notice) }
}
