package import ModeKit
internal import ReportKit
package import RouteFlight
package import Trajectories
package import UAVLink

/// The text of routes and plans that the map and the indoor mode share.
package enum RouteText {
    /// What is said instead of asking for the name of a file to write.
    package static let noPointsToWrite = "the route has no points to write"

    /// What is said instead of adding a point where its neighbour is.
    ///
    /// - Parameter index: the neighbour's, from 0.
    package static func isAlreadyThere(_ index: Int) -> String {
        "point \(index + 1) is here already: move the cursor, or raise that point first"
    }

    /// A heading rule: `90 deg`, `along the path`, `to 3.0, -1.0 m`.
    package static func heading(_ heading: PlannedPoint.Heading) -> String {
        switch heading {
        case .fixed(let radians): "\(Heading.degrees(radians: radians).formatted(decimals: 0)) deg"
        case .alongPath: "along the path"
        case .towards(let x, let y): "to \(x.formatted(decimals: 1)), \(y.formatted(decimals: 1)) m"
        }
    }

    /// Facts on the selected point: number, position, and what the vehicle does there; empty when none is selected.
    ///
    /// - Parameters:
    ///   - axes: the label of the horizontal position.
    ///   - altitudeMetres: the height of `world_origin` above sea level, metres; `nil` when it is not known.
    ///   - plannedHold: how long the plan holds at points without a hold time of their own, seconds.
    package static func point(
        selectedIn editor: RouteEditor, axes: String, altitudeMetres: Double? = nil, plannedHold: Double = 0
    ) -> [LabeledValue] {
        guard let index = editor.selection, let point = editor.selected else { return [] }
        let (x, y, z) = (point.position.x, point.position.y, point.position.z)
        var facts = [
            LabeledValue("point", "\(index + 1) of \(editor.points.count)"),
            LabeledValue(axes, "\(x.formatted(decimals: 2)), \(y.formatted(decimals: 2)) m"),
            LabeledValue("z", "\(z.formatted(decimals: 2)) m"),
        ]
        if let altitudeMetres {
            facts.append(LabeledValue("AMSL", "\((z + altitudeMetres).formatted(decimals: 1)) m"))
        }
        return facts + actions(at: point, plannedHold: plannedHold)
    }

    /// The straight way of the vehicle to a place; empty when its position is not known.
    package static func way(_ metres: Double?, to place: String) -> [LabeledValue] {
        guard let metres else { return [] }
        return [LabeledValue("to \(place)", "\(metres.formatted(decimals: 1)) m, straight", isWarning: metres > 20)]
    }

    /// Length and duration of a plan.
    package static func lengthAndTime(_ report: TrajectoryReport) -> [LabeledValue] {
        [
            LabeledValue("length", "\(report.lengthMetres.formatted(decimals: 1)) m"),
            LabeledValue("time", "\(report.durationSeconds.formatted(decimals: 1)) s"),
        ]
    }

    /// How long the vehicle holds at a point, in seconds without the unit: `2.0`.
    ///
    /// - Parameter plannedHold: how long the plan holds at points without a hold time of their own, seconds.
    package static func hold(at point: PlannedPoint, plannedHold: Double = 0) -> String {
        (point.holdSeconds == 0 ? plannedHold : point.holdSeconds).formatted(decimals: 1)
    }

    /// What the vehicle does at a point: heading, hold, camera, snapshot.
    private static func actions(at point: PlannedPoint, plannedHold: Double) -> [LabeledValue] {
        let isPlanned = point.holdSeconds == 0 && plannedHold > 0
        var facts = [
            LabeledValue("heading", heading(point.heading)),
            LabeledValue("hold", "\(hold(at: point, plannedHold: plannedHold)) s\(isPlanned ? ", as planned" : "")"),
        ]
        if let pitch = point.cameraPitchRadians {
            facts.append(LabeledValue("camera", "\(Heading.degrees(radians: pitch).formatted(decimals: 0)) deg"))
        }
        if point.takesSnapshot { facts.append(LabeledValue("snapshot", "yes")) }
        return facts
    }

    /// The charge that a plan needs, and what is left.
    package static func battery(_ report: TrajectoryReport) -> LabeledValue {
        func percent(_ share: Double?) -> String { share.map { "\(($0 * 100).formatted(decimals: 0)) %" } ?? "unknown" }
        let isUnknown = report.batteryNeeded == nil && report.batteryRemaining == nil
        return LabeledValue(
            "battery",
            isUnknown
                ? "unknown" : "needs \(percent(report.batteryNeeded)), left \(percent(report.batteryRemaining))",
            isWarning: report.findings.contains { $0.kind == .battery })
    }

    /// What was not checked or is in doubt, without the reasons: `safety area, battery not checked`; empty: nothing.
    package static func exceptions(_ report: TrajectoryReport) -> String {
        let ending = " not checked"
        let texts = report.missingChecks.map { check in
            // The reason follows in parentheses; it is among the findings, too.
            check.text.prefix { $0 != "(" }.split(separator: " ").joined(separator: " ")
        }
        let unchecked = texts.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
        let doubts = texts.filter { !$0.hasSuffix(ending) }
        return (doubts + (unchecked.isEmpty ? [] : [unchecked.joined(separator: ", ") + ending]))
            .joined(separator: ", ")
    }

    /// Findings, failures first.
    ///
    /// - Parameter place: where on the map a finding is.
    package static func lines(
        _ findings: [TrajectoryFinding], place: (Vector3) -> MapPlace? = { _ in nil }
    ) -> [FindingLine] {
        let lines = findings.map {
            FindingLine(
                text: withKeys($0.text) + wayToDo($0.remedy), isFailure: $0.weight == .failure,
                place: $0.position.flatMap(place))
        }
        return lines.filter(\.isFailure) + lines.filter { !$0.isFailure }
    }

    /// How the map does what a finding asks for, to follow its text: the key, and what is answered to its question.
    private static func wayToDo(_ remedy: TrajectoryFinding.Remedy?) -> String {
        switch remedy {
        case .giveGround: " (key a on the map: 'METRES ground at Z')"
        // The screens have no way but to let the vehicle stand at its take-off position.
        case .giveHome, nil: ""
        }
    }

    /// The distance of a flight to its path so far; empty before the first position.
    package static func crossTrack(_ track: FlownTrack?) -> [LabeledValue] {
        guard let cross = track?.crossTrack else { return [] }
        return [
            LabeledValue("cross-track", "mean \(cross.mean.formatted(decimals: 2)) m"),
            LabeledValue("p95, max", "\(cross.p95.formatted(decimals: 2)), \(cross.maximum.formatted(decimals: 2)) m"),
        ]
    }
}

extension Array {
    /// At most `most` elements, evenly spaced, with both ends; for drawing long paths.
    package func thinned(to most: Int) -> [Element] {
        guard count > most, most > 1 else { return self }
        return (0..<most).map { self[$0 * (count - 1) / (most - 1)] }
    }
}
