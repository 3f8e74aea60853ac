package import FlightControl
package import ModeKit

/// Navigates from the log-in.
@MainActor
package final class LoginRouter {
    private weak var stage: (any Stage)?

    /// Creates a router on a stage.
    package init(stage: any Stage) { self.stage = stage }

    package func openMenu() { stage?.open(.menu) }
    /// Goes back to the logged-in vehicles.
    package func goBack() { stage?.goBack() }
    package func say(_ notice: Notice) { stage?.say(notice) }
}
