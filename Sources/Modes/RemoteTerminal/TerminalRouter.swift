public import FlightControl
public import ModeKit

/// Leaves the terminal.
@MainActor
public final class TerminalRouter {
    private weak var stage: (any Stage)?

    /// A router on a stage.
    public init(stage: any Stage) { self.stage = stage }

    /// Goes back to where the terminal was opened from.
    public func goBack() { stage?.goBack() }
    /// Says something.
    public func say(_ notice: Notice) { stage?.say(notice) }
}
