internal import ModeKit
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
        var world: PresentWorld?
        /// Whether the check of the path in that world has ended.
        var isChecked: Bool
    }

    /// The actions that fly what the vehicle holds.
    private static let flown: [RouteAction] = [.goToStart, .start, .resume]
    /// From one check to the next: a straight way in a large map takes milliseconds, and a flying vehicle moves always.
    private static let checkPeriod: Duration = .seconds(1)

    /// For which actions the check was made last, and when.
    private var checked: (key: Key, at: MonotonicTime)?
    /// Why it keeps actions from being offered.
    private var failures: [RouteAction: String] = [:]
    /// Why actions are not offered that are possible, in one line each: their keys ask.
    private(set) var reasons: [RouteAction: String] = [:]
    /// Whether a check of what the vehicle holds fails, now or when it was sent by force.
    private(set) var isFailing = false

    /// The actions to offer.
    ///
    /// - Parameter plan: the stage of the plan of the edited route.
    mutating func actions(
        of controller: RouteFlightController, _ plan: RouteStage, _ route: any EditedRoute
    ) -> [RouteAction] {
        var actions = controller.offered
        reasons = [:]
        // What failed is the route that is shown: the start of another one would be taken for its own.
        if plan == .failed, controller.held?.isOlder == true {
            for action in [RouteAction.goToStart, .start] where actions.contains(action) {
                actions.removeAll { $0 == action }
                reasons[action] = "the vehicle has an earlier route (\(RouteKeyHelp.help(action).keys) asks)"
            }
        }
        check(actions, of: controller, route)
        reasons.merge(failures) { earlier, _ in earlier }
        return actions.filter { failures[$0] == nil }
    }

    /// Checks what the vehicle would fly.
    private mutating func check(
        _ actions: [RouteAction], of controller: RouteFlightController, _ route: any EditedRoute
    ) {
        let world = route.presentWorld
        // Who sent it by force knows what was wrong with it in the world of that time, and is asked again.
        guard let sent = controller.held?.plan, sent.report.isOK || !controller.wasChecked(in: world) else {
            checked = nil
            failures = [:]
            isFailing = controller.held?.plan.report.isOK == false
            return
        }
        let held = Self.flown.filter(actions.contains)
        let isChecked = controller.isChecked(in: world)
        let key = Key(
            controller: ObjectIdentifier(controller), actions: held, world: world, isChecked: isChecked)
        let now = route.selection.now
        if let checked, checked.key == key, now - checked.at < Self.checkPeriod { return }
        checked = (key, now)
        failures = [:]
        for action in held {
            let found = route.confirmation(of: action, controller)?.findings ?? []
            guard let failed = found.first(where: { $0.weight == .failure })?.text else { continue }
            let asks = "\(failed); \(RouteKeyHelp.help(action).keys) asks, F forces it"
            failures[action] = isChecked ? "a check fails: \(asks)" : asks
        }
        isFailing = !sent.report.isOK || isChecked && !failures.isEmpty
    }
}
