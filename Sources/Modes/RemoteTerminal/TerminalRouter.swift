public import FlightControl
public import ModeKit

/// Navigation out of the terminal, and notices.
@MainActor
public final class TerminalRouter {
    private weak var stage: (any Stage)?

    /// Creates a router.
    public init(stage: any Stage) { self.stage = stage }

    /// Goes back to where the terminal was opened from.
    public func goBack() { stage?.goBack() }
    /// Shows a notice.
    public func say(_ notice: Notice) { stage?.say(notice) }
}
