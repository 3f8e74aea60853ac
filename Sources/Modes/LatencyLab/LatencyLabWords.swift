internal import FlightControl
internal import LatencyMeasurement
internal import ModeKit
internal import Impairment
internal import ReportKit
internal import UAVLink
internal import VehicleAccess

/// What the laboratory says.
enum LatencyLabWords {
    /// `44 s`, `1 min 12 s`, `2 h 5 min`.
    static func time(_ seconds: Double) -> String {
        let whole = Int(saturating: max(0, seconds).rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min" + (whole % 60 == 0 ? "" : " \(whole % 60) s") }
        return "\(whole / 3600) h" + (whole % 3600 / 60 == 0 ? "" : " \(whole % 3600 / 60) min")
    }

    /// The line under the choices.
    static func summary(_ choices: LatencyChoices, _ vehicle: LoggedInVehicle?, _ state: FlightState) -> String {
        guard let vehicle else { return "nobody is logged in" }
        let links = choices.links(for: vehicle.profile).map(\.rawValue)
        let conditions = choices.conditions.count { $0.isChosen }
        guard !links.isEmpty, conditions > 0 else { return "" }
        let over = conditions == 1 ? "one condition" : "\(conditions) conditions"
        return
            "\(vehicle.title): \(VerdictWords.list(links)) under \(over), about \(time(choices.plannedSeconds(for: vehicle.profile))). "
            + "Setpoints are neutral, the command is hover."
            + (choices.measuresMotion ? " In flight it also moves forward and back." : "")
    }

    /// What stands in the way of measuring now; `nil` when nothing does.
    static func obstacle(_ state: FlightState) -> String? {
        switch state {
        case .takingOff: "the vehicle is taking off: measuring commands hover; wait until it flies"
        case .landing:
            "the vehicle is landing: measuring commands hover, which would break it off; wait until it has landed"
        case .emergency: "the vehicle is in an emergency and takes no commands"
        case .unknown, .disarmed, .armed, .flying: nil
        }
    }

    /// What must be agreed to before a vehicle is measured that flies, or may fly.
    static func confirmation(
        _ plan: MeasuringPlan, _ vehicle: LoggedInVehicle, _ state: FlightState, seconds: Double
    ) -> ConfirmationRequest? {
        guard state == .flying || state == .unknown else { return nil }
        let flies = state == .flying
        var findings: [FindingLine] = []
        if !flies {
            findings.append(.init(text: "nobody knows whether the vehicle flies: no telemetry", isFailure: false))
        }
        findings.append(
            .init(
                text:
                    "Neutral setpoints and hover go to the vehicle all the time: it stops and hovers. A trajectory, "
                    + "a goal or a landing under way is broken off, and other programs' sticks are refused or ended.",
                isFailure: false
            ))
        if plan.measuresMotion {
            findings.append(
                .init(text: "With motion it is also \(MeasuringPlan.motionWords).", isFailure: true))
        }
        return ConfirmationRequest(
            title: flies ? "Measure in flight?" : "Measure?",
            facts: [
                LabeledValue("vehicle", "\(vehicle.title), \(flies ? "in flight" : "unknown")", isWarning: true),
                LabeledValue("links", plan.links.map(\.rawValue).joined(separator: ", ")),
                LabeledValue("takes", "about \(time(seconds))"),
            ], findings: findings)
    }

    /// The lines to choose from.
    static func lines(_ choices: LatencyChoices, _ profile: VehicleProfile?) -> [LatencySetup.Line] {
        var lines: [LatencySetup.Line] = []
        for link in LaboratoryLink.allCases {
            let obstacle = LatencyChoices.obstacle(to: link, profile)
            lines.append(
                .init(
                    section: lines.isEmpty ? "Links" : "", isChosen: choices.links.contains(link) && obstacle == nil,
                    title: link.rawValue, detail: obstacle ?? link.how, isPossible: obstacle == nil))
        }
        for (index, condition) in choices.conditions.enumerated() {
            lines.append(
                .init(
                    section: index == 0 ? "Network" : "", isChosen: condition.isChosen,
                    title: condition.impairment.text,
                    detail: condition.isOwn ? "typed; Del takes it away" : index == 0 ? "as it is" : ""))
        }
        lines.append(.init(title: "another condition ...", detail: "Enter types it"))
        lines.append(.init(section: "Length", title: "\(time(Double(choices.seconds)))", detail: "for each condition"))
        let rate = choices.rateHertz.formatted(decimals: choices.rateHertz == choices.rateHertz.rounded() ? 0 : 1)
        lines.append(.init(section: "Rate", title: "\(rate) Hz", detail: "setpoints a second"))
        lines.append(
            .init(
                section: "Motion", isChosen: choices.measuresMotion, title: "move the vehicle",
                detail: "in flight only, after a question: some decimetres forward and back"))
        return lines
    }
}
