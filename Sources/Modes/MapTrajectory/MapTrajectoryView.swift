public import ModeKit

/// What the map's screen can do.
public protocol MapTrajectoryView: ModuleView {
    /// Shows this.
    func show(_ state: MapTrajectoryScreenState)
    /// How many columns and rows the map itself has just now; 0 before it was drawn.
    var mapSize: (columns: Int, rows: Int) { get }
}
