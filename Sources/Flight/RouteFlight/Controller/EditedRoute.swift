/// A route that is edited in a mode, planned again after each change, and flown with the selected vehicle.
@MainActor
package protocol EditedRoute: AnyObject {
    /// The controller of the selected vehicle; `nil` when no vehicle is logged in.
    var controller: RouteFlightController? { get }
    /// The name of the selected vehicle, as one line that is safe to show; `nil` when no vehicle is logged in.
    var vehicleTitle: String? { get }
    /// The route as it is edited now.
    var version: RouteVersion { get }
    /// The plan to confirm, checked under the present conditions; `nil` when there is none.
    func confirmation() async -> FlightConfirmation?
    /// Why there is no plan to confirm, in one line.
    var confirmationProblem: String { get }
    /// Reads the state of the selected vehicle.
    ///
    /// - Returns: whether the selection changed since the last call, and the points whose snapshots are due.
    func look() -> (isAnother: Bool, dueSnapshots: [Int])
}

extension EditedRoute {
    /// The flight with the selected vehicle; `nil` when no vehicle is logged in.
    package var flight: TrajectoryFlight? { controller?.flight }
}
