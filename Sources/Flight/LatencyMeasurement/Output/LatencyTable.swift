internal import ReportKit
package import Statistics
internal import UAVLink

/// A report as text for a terminal.
package struct LatencyTable: Sendable {
    private let summary: LatencySummary
    private let verdicts: [FlightVerdict]

    /// Creates the text form of a summary and the verdicts on its conditions.
    package init(_ summary: LatencySummary, verdicts: [FlightVerdict]) {
        self.summary = summary
        self.verdicts = verdicts
    }

    /// The whole report, condition by condition; each line ends with a line feed.
    package var text: String {
        var text = ""
        for index in summary.conditions.indices { text += self.text(of: index) + "\n" }
        if summary.report.isSimulated { text += "vehicle: \(summary.report.target.sanitizedLine)\n" }
        for note in summary.report.notes { text += "warning: \(note.sanitizedLine)\n" }
        return text
    }

    /// One condition: a table for each measured kind, the comparison of the links, and the verdict.
    package func text(of index: Int) -> String {
        guard summary.conditions.indices.contains(index) else { return "" }
        let condition = summary.conditions[index]
        var text = "condition: \(condition.impairment.sanitizedLine)\n"
        for kind in SeriesKind.allCases where condition.links.contains(where: { $0[kind] != nil }) {
            text += "\n\(kind.rawValue) (ms): \(condition.meaning(of: kind))\n" + table(kind, condition).text
            text += notes(kind, condition).map { "  \($0.sanitizedLine)\n" }.joined()
        }
        let judged = verdicts.indices.contains(index) ? verdicts[index].links.map(\.name) : []
        // The verdict says why a link failed.
        for link in condition.links where !judged.contains(link.name) {
            if let failure = link.run.failure { text += "\(link.name): \(failure.sanitizedLine)\n" }
        }
        if verdicts.indices.contains(index) {
            let verdict = verdicts[index]
            text += "\nCan I fly this? \(verdict.answer.sanitizedLine)\n"
            for link in verdict.links { text += "  \(link.sentence.sanitizedLine)\n" }
            for mode in verdict.modes { text += "  \(mode.sanitizedLine)\n" }
        }
        return text
    }

    private func table(_ kind: SeriesKind, _ condition: LatencySummary.Condition) -> TextTable {
        let links = condition.links.compactMap { link in link[kind].map { (link.name, $0) } }
        var columns: [TextTable.Column] = [.init("link"), .init("count", .right), .init("min", .right)]
        columns += [.init("mean", .right), .init("p50", .right), .init("95 % interval")]
        columns.insert(contentsOf: [.init("rounds", .right), .init("n_eff", .right)], at: 2)
        let shown = Percentile.usual.dropFirst().filter { wanted in
            links.contains { series in series.1.quantiles.contains { $0.percentile == wanted } }
        }
        columns += shown.map { .init($0.description, .right) }
        columns += [.init("max", .right), .init("PDV p99", .right), .init("lost", .right)]
        if links.contains(where: { $0.1.achievedHertz != nil }) { columns.append(.init("Hz", .right)) }
        if kind.isOneWay { columns.append(.init("clock")) }
        var table = TextTable(columns)
        for (name, series) in links {
            var row = [name, "\(series.count)", "\(series.rounds)", Self.effective(series)]
            row.append(Self.figure(series.samples.minimum.map(Double.init)))
            row.append(Self.figure(series.samples.mean))
            row.append(Self.text(.p50, of: series.quantiles))
            row.append(Self.interval(series))
            row += shown.map { Self.text($0, of: series.quantiles) }
            row.append(Self.figure(series.samples.maximum.map(Double.init)))
            row.append(Self.figure(series.packetDelayVariation.reported(.p99).map(Double.init)))
            row.append(series.missingShare.map { ($0 * 100).formatted(decimals: 1) + " %" } ?? "")
            if links.contains(where: { $0.1.achievedHertz != nil }) {
                row.append(series.achievedHertz.map { $0.formatted(decimals: 1) } ?? "")
            }
            if kind.isOneWay { row.append(Self.clockText(series)) }
            table.rows.append(row)
        }
        return table
    }

    private func notes(_ kind: SeriesKind, _ condition: LatencySummary.Condition) -> [String] {
        var lines = condition.originNotes(of: kind)
        for link in condition.links where link[kind] == nil && link.run.failure == nil {
            if case .absent(let reason) = link.run.measured(kind) { lines.append("\(link.name): \(reason)") }
        }
        for ratio in condition.ratios where ratio.kind == kind {
            lines.append(
                "\(ratio.link) takes \(ratio.ratio.formatted(decimals: 2)) times as long as \(ratio.reference) "
                    + "(\(ratio.intervalText))")
        }
        lines += condition.figureNotes(of: kind)
        for link in condition.links {
            guard let series = link[kind], !series.stages.isEmpty else { continue }
            let stages = series.stages.map { "\(condition.title(of: $0.stage)) \(Self.figure($0.meanNanoseconds))" }
            lines.append("\(link.name), mean by stage: \(stages.joined(separator: ", "))")
        }
        return lines
    }

    /// The bound of the clocks, and a text where the figure alone would mislead.
    static func clockText(_ series: SeriesSummary) -> String {
        switch series.clock {
        case .same: return "same"
        case .unknown: return "unknown: the values are not meaningful"
        case .measured(_, let bound):
            let word = "±\(figure(Double(bound)))"
            guard let median = series.samples.median, !series.means(Double(median)) else { return word }
            return word + ": the median is not meaningful"
        }
    }

    /// How many independent samples would say as much of the median; empty where that is not known.
    package static func effective(_ series: SeriesSummary) -> String {
        series.effectiveCount.map { $0.formatted(decimals: $0 < 10 ? 1 : 0) } ?? ""
    }

    /// The interval of the median as milliseconds, `lost` for an end among the lost samples; empty where there is none.
    package static func interval(_ series: SeriesSummary) -> String {
        func end(_ nanoseconds: Double) -> String { nanoseconds.isFinite ? figure(nanoseconds) : lost }
        return series.medianInterval.map { "\(end($0.low)) to \(end($0.high))" } ?? ""
    }

    /// A percentile as milliseconds; `lost` where it lies among the lost samples, empty where the run is too short.
    package static func text(_ percentile: Percentile, of quantiles: [SeriesSummary.Quantile]) -> String {
        guard let quantile = quantiles.first(where: { $0.percentile == percentile }) else { return "" }
        return quantile.nanoseconds.map { figure(Double($0)) } ?? lost
    }

    private static let lost = "lost"

    /// Nanoseconds as milliseconds, with digits that fit the magnitude; empty for `nil`.
    package static func figure(_ nanoseconds: Double?) -> String {
        guard let nanoseconds else { return "" }
        let value = nanoseconds / 1e6
        return value.formatted(decimals: abs(value) < 10 ? 3 : abs(value) < 100 ? 2 : 1)
    }
}
