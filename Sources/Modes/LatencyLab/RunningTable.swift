internal import LatencyMeasurement
internal import ReportKit
internal import Statistics

extension LatencyTableSection {
    /// The preliminary figures of a running measurement: one line per link, the kinds side by side.
    static func running(_ title: String, _ figures: [RunningFigures]) -> LatencyTableSection {
        var links: [String] = []
        for figure in figures where !links.contains(figure.link) { links.append(figure.link) }
        var columns = [Column("link", links, rank: 0)]
        for kind in SeriesKind.allCases where figures.contains(where: { $0.kind == kind }) {
            let ofKind = figures.filter { $0.kind == kind }
            func column(_ title: String, rank: Int, _ cell: (RunningFigures) -> String) -> Column {
                let cells = links.map { link in ofKind.first { $0.link == link }.map(cell) ?? "" }
                return Column(title, cells, rank: rank, group: kind.rawValue)
            }
            // Columns of telemetry and motion are left out first.
            let weight = kind == .command || kind == .steering ? 0 : 6
            for (percentile, rank) in [(Percentile.p50, 0), (.p90, 5), (.p99, 1)] {
                columns.append(
                    column("\(percentile)", rank: rank + weight) {
                        $0.text(at: percentile)
                    })
            }
            if kind != .command {
                columns.append(column("Hz", rank: 2 + weight) { $0.hertz.map { $0.formatted(decimals: 1) } ?? "" })
            }
            columns.append(
                column("lost", rank: 3 + weight) { $0.lostShare.map { ($0 * 100).formatted(decimals: 1) + " %" } ?? "" }
            )
        }
        return Self(title: title, meaning: "ms", columns: columns)
    }
}
