internal import FlightVolume
internal import Geodesy
internal import ModeKit
internal import RouteFlight
internal import RouteKit
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
        return "\(name.sanitizedLine): \(Self.points(map.cloud.count))\(frame)"
    }

    /// How a map in UTM coordinates was moved into `world_origin`.
    ///
    /// - Parameter altitude: what was subtracted from its heights, metres; 0 if they are local.
    static func moved(from zone: UTMZone, altitudeIncluded altitude: Double) -> String {
        let heights =
            altitude == 0 ? "heights kept" : "\(altitude.formatted(decimals: 1)) m subtracted from its heights"
        return "UTM \(zone), moved to world_origin, \(heights)"
    }

    /// The layer shown and its height range.
    var layer: String {
        guard let layers = interactor.picture?.layers else { return "" }
        guard let index = interactor.desk.layer, layers.ranges.indices.contains(index) else {
            return "all \(layers.count) layers"
        }
        return "layer \(index + 1) of \(layers.count): \(layers.borders[index].formatted(decimals: 2)) to "
            + "\(layers.borders[index + 1].formatted(decimals: 2)) m, \(Self.points(layers.ranges[index].count))"
    }

    /// The world that plans are checked in: `world: w1.yaml, 1 obstacle`.
    var world: String {
        if let problem = interactor.worldProblem { return "world: \(problem.sanitizedLine)" }
        return "world: \(RouteText.world(interactor.setup.checkedWorld, interactor.volume))"
    }

    /// The cursor position.
    func cursor(_ place: Vector3) -> String {
        "x \(place.x.formatted(decimals: 2))  y \(place.y.formatted(decimals: 2))  z \(place.z.formatted(decimals: 2)) m"
    }

    /// Facts on the selected point.
    var point: [LabeledValue] {
        RouteText.point(
            selectedIn: interactor.desk.editor, axes: "x, y", plannedHold: interactor.plannedHoldSeconds)
    }

    /// Facts on the plan.
    var plan: [LabeledValue] {
        guard let plan = interactor.plan else { return [] }
        // What the vehicle holds begins where it was then; planned from where it is now, it would be another path.
        if let held = interactor.controller?.held, !held.isOlder, held.version?.source == .indoor {
            return Self.facts(
                interactor.atPresent(held.plan.report), leastClearanceMetres: held.leastClearanceMetres) + plan.facts
        }
        return Self.facts(
            interactor.atPresent(plan.trajectory.report), leastClearanceMetres: plan.leastClearanceMetres) + plan.facts
    }

    /// Length, time, clearance, battery.
    static func facts(_ report: TrajectoryReport, leastClearanceMetres: Double?) -> [LabeledValue] {
        RouteText.lengthAndTime(report) + [
            LabeledValue(
                "clearance", leastClearanceMetres.map { "\($0.formatted(decimals: 2)) m" } ?? "not known",
                isWarning: leastClearanceMetres == nil),
            RouteText.battery(report),
        ]
    }

    /// Findings of the checks, failures first; only the planning problem when there is one.
    var findings: [FindingLine] { placedFindings.map(\.line) }

    /// The same, each with its place; `nil` for one that is about no place.
    var placedFindings: [(line: FindingLine, place: Vector3?)] {
        if let problem = interactor.planProblem {
            return [(FindingLine(text: RouteText.withKeys(problem.text).sanitizedLine, isFailure: true), problem.place)]
        }
        let findings = interactor.plan?.trajectory.report.findings ?? []
        return (findings.filter { $0.weight == .failure } + findings.filter { $0.weight != .failure }).map {
            (FindingLine(text: RouteText.withKeys($0.text), isFailure: $0.weight == .failure), $0.position)
        }
    }

    /// `1 point`, `112 586 points`.
    private static func points(_ number: Int) -> String { number == 1 ? "1 point" : "\(count(number)) points" }

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

extension RouteFlightWords {
    /// The words of the indoor mode.
    static var indoor: Self {
        Self(
            facts: { IndoorFormatter.facts($0.plan.report, leastClearanceMetres: $0.leastClearanceMetres) },
            findings: { RouteText.lines($0.findings) },
            repeats: { $0.text == CollisionFreePlanning.unknownIsFree })
    }
}
