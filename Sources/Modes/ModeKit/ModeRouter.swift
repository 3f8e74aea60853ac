package import FlightControl

/// The Router of a mode that opens no other mode: it goes back, and shows notices. A mode with further navigation has its own.
@MainActor
package final class ModeRouter {
    private weak var stage: (any Stage)?

    /// A router on a stage.
    package init(stage: any Stage) { self.stage = stage }

    /// Leaves the mode: to the menu, or to the log-in when no vehicle is logged in.
    package func leave() { stage?.goBack() }
    package func say(_ notice: Notice) { stage?.say(notice) }
}
