internal import FlightControl
internal import LatencyMeasurement
internal import ModeKit
internal import Impairment
internal import ReportKit
internal import UAVLink
internal import VehicleAccess

/// The texts of the latency laboratory.
enum LatencyLabTexts {
    /// `44 s`, `1 min 12 s`, `2 h 5 min`.
    static func time(_ seconds: Double) -> String {
        let whole = Int(saturating: max(0, seconds).rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min" + (whole % 60 == 0 ? "" : " \(whole % 60) s") }
        return "\(whole / 3600) h" + (whole % 3600 / 60 == 0 ? "" : " \(whole % 3600 / 60) min")
    }

    static let noVehicle = "no vehicle selected; log in first (n in the menu)"

    /// Why the links of the built-in simulator cannot be compared, and what to do instead.
    static let noLinks =
        "this vehicle is simulated in this program, so it has no links to compare. Run 'uavlink sim' in another terminal and log in to "
        + "it (n in the menu), or 'uavlink latency --link sim' in a shell."

    /// Why the link of a machine that is reached by its own protocol is not compared with others, and what to do instead.
    static let oneLink =
        "this machine is reached by its own protocol only, so it has no links to compare. In a shell, 'uavlink latency' "
        + "measures its telemetry and round trip; behind 'uavlink bridge' tcp and udp can be compared here."

    /// The vehicle's name as one line, and that it is simulated where that is known.
    static func name(_ vehicle: LoggedInVehicle) -> String {
        vehicle.title.sanitizedLine + (vehicle.isSimulated ? " (simulated)" : "")
    }

    /// The summary below the setup.
    static func summary(_ choices: LatencyChoices, _ vehicle: LoggedInVehicle?) -> String {
        guard let vehicle else { return noVehicle }
        let links = choices.links(for: vehicle.profile).map(\.rawValue)
        let conditions = choices.conditions.count { $0.isChosen }
        guard !links.isEmpty, conditions > 0 else { return "" }
        let over = conditions == 1 ? "one condition" : "\(conditions) conditions"
        return
            "\(name(vehicle)): \(VerdictText.list(links)) under \(over), "
            + "about \(time(choices.plannedSeconds(for: vehicle.profile))). Setpoints are neutral, the command is hover."
            + (choices.measuresMotion ? " In flight it also moves forward and back." : "")
    }

    /// Its state is then no more than armed.
    static let flownByRadio = "the vehicle is flown by radio"

    /// Why nothing that is sent over the channel would get through: to a companion the measurement's own links are another pilot.
    static func obstacle(_ pilot: ControlStatus.Pilot?, _ links: some Sequence<MeasuredLink>) -> String? {
        guard let pilot, links.contains(where: { [.tcp, .udp, .sshTunnel].contains($0) }) else { return nil }
        let need = "and the measurement's own links to the companion need it"
        return pilot.isYou
            ? "you have control of the vehicle, \(need): F12 releases it"
            : "\(pilot.name.sanitizedLine) has control of the vehicle, \(need)"
    }

    /// Why the flight state does not allow a measurement; `nil` when it does.
    static func obstacle(_ state: FlightState) -> String? {
        switch state {
        case .takingOff: "the vehicle is taking off, and measuring sends hover commands; wait until it is in flight"
        case .landing:
            "the vehicle is landing, and measuring sends hover commands, which would abort it; wait until it has landed"
        case .emergency: "the vehicle is in an emergency and accepts no commands"
        case .unknown, .disarmed, .armed, .flying: nil
        }
    }

    /// The confirmation before measuring a vehicle that is, or may be, in flight; `nil` when none is needed.
    static func confirmation(
        _ plan: MeasuringPlan, _ vehicle: LoggedInVehicle, _ state: FlightState, seconds: Double
    ) -> ConfirmationRequest? {
        guard state == .flying || state == .unknown else { return nil }
        let flies = state == .flying
        var findings: [FindingLine] = []
        if !flies {
            findings.append(.init(text: "no telemetry: the vehicle may be in flight", isFailure: false))
        }
        findings.append(
            .init(
                text:
                    "Neutral setpoints and hover commands are sent continuously: the vehicle stops and hovers. A trajectory "
                    + "or a goal is aborted, steering by other programs is refused or ended, and a landing ends the "
                    + "measurement.",
                isFailure: false
            ))
        if plan.measuresMotion {
            findings.append(
                .init(text: "With motion the vehicle is also \(plan.motionWarning).", isFailure: true))
        }
        return ConfirmationRequest(
            title: "Measure the links of \(vehicle.title.sanitizedLine)\(flies ? " in flight" : "")?",
            facts: [
                LabeledValue("vehicle", "\(name(vehicle)), \(flies ? "in flight" : "unknown")", isWarning: true),
                LabeledValue("links", plan.links.map(\.rawValue).joined(separator: ", ")),
                LabeledValue("duration", "about \(time(seconds))"),
            ], findings: findings, action: "measure", otherwise: "nothing is sent")
    }

    /// The confirmation before results that are in no file are replaced.
    static let replacement = ConfirmationRequest(
        title: "Measure again?", facts: [],
        findings: [.init(text: "The last results are not saved; the new ones replace them.", isFailure: false)],
        action: "measure", otherwise: "r shows the last results, w there saves them", isDangerous: false)

    /// How a link reaches a vehicle.
    private static func how(_ link: MeasuredLink, _ profile: VehicleProfile?) -> String {
        link == .ros && profile?.ros.isTwo == true ? MeasuredLink.howInROS2 : link.how
    }

    /// The lines of the setup.
    ///
    /// - Parameter hasLinks: whether the vehicle has links that can be measured.
    static func lines(
        _ choices: LatencyChoices, _ profile: VehicleProfile?, hasLinks: Bool = true
    ) -> [LatencySetup.Line] {
        var lines: [LatencySetup.Line] = []
        var reasons: [String: MeasuredLink] = [:]
        for link in MeasuredLink.flown {
            // That the vehicle has none stands above them.
            let obstacle = hasLinks ? choices.obstacle(to: link, profile) : ""
            // A reason that holds of several links stands beside the first of them.
            let first = obstacle.flatMap { reasons[$0] }
            if let obstacle, first == nil { reasons[obstacle] = link }
            let detail = hasLinks ? first.map { "as \($0.rawValue)" } ?? obstacle ?? how(link, profile) : ""
            lines.append(
                .init(
                    section: lines.isEmpty ? "Links" : "", isChosen: choices.links.contains(link) && obstacle == nil,
                    title: link.rawValue, detail: detail, isPossible: obstacle == nil))
        }
        for (index, condition) in choices.conditions.enumerated() {
            lines.append(
                .init(
                    section: index == 0 ? "Network" : "", isChosen: condition.isChosen,
                    title: condition.impairment.text,
                    detail: condition.isCustom ? "entered; Del removes it" : index == 0 ? "unchanged" : ""))
        }
        lines.append(.init(title: "add a condition ...", detail: "Enter to type it"))
        let length = choices.rounds.map { "\($0) round\($0 == 1 ? "" : "s")" } ?? time(Double(choices.seconds))
        lines.append(.init(section: "Length", title: length, detail: "per condition"))
        let rate = choices.rateHertz.formatted(decimals: choices.rateHertz == choices.rateHertz.rounded() ? 0 : 1)
        lines.append(.init(section: "Rate", title: "\(rate) Hz", detail: "setpoints per second"))
        lines.append(
            .init(
                section: "Motion", isChosen: choices.measuresMotion, title: "move the vehicle",
                detail: "in flight only, after confirmation: 0.3 m forward and back"))
        return lines
    }
}
