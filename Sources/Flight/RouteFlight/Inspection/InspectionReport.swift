internal import Planning
package import ReportKit
internal import Trajectories
internal import UAVLink

/// Report of a planned inspection, or of why there is none, as text and as JSON.
package enum InspectionReport {
    /// The plan as JSON; scripts rely on the keys.
    ///
    /// - Parameter files: those that it was written to.
    package static func json(_ plan: InspectionPlan, writtenTo files: [String] = []) -> JSONValue {
        let report = plan.trajectory.report
        return .object([
            .init("ok", .bool(report.isOK)), .init("length_m", .number(report.lengthMetres)),
            .init("duration_s", .number(report.durationSeconds)), .init("samples", JSONValue(report.samples)),
            .init("max_spacing_m", .number(report.maximumSpacingMetres)),
            .init("clearance_m", .number(plan.leastClearanceMetres)),
            .init("promised_clearance_m", .number(plan.guaranteedMetres)),
            .init("deviation_m", .number(plan.deviationMetres)),
            .init("order", .array(plan.visits.compactMap(\.self).map { JSONValue($0 + 1) })),
            .init("path_m", .array(plan.path.map { place($0.position) })),
            .init("segments", .array(plan.flown.indices.map { segment(plan, $0) })),
            .init("battery_needed", JSONValue(report.batteryNeeded)),
            .init("start_distance_m", JSONValue(report.start?.metres)),
            .init("start_distance_from", JSONValue(report.start?.origin.rawValue)),
            .init("world", report.world?.json ?? .null),
            .init("not_checked", .array(report.missingChecks.map { .string($0.kind.rawValue) })),
            .init("findings", .array(report.findings.map(\.json))),
            .init("written", .array(files.map(JSONValue.string))),
        ])
    }

    package static func json(_ failure: InspectionFailure) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("ok", .bool(false)), .init("reason", .string(InspectionText.line(failure))),
        ]
        if case .tooLarge(_, let part?) = failure { members += finer(part) }
        guard case .noPath(let why) = failure else { return .object(members) }
        if let part = why.finer { members += finer(part) }
        members.append(.init("nearest_reachable_m", why.nearestReachable.map(place) ?? .null))
        members.append(.init("needed_clearance_m", .number(why.clearanceMetres)))
        switch why.reason {
        case .blocked(let stop, let obstruction):
            members.append(.init("blocked", .string(InspectionText.name(stop))))
            members.append(.init("by", .string(InspectionText.reason(obstruction))))
        case .noPathBetween(_, let to, let gap):
            members.append(.init("blocked", .string(InspectionText.name(to))))
            members.append(.init("gap_clearance_m", JSONValue(gap?.clearanceMetres)))
            members.append(.init("gap_m", gap.map { place($0.place) } ?? .null))
        }
        return .object(members)
    }

    private static func finer(_ part: SearchRegion) -> [JSONValue.Member] {
        [
            .init("region_m", .array([place(part.box.low), place(part.box.high)])),
            .init("cell_m", .number(part.cellMetres)),
        ]
    }

    /// The plan as text: totals, the clearance of each segment, and where it was written.
    package static func lines(_ plan: InspectionPlan, writtenTo files: [String] = []) -> [String] {
        let report = plan.trajectory.report
        let smooth =
            plan.deviationMetres > 0
            ? "corners rounded within \(plan.deviationMetres.formatted(decimals: 2)) m"
            : "it stops at every corner: not enough clearance to round them"
        var lines = [
            "\(report.lengthMetres.formatted(decimals: 1)) m in \(report.durationSeconds.formatted(decimals: 0)) s, "
                + "\(report.samples) samples; \(smooth)",
            "nearest to the map: \(plan.leastClearanceMetres.formatted(decimals: 2)) m "
                + "(\(plan.guaranteedMetres.formatted(decimals: 2)) m guaranteed)",
        ]
        var table = TextTable([
            .init(""), .init("x", .right), .init("y", .right), .init("z", .right), .init("clearance", .right),
        ])
        for (index, point) in plan.path.enumerated() {
            let name = plan.visits[index].map { "point \($0 + 1)" } ?? (index == 0 ? "start" : "")
            let numbers = [point.position.x, point.position.y, point.position.z].map { $0.formatted(decimals: 2) }
            let clearance = index == 0 ? "" : plan.flown[index - 1].metres.formatted(decimals: 2) + " m"
            table.rows.append([name] + numbers + [clearance])
        }
        lines += table.text.split(separator: "\n").map(String.init)
        lines += [report.startLine("the start"), report.world?.line].compactMap(\.self)
        lines += report.findings.map { "\($0.weight.rawValue): \($0.commandLineText)" } + [report.verdict]
        return files.isEmpty ? lines : lines + ["written to \(files.map(\.sanitizedLine).joined(separator: " and "))"]
    }

    private static func segment(_ plan: InspectionPlan, _ index: Int) -> JSONValue {
        let flown = plan.flown[index]
        return .object([
            .init("clearance_m", .number(flown.metres)),
            .init("nearest_point_m", flown.nearestPoint.map(place) ?? .null),
            .init("unknown_m", JSONValue(flown.unknownMetres)),
        ])
    }

    private static func place(_ place: Vector3) -> JSONValue {
        .array([.number(place.x), .number(place.y), .number(place.z)])
    }
}
