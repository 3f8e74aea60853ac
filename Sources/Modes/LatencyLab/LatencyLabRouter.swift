public import FlightControl
public import ModeKit

/// The router of the latency laboratory.
@MainActor
public final class LatencyLabRouter {
    private weak var stage: (any Stage)?

    /// Creates a router on a stage.
    public init(stage: any Stage) { self.stage = stage }

    /// Shows a notice.
    public func say(_ notice: Notice) { stage?.say(notice) }
}
