package import LatencyMeasurement
internal import UAVLink

/// A report as CSV for other programs: one line for each sample.
package enum LatencyCSV {
    /// The header: times are integer nanoseconds, of the condition's run on the ground's clock; unknown values are empty.
    /// `sequence` is the number in the schedule; `cold` is 1 for the first sample of a turn, which is in no figure but
    /// those of first samples; `fate` is a ``SampleFate``, and `received_ns` is known of some that are not `delivered`.
    package static let header =
        [
            "impairment", "link", "series", "round", "sequence", "cold", "fate", "intended_ns", "received_ns",
            "latency_ns", "clock_bound_ns",
        ].joined(separator: ",") + ","
        + LatencyStage.allCases.map { $0.rawValue + "_ns" }.joined(separator: ",") + "\n"

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
        /// Of one that was not received there is no error.
        func bound(_ sample: LatencySample) -> String {
            switch series.clock {
            case .same: "0"
            case .measured(_, let bound):
                sample.receivedNanoseconds == nil ? "" : String(sample.clockBoundNanoseconds ?? bound)
            case .unknown: ""
            }
        }
        func text(_ value: Int64?) -> String { value.map { String($0) } ?? "" }
        var lines = ""
        for sample in series.samples {
            lines += prefix + "\(sample.round),\(sample.number),\(sample.isCold ? 1 : 0),\(sample.fate.rawValue),"
            lines += "\(sample.intendedNanoseconds),\(text(sample.receivedNanoseconds)),\(text(sample.nanoseconds)),"
            lines += bound(sample)
            for stage in LatencyStage.allCases { lines += "," + text(sample.stages?[stage]) }
            lines += "\n"
        }
        return lines
    }

    /// A field, quoted where necessary (RFC 4180); line ends become blanks.
    static func quoted(_ text: String) -> String {
        let line = text.sanitizedLine
        guard line.contains(where: { $0 == "," || $0 == "\"" }) else { return line }
        return "\"" + line.reduce(into: "") { $0 += $1 == "\"" ? "\"\"" : String($1) } + "\""
    }
}
