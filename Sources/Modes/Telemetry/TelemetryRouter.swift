public import FlightControl
public import ModeKit

/// What the telemetry screen tells the frame around it.
@MainActor
public final class TelemetryRouter {
    private weak var stage: (any Stage)?

    /// A router on a stage.
    public init(stage: any Stage) { self.stage = stage }

    /// Says something.
    public func say(_ notice: Notice) { stage?.say(notice) }
}
