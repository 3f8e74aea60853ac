internal import ModeKit
internal import RouteFlight
internal import Trajectories
internal import UAVLink

/// Why what is done with a route is refused at once, and not asked about: its key says it, and the command palette.
@MainActor
struct RouteRefusal {
    /// What is said without a vehicle.
    static let noVehicle = "not logged in to a vehicle"
    let route: any EditedRoute

    /// Why an action is refused, in one line; `nil` if it is asked about. A stop never is.
    func words(_ action: RouteAction) -> String? {
        guard action != .stop else { return nil }
        guard let controller = route.controller else { return Self.noVehicle }
        if action == .send, route.version.points.count < 2 { return route.confirmationProblem }
        if let refusal = controller.refusal(of: action) ?? controller.expectedRefusal(of: action) {
            return refusal == .nothingLoaded
                ? nothingSent(controller)
                : RouteFlightWords.refused(refusal, takeOffObstacle: route.selection.takeOffObstacle)
        }
        return route.selection.authorityObstacle
    }

    /// The reasons of the actions that are not offered, also of those that their keys ask about: what failed its check is done by force only.
    ///
    /// - Parameters:
    ///   - offered: those that are.
    ///   - asked: why the others are not that are possible.
    func all(except offered: [RouteAction], asked: [RouteAction: String]) -> [RouteAction: String] {
        var reasons: [RouteAction: String] = [:]
        for action in RouteAction.allCases where !offered.contains(action) {
            reasons[action] = words(action) ?? asked[action] ?? (action == .send ? route.planningProblem : nil)
        }
        return reasons
    }

    /// What is done before anything can be flown, in order: the first step must not be refused in its turn.
    private func nothingSent(_ controller: RouteFlightController) -> String {
        var steps = route.version.points.count < 2 ? ["add two waypoints or more (Enter)"] : []
        switch controller.expectedRefusal(of: .send) {
        case .notFlying(.disarmed), .notFlying(.armed):
            if let obstacle = route.selection.takeOffObstacle { return obstacle }
            steps.append("take off")
        case let refusal?: return RouteText.withKeys(refusal.description)
        case nil: break
        }
        return RouteFlightWords.nothingSent(before: steps)
    }
}
