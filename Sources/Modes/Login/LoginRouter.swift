public import FlightControl
public import ModeKit

/// Navigates from the log-in.
@MainActor
public final class LoginRouter {
    private weak var stage: (any Stage)?

    /// Creates a router on a stage.
    public init(stage: any Stage) { self.stage = stage }

    /// Opens the menu.
    public func openMenu() { stage?.open(.menu) }
    /// Goes back to the logged-in vehicles.
    public func goBack() { stage?.goBack() }
    /// Shows a notice.
    public func say(_ notice: Notice) { stage?.say(notice) }
}
