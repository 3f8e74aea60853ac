package import ModeKit

/// The view of the mode.
package typealias FlightPlanView = StateView<FlightPlanScreenState>
