public import FlightControl

/// The Router of a mode that opens no other mode: it goes back, and shows notices. A mode with further navigation has its own.
@MainActor
public final class ModeRouter {
    private weak var stage: (any Stage)?

    /// A router on a stage.
    public init(stage: any Stage) { self.stage = stage }

    /// Leaves the mode: to the menu, or to the log-in when no vehicle is logged in.
    public func leave() { stage?.goBack() }
    /// Shows a notice.
    public func say(_ notice: Notice) { stage?.say(notice) }
}
