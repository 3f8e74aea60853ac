public import ModeKit

/// The view of the map mode.
public protocol MapTrajectoryView: ModeView {
    /// Shows a state.
    func show(_ state: MapTrajectoryScreenState)
    /// The size of the map, in columns and rows; 0 before it was first drawn.
    var mapSize: (columns: Int, rows: Int) { get }
}
