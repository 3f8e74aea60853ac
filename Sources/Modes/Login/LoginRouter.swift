public import FlightControl
public import ModeKit

/// Goes on from the log-in.
@MainActor
public final class LoginRouter {
    private weak var stage: (any Stage)?

    /// A router on a stage.
    public init(stage: any Stage) { self.stage = stage }

    /// Goes on to what can be done with the vehicle.
    public func openMenu() { stage?.open(.menu) }
    /// Goes back to the vehicles that somebody is logged in to.
    public func goBack() { stage?.goBack() }
    /// Says something.
    public func say(_ notice: Notice) { stage?.say(notice) }
}
