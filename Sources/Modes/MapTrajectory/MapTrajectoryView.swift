package import ModeKit

/// The view of the map mode.
package typealias MapTrajectoryView = StateView<MapTrajectoryScreenState>
