public import FlightControl
public import ModeKit

/// Opens what was chosen in the menu.
@MainActor
public final class MenuRouter {
    private weak var stage: (any Stage)?

    /// A router on a stage.
    public init(stage: any Stage) { self.stage = stage }

    /// Opens a mode.
    public func open(_ mode: Mode) { stage?.open(mode) }
    /// Leaves the program.
    public func quit() { stage?.quit() }
    /// Goes on where one goes without a vehicle.
    public func vehicleIsGone() { stage?.goBack() }
    /// Says something.
    public func say(_ notice: Notice) { stage?.say(notice) }
}
