package import Trajectories
package import UAVLink

/// A route that is edited in a mode, planned again after each change, and flown with the selected vehicle.
@MainActor
package protocol EditedRoute: AnyObject {
    /// What it is planned into.
    associatedtype Plan: Sendable
    /// Why there is no plan.
    associatedtype Problem: Error

    /// Plans it again after each change.
    var planning: RoutePlanner<Plan, Problem> { get }
    /// The vehicle that flies it.
    var selection: VehicleSelection { get }
    /// The route as it is edited now.
    var version: RouteVersion { get }
    /// The world that routes are checked in now; `nil` while none can be used.
    var presentWorld: PresentWorld? { get }
    /// The plan to confirm, checked under the present conditions; `nil` when there is none.
    func confirmation() async -> FlightConfirmation?
    /// Why planning failed, in one line; `nil` if it did not.
    var planningProblem: String? { get }
    /// Reads the state of the selected vehicle.
    ///
    /// - Returns: whether the selection changed since the last call, and the points whose snapshots are due.
    func look() -> (isAnother: Bool, dueSnapshots: [Int])
    /// What is wrong with a straight way in the map of the route, metres in `world_origin`; `nil` if nothing is, or if there is no map.
    func findingOfWay(from start: Vector3, to end: Vector3) -> TrajectoryFinding?
}

extension EditedRoute {
    package func findingOfWay(from start: Vector3, to end: Vector3) -> TrajectoryFinding? { nil }

    /// The route that the vehicle holds, as `RouteFlightController.confirmation(of:in:)`, with what the map says of the straight way to where
    /// it begins or continues.
    package func confirmation(of action: RouteAction, _ controller: RouteFlightController) -> FlightConfirmation? {
        guard let confirmation = controller.confirmation(of: action, in: presentWorld) else { return nil }
        let first = confirmation.plan.generated.trajectory.points.first?.position
        let goal = action == .resume ? controller.remaining?.position : first
        guard let vehicle = confirmation.plan.vehiclePosition, let goal,
            let finding = findingOfWay(from: vehicle, to: goal)
        else { return confirmation }
        var plan = confirmation.plan
        plan.report.findings.insert(finding, at: 0)
        return FlightConfirmation(
            plan, leastClearanceMetres: confirmation.leastClearanceMetres, version: confirmation.version)
    }
}

extension EditedRoute {
    /// The last plan; see ``isPlanCurrent``.
    package var plan: Plan? { planning.plan }

    /// Why planning failed.
    package var planProblem: Problem? { planning.problem }

    /// Whether the plan is of the route, the settings and the vehicle as they are now.
    package var isPlanCurrent: Bool { planning.isCurrent }

    /// Invalidates the plan: the settings, the vehicle, the world or the map changed.
    package func settingsChanged() { planning.invalidate() }

    /// The controller of the selected vehicle; `nil` when no vehicle is logged in.
    package var controller: RouteFlightController? { selection.controller }

    /// The flight with the selected vehicle; `nil` when no vehicle is logged in.
    package var flight: TrajectoryFlight? { controller?.flight }

    /// A report with the battery as the vehicle reports it now: since the check some of it was used.
    package func atPresent(_ report: TrajectoryReport) -> TrajectoryReport {
        guard let remaining = flight?.link.latestTelemetry?.battery?.value.remaining else { return report }
        var report = report
        report.batteryRemaining = remaining
        return report
    }

    /// The flight of the route as it is edited now; `nil` if the vehicle holds another one, or none.
    package var flightOfRoute: TrajectoryFlight? { controller?.held?.isOlder == false ? flight : nil }

    /// The name of the selected vehicle, as one line that is safe to show; `nil` when no vehicle is logged in.
    package var vehicleTitle: String? { selection.title }

    /// Whether the limits and the origin of the selected vehicle were read, or could not be.
    package var isVehicleRead: Bool { selection.isRead }

    /// Why there is no plan to confirm, in one line.
    package var confirmationProblem: String {
        guard version.points.count > 1 else { return "a trajectory needs at least two points" }
        guard isVehicleRead else { return "the limits of \(vehicleTitle ?? "the vehicle") are being read; try again" }
        return planningProblem ?? "planning is still in progress; try again"
    }
}
