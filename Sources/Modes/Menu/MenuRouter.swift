package import FlightControl
package import ModeKit

/// Navigates from the menu.
@MainActor
package final class MenuRouter {
    private weak var stage: (any Stage)?

    /// Creates a router on a stage.
    package init(stage: any Stage) { self.stage = stage }

    package func open(_ mode: Mode) { stage?.open(mode) }
    /// Quits the program.
    package func quit() { stage?.quit() }
    /// Goes back when the last vehicle was logged out.
    package func lastVehicleLoggedOut() { stage?.goBack() }
    package func say(_ notice: Notice) { stage?.say(notice) }
}
