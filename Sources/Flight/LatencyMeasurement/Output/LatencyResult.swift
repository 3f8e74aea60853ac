public import ReportKit

/// A report with its figures and verdicts, in every output format.
public struct LatencyResult: Sendable {
    /// What was measured.
    public let report: LatencyReport
    /// Its figures.
    public let summary: LatencySummary
    /// "Can I fly this?", one for each condition.
    public let verdicts: [FlightVerdict]

    /// Computes the figures; takes some tenths of a second for a long run.
    public init(_ report: LatencyReport, thresholds: FlightThresholds = FlightThresholds()) {
        self.report = report
        summary = LatencySummary(report)
        verdicts = summary.conditions.map { FlightVerdict($0, thresholds: thresholds) }
    }

    /// JSON, for scripts.
    public var json: JSONValue { LatencyJSON(summary, verdicts: verdicts).value }
    /// Text, for a terminal.
    public var table: LatencyTable { LatencyTable(summary, verdicts: verdicts) }
    /// An HTML page, for a browser and for print.
    public var html: String { LatencyPage(self).html }
    /// A log for the HdrHistogram tools.
    public var hdr: String { LatencyHDR.text(report) }
}
