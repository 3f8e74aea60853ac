package import LatencyMeasurement
internal import ReportKit
internal import Statistics
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
        var text = summary.firstAnswer.map { $0 + "\n\n" } ?? ""
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
        if condition.emulation != .none { text += condition.emulation.text + "\n" }
        for kind in SeriesKind.allCases where condition.links.contains(where: { $0[kind] != nil }) {
            text += "\n\(kind.rawValue) (ms): \(condition.meaning(of: kind))\n" + table(kind, condition).text
            text += notes(kind, condition).map { "  \($0.sanitizedLine)\n" }.joined()
        }
        let runs = RunTable(summary.report, condition: index)
        if let table = runs.table { text += "\nbetween \(runs.meaning)\n" + table.text }
        let cost = CostTable(condition)
        if let table = cost.table { text += "\ncost: \(CostTable.meaning)\n" + table.text }
        text += cost.notes.map { "  \($0.sanitizedLine)\n" }.joined()
        let judged = verdicts.indices.contains(index) ? verdicts[index].links.map(\.name) : []
        // The verdict says why a link failed.
        for link in condition.links where !judged.contains(link.name) {
            if let failure = link.run.failure { text += "\(link.name): \(failure.sanitizedLine)\n" }
        }
        if verdicts.indices.contains(index) {
            let verdict = verdicts[index]
            text += "\nCan I fly this? \(verdict.answer.sanitizedLine)\n"
            for said in verdict.sharedSentences { text += "  \(said.text.sanitizedLine)\n" }
            for way in verdict.sharedTravel { text += "  \(way.sanitizedLine)\n" }
            if let wait = verdict.sharedWait { text += "  \(wait.sanitizedLine)\n" }
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
            var row = [name, "\(series.count)", "\(series.rounds)", LatencyFigure.effective(series)]
            row.append(LatencyFigure.milliseconds(series.samples.minimum.map(Double.init)))
            row.append(LatencyFigure.milliseconds(series.samples.mean))
            row.append(LatencyFigure.text(.p50, of: series.quantiles))
            row.append(LatencyFigure.interval(series))
            row += shown.map { LatencyFigure.text($0, of: series.quantiles) }
            row.append(LatencyFigure.milliseconds(series.samples.maximum.map(Double.init)))
            row.append(LatencyFigure.milliseconds(series.packetDelayVariation.reported(.p99).map(Double.init)))
            let missing = series.missingShare.map { ($0 * 100).formatted(decimals: 1) + " %" }
            row.append(missing ?? (series.hasArrivalsOnly ? LatencyHTMLTable.unknown : ""))
            if links.contains(where: { $0.1.achievedHertz != nil }) {
                row.append(series.achievedHertz.map { $0.formatted(decimals: 1) } ?? "")
            }
            if kind.isOneWay { row.append(Self.clockText(series)) }
            table.rows.append(row)
        }
        return table
    }

    private func notes(_ kind: SeriesKind, _ condition: LatencySummary.Condition) -> [String] {
        var lines = condition.originNotes(of: kind) + condition.absences(of: kind)
        for ratio in condition.ratios where ratio.kind == kind {
            lines.append(
                "\(ratio.link) takes \(ratio.ratio.formatted(decimals: 2)) times as long as \(ratio.reference) "
                    + "(\(ratio.intervalText))")
        }
        lines += condition.figureNotes(of: kind)
        if let wait = condition.groundWait(of: kind) { lines.append(wait) }
        for link in condition.links {
            guard let series = link[kind], !series.stages.isEmpty else { continue }
            let stages = series.stages.map {
                "\(condition.title(of: $0.stage)) \(LatencyFigure.milliseconds($0.meanNanoseconds))"
            }
            lines.append("\(link.name), mean by stage: \(stages.joined(separator: ", "))")
            lines += Self.tails(of: series, link.name, condition)
        }
        return lines
    }

    /// p50 and p99 of each stage, and what the slowest hundredth spent; nothing for a run that is too short.
    private static func tails(
        of series: SeriesSummary, _ name: String, _ condition: LatencySummary.Condition
    ) -> [String] {
        let tails = series.stages.compactMap { share -> (ends: String, slowest: String)? in
            guard let median = share.medianNanoseconds, let p99 = share.p99Nanoseconds,
                let slowest = share.slowestNanoseconds
            else { return nil }
            let title = condition.title(of: share.stage)
            return (
                "\(title) \(LatencyFigure.milliseconds(Double(median)))/\(LatencyFigure.milliseconds(Double(p99)))",
                "\(title) \(LatencyFigure.milliseconds(slowest))"
            )
        }
        guard !tails.isEmpty else { return [] }
        return [
            "\(name), p50/p99 of each stage: \(tails.map(\.ends).joined(separator: ", "))",
            "\(name), mean of the slowest hundredth by stage: \(tails.map(\.slowest).joined(separator: ", "))",
        ]
    }

    /// The bound of the clocks, and a text where the figure alone would mislead.
    static func clockText(_ series: SeriesSummary) -> String {
        switch series.clock {
        case .same: return "same"
        case .unknown: return "unknown: the values are not meaningful"
        case .measured(_, let bound):
            let word = "±\(LatencyFigure.milliseconds(Double(bound)))"
            guard let median = series.samples.median, !series.means(Double(median)) else { return word }
            return word + ": the median is not meaningful"
        }
    }
}
