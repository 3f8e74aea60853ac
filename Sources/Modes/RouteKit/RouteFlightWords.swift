package import ModeKit
package import RouteFlight
internal import Trajectories
internal import UAVLink

/// The words of a mode for flying a route; its questions are those of ``RouteQuestion``.
package struct RouteFlightWords {
    /// The values of a plan in a question.
    package var facts: @MainActor (FlightConfirmation) -> [LabeledValue]
    /// The findings of a plan in a question.
    package var findings: @MainActor (FlightConfirmation) -> [FindingLine]
    /// Whether a finding is listed again before the sent route is flown; failures always are.
    package var repeats: @MainActor (FindingLine) -> Bool

    /// The words of a mode.
    package init(
        facts: @escaping @MainActor (FlightConfirmation) -> [LabeledValue],
        findings: @escaping @MainActor (FlightConfirmation) -> [FindingLine],
        repeats: @escaping @MainActor (FindingLine) -> Bool
    ) {
        self.facts = facts
        self.findings = findings
        self.repeats = repeats
    }

    /// The values of a plan, the world that it was checked in, and the vehicle's way to its start.
    @MainActor
    func factsWithWay(_ confirmation: FlightConfirmation) -> [LabeledValue] {
        facts(confirmation) + [Self.world(of: confirmation)]
            + RouteText.way(confirmation.distanceToStartMetres, to: "the start")
    }

    /// The world that a plan was checked in.
    static func world(of confirmation: FlightConfirmation) -> LabeledValue {
        let plan = confirmation.plan
        return LabeledValue("world", RouteText.world(plan.report.world, plan.conditions.volume))
    }

    // MARK: The same in all modes

    /// What is said when nothing was sent that could be flown.
    ///
    /// - Parameters:
    ///   - steps: what comes before sending.
    ///   - isFailing: whether a check of the route fails: it is sent by force only.
    static func nothingSent(before steps: [String], isFailing: Bool) -> String {
        let sends = isFailing ? "e asks, F forces it" : "e sends it"
        return steps.isEmpty
            ? "no trajectory was sent yet; \(sends)"
            : "no trajectory was sent yet: \(steps.joined(separator: ", then ")); then \(sends)"
    }

    /// What is said of an action that the vehicle would refuse. What cannot take off is not told to.
    static func refused(_ refusal: TrajectoryFlightFailure, takeOffObstacle: String?) -> String {
        switch refusal {
        case .notFlying(.disarmed), .notFlying(.armed): takeOffObstacle ?? refusal.description
        default: RouteText.withKeys(refusal.description)
        }
    }

    /// What is said when the route was sent: the vehicle's answer, which usually says itself that it has a trajectory.
    static func sent(_ reply: CommandReply) -> String {
        if reply.message.lowercased().hasPrefix("trajectory ") { return reply.message }
        return "trajectory sent" + (reply.message.isEmpty ? "" : ": \(reply.message)")
    }

    /// What is said when another action was accepted; `nil`: nothing.
    static func done(_ action: RouteAction) -> String? {
        switch action {
        case .send: nil
        case .goToStart: "flying to the start"
        case .start: "trajectory started"
        case .stop: "stopped"
        case .resume: "trajectory resumed"
        }
    }
}
