package import ReportKit
internal import UAVLink

/// The reports of missions over several links, side by side.
package struct MissionSummary: Sendable {
    private let reports: [MissionReport]

    /// A summary of missions in the order in which they were flown.
    package init(_ reports: [MissionReport]) { self.reports = reports }

    /// Whether every mission is complete.
    package var isComplete: Bool { !reports.isEmpty && reports.allSatisfy(\.isComplete) }

    /// For scripts: `{"ok", "links": [{"link", "took_off", "landed", "command_ms_median", "steering_hz", ...}]}`.
    package var json: JSONValue {
        [
            "ok": .bool(isComplete),
            "links": .array(
                reports.map { report in
                    [
                        "link": .string(report.link.rawValue),
                        "took_off": .bool(report.tookOff),
                        "landed": .bool(report.landed),
                        "command_ms_median": JSONValue(report.commandMedian?.inMilliseconds),
                        "command_count": JSONValue(report.commandRoundTrips.count),
                        "steering_hz": JSONValue(report.steeringHertz),
                        "steering_asked_hz": .number(report.steeringRequestedHertz),
                        "steered_m": JSONValue(report.steeredMetres),
                        "goal_error_m": JSONValue(report.goalErrorMetres),
                        "failure": JSONValue(report.failure),
                    ]
                }),
        ]
    }

    /// A table for the terminal, and below it why a link failed, a line for each: in a column, an error would widen it all.
    package var table: String {
        var table = TextTable([
            .init("link"), .init("took off"), .init("landed"), .init("command, median", .right),
            .init("steering reached", .right), .init("steered", .right),
        ])
        for report in reports {
            table.add(
                report.link.rawValue, report.tookOff ? "yes" : "no", report.landed ? "yes" : "no",
                report.commandMedian.map { "\($0.inMilliseconds.formatted(decimals: 2)) ms" } ?? "-",
                report.steeringHertz.map { "\($0.formatted(decimals: 1)) Hz" } ?? "-",
                report.steeredMetres.map { "\($0.formatted(decimals: 2)) m" } ?? "-")
        }
        let failures = reports.compactMap { report in
            report.failure.map { "\(report.link.rawValue) failed: \($0.sanitizedLine)\n" }
        }
        return String((table.text + failures.joined()).dropLast())
    }
}
