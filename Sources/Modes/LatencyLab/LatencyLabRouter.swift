public import FlightControl
public import ModeKit

/// Where the laboratory leads.
@MainActor
public final class LatencyLabRouter {
    private weak var stage: (any Stage)?

    /// A router on a stage.
    public init(stage: any Stage) { self.stage = stage }

    /// Says something.
    public func say(_ notice: Notice) { stage?.say(notice) }
}
