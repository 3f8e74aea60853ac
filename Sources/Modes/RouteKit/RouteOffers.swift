internal import RouteFlight
internal import Trajectories
internal import UAVLink

/// What is offered of flying a route: the actions that would not be refused, and need no force. The keys of the others act too, and
/// their question says what has failed.
@MainActor
struct RouteOffers {
    /// What was checked before it was offered.
    private struct Key: Equatable {
        var controller: ObjectIdentifier
        var actions: [RouteAction]
    }

    /// The actions that fly what the vehicle holds.
    private static let flown: [RouteAction] = [.goToStart, .start, .resume]
    /// From one check to the next: a straight way in a large map takes milliseconds, and a flying vehicle moves always.
    private static let checkPeriod: Duration = .seconds(1)

    /// Which of the actions failed their check, and when that was looked at.
    private var failing: (key: Key, at: MonotonicTime, actions: [RouteAction])?

    /// The actions to offer.
    ///
    /// - Parameter plan: the stage of the plan of the edited route.
    mutating func actions(
        of controller: RouteFlightController, _ plan: RouteStage, _ route: any EditedRoute
    ) -> [RouteAction] {
        var actions = controller.offered
        // What failed is the route that is shown: the start of another one would be taken for its own.
        if plan == .failed, controller.held?.isOlder == true { actions.removeAll { $0 == .goToStart || $0 == .start } }
        // Who sent it by force knows what is wrong with it, and is asked again.
        guard controller.held?.plan.report.isOK == true else { return actions }
        let held = Self.flown.filter(actions.contains)
        let key = Key(controller: ObjectIdentifier(controller), actions: held)
        if let failing, failing.key == key, route.selection.now - failing.at < Self.checkPeriod {
            return actions.filter { !failing.actions.contains($0) }
        }
        let failed = held.filter { action in
            route.confirmation(of: action, controller)?.findings.contains { $0.weight == .failure } == true
        }
        failing = (key, route.selection.now, failed)
        return actions.filter { !failed.contains($0) }
    }
}
