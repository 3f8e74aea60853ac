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
    /// What a check of the route has found; `nil` if it passed, or is not checked yet.
    let failure: String?

    /// Why an action is refused, in one line; `nil` if it is asked about. A stop never is. All that is missing is said: the second
    /// reason would be seen only when the first one is gone.
    func words(_ action: RouteAction) -> String? {
        guard action != .stop else { return nil }
        let refused = obstacle(to: action)
        guard action == .send || route.controller?.refusal(of: action) == .nothingLoaded else {
            // The check is that of the route that is shown.
            guard let refused, let failure, route.controller?.held?.isOlder == false else { return refused }
            return "\(refused); a check fails, too: \(failure)"
        }
        guard action != .send || route.controller == nil || route.version.points.count > 1 else {
            return [route.confirmationProblem, refused].compactMap(\.self).joined(separator: "; ")
        }
        guard let obstacle = refused, action == .send || route.version.points.count > 1 else { return refused }
        if let failure { return "\(obstacle); a check fails, too: \(failure)" }
        return route.planningProblem.map { "\(obstacle); not planned: \(RouteText.withKeys($0))" } ?? obstacle
    }

    /// The stage of a plan that passed the checks.
    var passed: RouteStage {
        guard let controller = route.controller else { return .checked }
        return RouteStage(
            readyUnless: controller.expectedRefusal(of: .send), takesOff: route.selection.takeOffObstacle == nil,
            isControlledByOther: route.selection.authorityObstacle != nil)
    }

    /// Why the vehicle would refuse it.
    private func obstacle(to action: RouteAction) -> String? {
        guard let controller = route.controller else { return Self.noVehicle }
        let (own, present) = (controller.refusal(of: action), controller.expectedRefusal(of: action))
        var reasons: [String] =
            switch (own, present) {
            case (.nothingLoaded?, _): [nothingSent(controller)]
            // Where the vehicle was when it was last heard says nothing of now.
            case (_, .linkLost?): [TrajectoryFlightFailure.linkLost.description]
            // What the vehicle does first: on the ground and in an emergency it does not fly to the start.
            default:
                [present, own].compactMap(\.self).map {
                    RouteFlightWords.refused($0, takeOffObstacle: route.selection.takeOffObstacle)
                }
            }
        // Without control nothing else is accepted, and in an emergency nothing of any pilot.
        if let other = route.selection.authorityObstacle {
            reasons.insert(other, at: present == .notFlying(.emergency) ? reasons.endIndex : 0)
        }
        return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
    }

    /// The reasons of the actions that are not offered, also of those that their keys ask about: what failed its check is done by force
    /// only. Sending has one too where it is offered and the check of the route fails.
    ///
    /// - Parameters:
    ///   - offered: those that are.
    ///   - asked: why the others are not that are possible.
    func all(except offered: [RouteAction], asked: [RouteAction: String]) -> [RouteAction: String] {
        var reasons: [RouteAction: String] = [:]
        if let failure { reasons[.send] = "a check fails: \(failure); e asks, F forces it" }
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
        return RouteFlightWords.nothingSent(before: steps, isFailing: failure != nil)
    }
}
