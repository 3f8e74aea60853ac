package import ModeKit
package import RouteFlight
package import UAVLink

/// The words of a mode for flying a route; its questions are those of ``RouteQuestion``.
package struct RouteFlightWords {
    /// What is said when an action was accepted; `nil`: nothing.
    package var done: @MainActor (RouteAction) -> String?
    /// What is said when the route was sent, after the vehicle's answer.
    package var sent: @MainActor (CommandReply) -> String
    /// What is said when nothing was sent that could be flown.
    package var nothingSent: String
    /// The values of a plan in a question.
    package var facts: @MainActor (FlightConfirmation) -> [LabeledValue]
    /// The findings of a plan in a question.
    package var findings: @MainActor (FlightConfirmation) -> [FindingLine]
    /// Whether the findings are listed again before the sent route is flown.
    package var repeatsFindings: Bool

    /// The words of a mode.
    package init(
        done: @escaping @MainActor (RouteAction) -> String?, sent: @escaping @MainActor (CommandReply) -> String,
        nothingSent: String, facts: @escaping @MainActor (FlightConfirmation) -> [LabeledValue],
        findings: @escaping @MainActor (FlightConfirmation) -> [FindingLine], repeatsFindings: Bool
    ) {
        self.done = done
        self.sent = sent
        self.nothingSent = nothingSent
        self.facts = facts
        self.findings = findings
        self.repeatsFindings = repeatsFindings
    }
}
