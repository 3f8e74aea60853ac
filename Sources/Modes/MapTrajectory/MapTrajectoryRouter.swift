public import FlightControl
public import ModeKit

/// Where the map's module leads.
@MainActor
public final class MapTrajectoryRouter {
    private weak var stage: (any Stage)?

    /// A router on a stage.
    public init(stage: any Stage) { self.stage = stage }

    /// Leaves the screen.
    public func leave() { stage?.goBack() }
    /// Says something.
    public func say(_ notice: Notice) { stage?.say(notice) }
}
