public import ModeKit

/// The view of the map mode.
public protocol MapTrajectoryView: ModeView {
    /// Shows a state.
    func show(_ state: MapTrajectoryScreenState)
}
