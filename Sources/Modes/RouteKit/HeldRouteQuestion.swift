internal import ModeKit
internal import ReportKit
internal import RouteFlight
internal import Trajectories
internal import UAVLink

/// The question before the vehicle flies the route that it holds: with battery and position as they are now, and with
/// every check that failed, when it was sent or now.
@MainActor
struct HeldRouteQuestion {
    private let action: RouteAction
    private let controller: RouteFlightController
    private let confirmation: FlightConfirmation?
    private let vehicle: String
    private let olderWarning: String?
    private let words: RouteFlightWords

    /// The question before an action.
    ///
    /// - Parameters:
    ///   - confirmation: the route with the findings of now; `nil` if the vehicle holds none.
    ///   - vehicle: the vehicle's name, as one line that is safe to show.
    ///   - olderWarning: that the vehicle holds another route than the one shown; `nil` if it does not.
    init(
        _ action: RouteAction, _ controller: RouteFlightController, _ confirmation: FlightConfirmation?,
        vehicle: String, olderWarning: String?, words: RouteFlightWords
    ) {
        self.action = action
        self.controller = controller
        self.confirmation = confirmation
        self.vehicle = vehicle
        self.olderWarning = olderWarning
        self.words = words
    }

    var request: ConfirmationRequest {
        let question = RouteQuestion(action, vehicle: vehicle)
        guard let confirmation else {
            return question.request(facts: [], findings: [])
        }
        let found = words.findings(confirmation).filter { $0.isFailure || words.repeats($0) }
        return question.request(
            facts: action == .resume ? rest(confirmation) : words.factsWithWay(confirmation),
            findings: warnings.map { FindingLine(text: $0, isFailure: false) } + found,
            needsForce: !confirmation.isClear)
    }

    private var warnings: [String] {
        let isUncertain = action == .resume && !controller.isStopped
        return [
            olderWarning,
            isUncertain ? "\(vehicle) has not reported a stop on the route: resuming may fly the whole route" : nil,
        ].compactMap(\.self)
    }

    /// What remains, as far as it is known.
    private func rest(_ confirmation: FlightConfirmation) -> [LabeledValue] {
        let remaining = controller.remaining
        let flown = remaining.map { ", after \(($0.flownFraction * 100).formatted(decimals: 0)) %" } ?? ""
        var facts = [LabeledValue("continues", "where it was stopped\(flown)")]
        if let remaining {
            let (metres, seconds) = (remaining.lengthMetres, remaining.durationSeconds)
            facts.append(
                LabeledValue("remaining", "\(metres.formatted(decimals: 1)) m, \(seconds.formatted(decimals: 1)) s"))
            let way = confirmation.plan.vehiclePosition.map { (remaining.position - $0).length }
            facts += RouteText.way(way, to: "that place")
        }
        if let clearance = confirmation.leastClearanceMetres {
            facts.append(LabeledValue("clearance", "\(clearance.formatted(decimals: 2)) m"))
        }
        return facts + [RouteText.battery(confirmation.plan.report), RouteFlightWords.world(of: confirmation)]
    }
}
