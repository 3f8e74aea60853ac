internal import UAVLink

/// A report as CSV for other programs: one line for each sample.
package enum LatencyCSV {
    /// The header: times are integer nanoseconds; unknown values are empty. `cold` is 1 for the first sample of a turn,
    /// which is in no figure but those of first samples.
    package static let header =
        ["impairment", "link", "series", "number", "intended_ns", "latency_ns", "clock_bound_ns"].joined(separator: ",")
        + "," + LatencyStage.allCases.map { $0.rawValue + "_ns" }.joined(separator: ",") + ",round,cold\n"

    /// Passes on the lines, the header first, one series at a time: a whole report can be hundreds of megabytes.
    package static func write(_ report: LatencyReport, _ put: (String) throws -> Void) rethrows {
        try put(header)
        for condition in report.conditions {
            for link in condition.links {
                for kind in SeriesKind.allCases {
                    guard let series = link.measured(kind).series else { continue }
                    try put(lines(series, "\(quoted(condition.impairment)),\(quoted(link.link)),\(kind.rawValue),"))
                }
            }
        }
    }

    private static func lines(_ series: LatencySeries, _ prefix: String) -> String {
        let bound =
            switch series.clock {
            case .same: "0"
            case .measured(_, let bound): String(bound)
            case .unknown: ""
            }
        var text = ""
        for sample in series.samples {
            text += prefix + "\(sample.number),\(sample.intendedNanoseconds),"
            text += sample.nanoseconds.map { String($0) } ?? ""
            text += "," + bound
            for stage in LatencyStage.allCases { text += "," + (sample.stages.map { String($0[stage]) } ?? "") }
            text += ",\(sample.round),\(sample.isCold ? 1 : 0)\n"
        }
        return text
    }

    /// A field, quoted where necessary (RFC 4180); line ends become blanks.
    static func quoted(_ text: String) -> String {
        let line = text.sanitizedLine
        guard line.contains(where: { $0 == "," || $0 == "\"" }) else { return line }
        return "\"" + line.reduce(into: "") { $0 += $1 == "\"" ? "\"\"" : String($1) } + "\""
    }
}
