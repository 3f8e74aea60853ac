package import LatencyStatistics
package import LatencyMeasurement
package import ReportKit

/// A report with its figures and verdicts, in every output format.
package struct LatencyResult: Sendable {
    /// What was measured.
    package let report: LatencyReport
    /// Its figures.
    package let summary: LatencySummary
    /// "Can I fly this?", one for each condition.
    package let verdicts: [FlightVerdict]

    /// Computes the figures; takes some tenths of a second for a long run.
    package init(_ report: LatencyReport, thresholds: FlightThresholds = FlightThresholds()) {
        self.report = report
        summary = LatencySummary(report)
        verdicts = summary.conditions.map { FlightVerdict($0, thresholds: thresholds) }
    }

    /// JSON, for scripts.
    package var json: JSONValue { LatencyJSON(summary, verdicts: verdicts).value }
    /// Text, for a terminal.
    package var table: LatencyTable { LatencyTable(summary, verdicts: verdicts) }
    /// An HTML page, for a browser and for print.
    package var html: String { LatencyPage(self).html }
    /// A log for the HdrHistogram tools.
    package var hdr: String { LatencyHDR.text(report) }
}
