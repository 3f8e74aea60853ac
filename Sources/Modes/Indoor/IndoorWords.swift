internal import ModeKit
internal import RouteFlight
internal import PointCloud
internal import ReportKit
internal import Trajectories
internal import UAVLink

/// Puts what the indoor module knows into words and figures.
@MainActor
struct IndoorWords {
    let interactor: IndoorInteractor

    /// The map's name and what is in it.
    var title: String {
        guard let map = interactor.desk.map else { return "no map: o opens a file, P fetches the vehicle's" }
        let name = map.source.split(separator: "/").last.map(String.init) ?? map.source
        let frame = interactor.frameNote.map { "; \($0)" } ?? ""
        return "\(name.harmlessLine): \(Self.count(map.cloud.count)) points\(frame)"
    }

    /// Which layer, with its heights.
    var layer: String {
        guard let layers = interactor.picture?.layers else { return "" }
        guard let index = interactor.desk.layer, layers.ranges.indices.contains(index) else {
            return "all \(layers.count) layers"
        }
        return "layer \(index + 1) of \(layers.count): \(layers.borders[index].formatted(decimals: 2)) to "
            + "\(layers.borders[index + 1].formatted(decimals: 2)) m, \(Self.count(layers.ranges[index].count)) points"
    }

    /// Where the cross is.
    func cursor(_ place: Vector3) -> String {
        "x \(place.x.formatted(decimals: 2))  y \(place.y.formatted(decimals: 2))  z \(place.z.formatted(decimals: 2)) m"
    }

    /// What the chosen point says.
    var point: [LabeledValue] {
        let editor = interactor.desk.editor
        guard let index = editor.selection, let point = editor.selected else { return [] }
        var facts = [
            LabeledValue("point", "\(index + 1) of \(editor.points.count)"),
            LabeledValue(
                "x, y", "\(point.position.x.formatted(decimals: 2)), \(point.position.y.formatted(decimals: 2)) m"),
            LabeledValue("z", "\(point.position.z.formatted(decimals: 2)) m"),
            LabeledValue("nose", Self.words(point.heading)),
            LabeledValue("hold", "\(point.holdSeconds.formatted(decimals: 1)) s"),
        ]
        if let pitch = point.cameraPitchRadians {
            facts.append(LabeledValue("camera", "\(Heading.degrees(radians: pitch).formatted(decimals: 0)) deg"))
        }
        if point.takesSnapshot { facts.append(LabeledValue("snapshot", "yes")) }
        return facts
    }

    static func words(_ heading: PlannedPoint.Heading) -> String {
        switch heading {
        case .fixed(let radians): "\(Heading.degrees(radians: radians).formatted(decimals: 0)) deg"
        case .alongPath: "along the path"
        case .towards(let x, let y): "to \(x.formatted(decimals: 1)), \(y.formatted(decimals: 1)) m"
        }
    }

    /// What the plan comes to.
    var plan: [LabeledValue] {
        guard let plan = interactor.plan else { return [] }
        return Self.facts(
            plan.trajectory.report, leastClearanceMetres: plan.leastClearanceMetres) + plan.facts
    }

    /// Length, time, clearance, battery.
    static func facts(_ report: TrajectoryReport, leastClearanceMetres: Double?) -> [LabeledValue] {
        func percent(_ share: Double?) -> String { share.map { "\(($0 * 100).formatted(decimals: 0)) %" } ?? "unknown" }
        return [
            LabeledValue("length", "\(report.lengthMetres.formatted(decimals: 1)) m"),
            LabeledValue("time", "\(report.durationSeconds.formatted(decimals: 1)) s"),
            LabeledValue(
                "clearance", leastClearanceMetres.map { "\($0.formatted(decimals: 2)) m" } ?? "not known",
                isWarning: leastClearanceMetres == nil),
            LabeledValue(
                "battery", "needs \(percent(report.batteryNeeded)), left \(percent(report.batteryRemaining))",
                isWarning: report.findings.contains { $0.kind == .battery }),
        ]
    }

    /// What the checks found, failures first; why there is no plan comes before all.
    var findings: [FindingLine] {
        if let problem = interactor.planProblem {
            return [FindingLine(text: problem.text.harmlessLine, isFailure: true)]
        }
        return Self.lines(interactor.plan?.trajectory.report.findings ?? [])
    }

    static func lines(_ findings: [TrajectoryFinding]) -> [FindingLine] {
        let lines = findings.map { FindingLine(text: $0.text, isFailure: $0.weight == .failure) }
        return lines.filter(\.isFailure) + lines.filter { !$0.isFailure }
    }

    /// The error of what was flown.
    static func trackError(_ track: FlownTrack?) -> [LabeledValue] {
        guard let cross = track?.crossTrack else { return [] }
        return [
            LabeledValue("off the path", "mean \(cross.mean.formatted(decimals: 2)) m"),
            LabeledValue("p95, most", "\(cross.p95.formatted(decimals: 2)), \(cross.maximum.formatted(decimals: 2)) m"),
        ]
    }

    /// What a person agrees to before anything is sent.
    static func confirmation(_ asked: FlightConfirmation) -> ConfirmationRequest {
        var facts = facts(asked.plan.report, leastClearanceMetres: asked.leastClearanceMetres)
        if let way = asked.wayToStartMetres {
            facts.append(LabeledValue("to its start", "\(way.formatted(decimals: 1)) m"))
        }
        return ConfirmationRequest(
            title: "Send this trajectory?", facts: facts, findings: lines(asked.findings), needsForce: !asked.isClear)
    }

    /// 112 586, for people.
    static func count(_ number: Int) -> String {
        var digits = Array("\(abs(number))")
        var at = digits.count - 3
        while at > 0 {
            digits.insert(" ", at: at)
            at -= 3
        }
        return (number < 0 ? "-" : "") + String(digits)
    }
}
