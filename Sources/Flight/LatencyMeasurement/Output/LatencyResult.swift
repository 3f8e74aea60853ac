public import ReportKit

/// A report with its figures and verdicts, in every form that it is given in.
public struct LatencyResult: Sendable {
    /// What was measured.
    public let report: LatencyReport
    /// Its figures.
    public let summary: LatencySummary
    /// "Can I fly this?", a condition each.
    public let verdicts: [FlightVerdict]

    /// Works out the figures; takes some tenths of a second for a long run.
    public init(_ report: LatencyReport, thresholds: FlightThresholds = FlightThresholds()) {
        self.report = report
        summary = LatencySummary(report)
        verdicts = summary.conditions.map { FlightVerdict($0, thresholds: thresholds) }
    }

    /// For scripts.
    public var json: JSONValue { LatencyJSON(summary, verdicts: verdicts).value }
    /// For a terminal.
    public var table: LatencyTable { LatencyTable(summary, verdicts: verdicts) }
    /// One page for a browser and for print.
    public var html: String { LatencyPage(self).html }
    /// For HdrHistogram's tools.
    public var hdr: String { LatencyHDR.text(report) }
}
