package import ModeKit
internal import ReportKit
package import RouteFlight
internal import UAVLink

/// The question before an action, worded in the same way in all modes with a route: what is done and to which vehicle, what the answers
/// lead to.
package struct RouteQuestion {
    private let action: RouteAction
    private let vehicle: String

    /// The question before an action.
    ///
    /// - Parameter vehicle: the vehicle's name, as one line that is safe to show.
    package init(_ action: RouteAction, vehicle: String) {
        self.action = action
        self.vehicle = vehicle
    }

    /// The question as a dialog.
    ///
    /// - Parameter endsFlight: whether the vehicle flies a trajectory that the action ends.
    package func request(
        facts: [LabeledValue], findings: [FindingLine], needsForce: Bool = false, endsFlight: Bool = false
    ) -> ConfirmationRequest {
        let warnings =
            endsFlight
            ? [FindingLine(text: "\(vehicle) flies a trajectory now; sending another one stops it", isFailure: false)]
            : []
        return ConfirmationRequest(
            title: title, facts: facts, findings: warnings + findings, needsForce: needsForce, action: doing,
            otherwise: otherwise, isDangerous: action != .send || endsFlight)
    }

    /// The question before a file replaces a route with points that no file has. Undo brings it back, so Enter agrees.
    ///
    /// - Parameters:
    ///   - points: the number of points that the route has.
    ///   - path: the file.
    package static func replacing(points: Int, by path: String) -> ConfirmationRequest {
        ConfirmationRequest(
            title: "Replace the route?",
            facts: [
                LabeledValue("route", "\(points.counted("point")), not saved; u brings it back"),
                LabeledValue("file", path.sanitizedLine),
            ], action: "open the file", otherwise: "the route stays", isDangerous: false)
    }

    /// The question before a file is written that exists already.
    ///
    /// - Parameter extras: what is lost by that, as far as it is known: what the file has besides points.
    package static func replacing(file path: String, losing extras: [String] = []) -> ConfirmationRequest {
        var facts = [LabeledValue("file", path.sanitizedLine)]
        if !extras.isEmpty {
            let more = extras.count - mostExtras
            let kinds = extras.prefix(mostExtras).map(\.sanitizedLine) + (more > 0 ? ["\(more) more"] : [])
            facts.append(LabeledValue("lost", kinds.joined(separator: ", "), isWarning: true))
        }
        return ConfirmationRequest(
            title: "Replace this file?", facts: facts, action: "replace it", otherwise: "the file stays as it is")
    }

    /// How many of the things that are lost are named.
    private static let mostExtras = 8

    private var title: String {
        switch action {
        case .send: "Send this trajectory to \(vehicle)?"
        case .goToStart: "Fly \(vehicle) to the start of its trajectory?"
        case .start: "Start the trajectory on \(vehicle)?"
        case .stop: "Stop \(vehicle)?"
        case .resume: "Resume the trajectory on \(vehicle)?"
        }
    }

    private var doing: String {
        switch action {
        case .send: "send it"
        case .goToStart: "fly there"
        case .start: "start it"
        case .stop: "stop it"
        case .resume: "resume it"
        }
    }

    /// What stays as it is if it is declined.
    var otherwise: String {
        switch action {
        case .send: "nothing is sent"
        case .goToStart: "it does not fly there"
        case .start: "it is not started"
        case .stop: "it is not stopped"
        case .resume: "it is not resumed"
        }
    }
}
