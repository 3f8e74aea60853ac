internal import LatencyMeasurement
internal import ReportKit
internal import Statistics

/// The figures of one kind as an HTML table.
enum LatencyHTMLTable {
    static func table(_ kind: SeriesKind, _ condition: LatencySummary.Condition) -> String {
        var titles = ["link", "count", "rounds", "n_eff", "min", "mean", "p50", "95 % interval"]
        titles += Percentile.usual.dropFirst().map(\.description)
        titles += ["max", "PDV p99", "IPDV p99", "RFC 3550", "lost"]
        titles += ["lost up", "lost down", "duplicates", "reordered", "Hz"]
        if kind.isOneWay { titles.append("clock") }
        let rows = condition.links.map { link in link[kind].map { cells($0, kind) } }
        // A column without a value for any link is left out.
        let shown = titles.indices.filter { column in
            column == 0 || rows.contains { row in row.map { !["", unknown].contains($0[column - 1]) } ?? false }
        }
        var out = "<div class=\"wide\"><table class=\"figures\"><thead><tr>"
        out += shown.map { "<th>\(LatencyPage.escaped(titles[$0]))</th>" }.joined() + "</tr></thead><tbody>\n"
        for (link, row) in zip(condition.links, rows) {
            out += "<tr><th>\(LatencyPage.escaped(link.name))</th>"
            if let row {
                out += shown.dropFirst().map { "<td>\(LatencyPage.escaped(row[$0 - 1]))</td>" }.joined()
            } else {
                let reason: String
                if case .absent(let words) = link.run.measured(kind) { reason = words } else { reason = "" }
                out += "<td class=\"absent\" colspan=\"\(shown.count - 1)\">"
                out += LatencyPage.escaped(link.run.failure ?? reason) + "</td>"
            }
            out += "</tr>\n"
        }
        return out + "</tbody></table></div>\n" + ratios(kind, condition) + stages(kind, condition)
    }

    /// The stages of each link, of which there are percentiles; empty if there are none.
    private static func stages(_ kind: SeriesKind, _ condition: LatencySummary.Condition) -> String {
        let figure = LatencyFigure.milliseconds
        let rows = condition.links.flatMap { link in
            (link[kind]?.stages ?? []).filter { $0.p99Nanoseconds != nil }.map { share in
                [
                    link.name, condition.title(of: share.stage), figure(share.meanNanoseconds),
                    figure(share.medianNanoseconds.map(Double.init)), figure(share.p99Nanoseconds.map(Double.init)),
                    figure(share.slowestNanoseconds),
                ]
            }
        }
        guard !rows.isEmpty else { return "" }
        let titles = ["link", "stage", "mean", "p50", "p99", "slowest hundredth, mean"]
        var out = "<div class=\"wide\"><table class=\"figures\"><thead><tr>"
        out += titles.map { "<th>\($0)</th>" }.joined() + "</tr></thead><tbody>\n"
        for row in rows {
            out += "<tr>" + row.prefix(2).map { "<th>\(LatencyPage.escaped($0))</th>" }.joined()
            out += row.dropFirst(2).map { "<td>\($0)</td>" }.joined() + "</tr>\n"
        }
        return out + "</tbody></table></div>\n"
    }

    /// How the runs differ; empty for a single one.
    static func runs(_ runs: RunTable) -> String {
        guard !runs.rows.isEmpty else { return "" }
        return "<h3>Between runs</h3>\n<p>\(LatencyPage.escaped(runs.meaning))</p>\n" + plain(runs.titles, runs.cells)
    }

    /// A table of texts, the first cell of each row as its title.
    private static func plain(_ titles: [String], _ rows: [[String]]) -> String {
        var out = "<div class=\"wide\"><table class=\"figures\"><thead><tr>"
        out += titles.map { "<th>\(LatencyPage.escaped($0))</th>" }.joined() + "</tr></thead><tbody>\n"
        for row in rows {
            out += "<tr><th>\(LatencyPage.escaped(row.first ?? ""))</th>"
            out += row.dropFirst().map { "<td>\(LatencyPage.escaped($0))</td>" }.joined() + "</tr>\n"
        }
        return out + "</tbody></table></div>\n"
    }

    /// What the links cost; empty if that was not measured.
    static func cost(_ condition: LatencySummary.Condition) -> String {
        let cost = CostTable(condition)
        guard !cost.rows.isEmpty else { return "" }
        var out = "<h3>Cost</h3>\n<p>\(LatencyPage.escaped(CostTable.meaning))</p>\n"
        out += plain(CostTable.titles, cost.rows) + "<ul>\n"
        out += cost.notes.map { "<li>\(LatencyPage.escaped($0))</li>\n" }.joined()
        return out + "</ul>\n"
    }

    /// Shown where the link cannot tell.
    static let unknown = "?"

    private static func cells(_ series: SeriesSummary, _ kind: SeriesKind) -> [String] {
        let figure = LatencyFigure.milliseconds
        func count(_ number: Int?) -> String { number.map { String($0) } ?? unknown }
        var cells = [
            "\(series.count)", "\(series.rounds)", LatencyFigure.effective(series),
            figure(series.samples.minimum.map(Double.init)), figure(series.samples.mean),
            LatencyFigure.text(.p50, of: series.quantiles), LatencyFigure.interval(series),
        ]
        cells += Percentile.usual.dropFirst().map { LatencyFigure.text($0, of: series.quantiles) }
        cells += [
            figure(series.samples.maximum.map(Double.init)),
            figure(series.packetDelayVariation.reported(.p99).map(Double.init)),
            figure(series.delayVariation.reported(.p99).map(Double.init)), figure(series.rfc3550Jitter),
            series.missingShare.map { ($0 * 100).formatted(decimals: 1) + " %" }
                ?? (series.hasArrivalsOnly ? unknown : ""), count(series.traffic.lostUp),
            count(series.traffic.lostDown), count(series.traffic.duplicates), count(series.traffic.reordered),
            series.achievedHertz.map { hertz in
                let achieved = hertz.formatted(decimals: 1)
                return series.intendedHertz.map { "\(achieved) of \($0.formatted(decimals: 0))" } ?? achieved
            } ?? "",
        ]
        if kind.isOneWay { cells.append(LatencyTable.clockText(series)) }
        return cells
    }

    private static func ratios(_ kind: SeriesKind, _ condition: LatencySummary.Condition) -> String {
        let lines =
            condition.ratios.filter { $0.kind == kind }.map { ratio in
                "<li>\(LatencyPage.escaped(ratio.link)) takes \(ratio.ratio.formatted(decimals: 2)) times as long as "
                    + "\(LatencyPage.escaped(ratio.reference)) by the median "
                    + "(95 %: \(LatencyPage.escaped(ratio.intervalText)))</li>\n"
            }
            + (condition.figureNotes(of: kind) + [condition.groundWait(of: kind)].compactMap(\.self)).map {
                "<li>\(LatencyPage.escaped($0))</li>\n"
            }
        return lines.isEmpty ? "" : "<ul>\n\(lines.joined())</ul>\n"
    }
}
