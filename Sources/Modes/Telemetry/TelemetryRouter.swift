public import FlightControl
public import ModeKit

/// Navigation of the telemetry screen: notices.
@MainActor
public final class TelemetryRouter {
    private weak var stage: (any Stage)?

    /// Creates a router.
    public init(stage: any Stage) { self.stage = stage }

    /// Shows a notice.
    public func say(_ notice: Notice) { stage?.say(notice) }
}
