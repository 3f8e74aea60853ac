public import ModeKit

/// The view of the map mode.
public typealias MapTrajectoryView = StateView<MapTrajectoryScreenState>
