package import LatencyMeasurement
internal import Statistics

/// A report as an HdrHistogram log: one histogram for each series, for the HdrHistogram tools.
package enum LatencyHDR {
    /// The content of the file.
    ///
    /// Histograms have no negative values: a one-way value below zero, which the clock bound allows, is counted as zero. The
    /// first samples of turns are in none, as in the other figures.
    package static func text(_ report: LatencyReport) -> String {
        var entries: [HDRLog.Entry] = []
        for condition in report.conditions {
            for link in condition.links {
                for kind in SeriesKind.allCases {
                    guard let series = link.measured(kind).series else { continue }
                    entries.append(
                        entry("\(condition.impairment)/\(link.link)/\(kind.rawValue)", series))
                }
            }
        }
        return HDRLog(
            comments: ["uavlink latency, nanoseconds", report.commandLine], startSeconds: report.beganSeconds,
            entries: entries
        ).text
    }

    private static func entry(_ tag: String, _ series: LatencySeries) -> HDRLog.Entry {
        var histogram = HDRHistogram()
        for sample in series.samples where !sample.isCold {
            if let value = sample.nanoseconds { histogram.record(value) }
        }
        let begins = series.samples.map(\.intendedNanoseconds)
        let first = begins.min() ?? 0
        return HDRLog.Entry(
            tag: tag, startSeconds: Double(first) / 1e9, lengthSeconds: Double((begins.max() ?? first) - first) / 1e9,
            histogram: histogram)
    }
}
