internal import ModeKit
internal import RouteFlight
internal import PointCloud
internal import ReportKit
internal import Trajectories
internal import UAVLink

/// Formats the indoor mode's state as text.
@MainActor
struct IndoorFormatter {
    let interactor: IndoorInteractor

    /// The map's name and contents.
    var title: String {
        guard let map = interactor.desk.map else { return "no map: o opens a file, P fetches one" }
        let name = map.source.split(separator: "/").last.map(String.init) ?? map.source
        let frame = interactor.frameNote.map { "; \($0)" } ?? ""
        return "\(name.sanitizedLine): \(Self.count(map.cloud.count)) points\(frame)"
    }

    /// The layer shown and its height range.
    var layer: String {
        guard let layers = interactor.picture?.layers else { return "" }
        guard let index = interactor.desk.layer, layers.ranges.indices.contains(index) else {
            return "all \(layers.count) layers"
        }
        return "layer \(index + 1) of \(layers.count): \(layers.borders[index].formatted(decimals: 2)) to "
            + "\(layers.borders[index + 1].formatted(decimals: 2)) m, \(Self.count(layers.ranges[index].count)) points"
    }

    /// The cursor position.
    func cursor(_ place: Vector3) -> String {
        "x \(place.x.formatted(decimals: 2))  y \(place.y.formatted(decimals: 2))  z \(place.z.formatted(decimals: 2)) m"
    }

    /// Facts on the selected point.
    var point: [LabeledValue] {
        let editor = interactor.desk.editor
        guard let index = editor.selection, let point = editor.selected else { return [] }
        var facts = [
            LabeledValue("point", "\(index + 1) of \(editor.points.count)"),
            LabeledValue(
                "x, y", "\(point.position.x.formatted(decimals: 2)), \(point.position.y.formatted(decimals: 2)) m"),
            LabeledValue("z", "\(point.position.z.formatted(decimals: 2)) m"),
            LabeledValue("heading", Self.words(point.heading)),
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

    /// Facts on the plan.
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

    /// Findings of the checks, failures first; only the planning problem when there is one.
    var findings: [FindingLine] {
        if let problem = interactor.planProblem {
            return [FindingLine(text: problem.text.sanitizedLine, isFailure: true)]
        }
        return Self.lines(interactor.plan?.trajectory.report.findings ?? [])
    }

    static func lines(_ findings: [TrajectoryFinding]) -> [FindingLine] {
        let lines = findings.map { FindingLine(text: $0.text, isFailure: $0.weight == .failure) }
        return lines.filter(\.isFailure) + lines.filter { !$0.isFailure }
    }

    /// The tracking error of the flight.
    static func trackError(_ track: FlownTrack?) -> [LabeledValue] {
        guard let cross = track?.crossTrack else { return [] }
        return [
            LabeledValue("cross-track", "mean \(cross.mean.formatted(decimals: 2)) m"),
            LabeledValue("p95, max", "\(cross.p95.formatted(decimals: 2)), \(cross.maximum.formatted(decimals: 2)) m"),
        ]
    }

    /// The confirmation before the trajectory is sent.
    static func confirmation(_ asked: FlightConfirmation) -> ConfirmationRequest {
        var facts = facts(asked.plan.report, leastClearanceMetres: asked.leastClearanceMetres)
        if let way = asked.distanceToStartMetres {
            facts.append(LabeledValue("to start", "\(way.formatted(decimals: 1)) m"))
        }
        return ConfirmationRequest(
            title: "Send this trajectory?", facts: facts, findings: lines(asked.findings), needsForce: !asked.isClear)
    }

    /// A number with grouped digits: `112 586`.
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
