internal import LatencyMeasurement
internal import LatencyOutput
internal import ReportKit
internal import Statistics
internal import UAVLink

/// A table of cells, from which a screen can leave out columns that do not fit.
package struct LatencyTableSection: Hashable, Sendable {
    /// A column of the table.
    package struct Column: Hashable, Sendable {
        package var title: String
        /// The group heading shared with neighbouring columns; empty for none.
        package var group: String
        /// The cells, one per link.
        package var cells: [String]
        /// The priority: when space is short, columns with the highest rank are left out first; 0 is never left out.
        package var rank: Int

        /// A column of the table.
        package init(_ title: String, _ cells: [String], rank: Int, group: String = "") {
            self.title = title
            self.group = group
            self.cells = cells
            self.rank = rank
        }
    }

    /// The measured kind: `steering`.
    package var title: String
    /// The measured interval and the unit.
    package var meaning: String
    /// The columns from the left.
    package var columns: [Column]
    /// Notes below the table: what could not be measured and why, ratios between links.
    package var notes: [String]
    /// What makes the figures doubtful.
    package var warnings: [String]

    package init(
        title: String, meaning: String, columns: [Column], notes: [String] = [], warnings: [String] = []
    ) {
        self.title = title
        self.meaning = meaning
        self.columns = columns
        self.notes = notes
        self.warnings = warnings
    }

    /// The tables of a condition, one per kind, and the links that failed.
    static func all(_ condition: LatencySummary.Condition) -> [LatencyTableSection] {
        var sections = SeriesKind.allCases.compactMap { kind in section(kind, condition) }
        let shared = takeShared(from: &sections)
        if !shared.isEmpty { sections.append(Self(title: "several tables", meaning: "", columns: [], notes: shared)) }
        let failures = SharedReasons.lines(
            condition.links.compactMap { link in link.run.failure.map { (link: link.name, reason: $0) } }
        ).map(\.sanitizedLine)
        if !failures.isEmpty {
            sections.append(Self(title: "left out", meaning: "", columns: [], notes: failures))
        }
        return sections
    }

    /// Takes the notes that stand below more than one table out of them, to be said once.
    private static func takeShared(from sections: inout [LatencyTableSection]) -> [String] {
        var counts: [String: Int] = [:]
        for note in sections.flatMap(\.notes) { counts[note, default: 0] += 1 }
        var shared: [String] = []
        for index in sections.indices {
            for note in sections[index].notes where counts[note, default: 0] > 1 && !shared.contains(note) {
                shared.append(note)
            }
            sections[index].notes.removeAll { counts[$0, default: 0] > 1 }
        }
        return shared
    }

    private static func section(_ kind: SeriesKind, _ condition: LatencySummary.Condition) -> Self? {
        let links = condition.links.compactMap { link in link[kind].map { (name: link.name, series: $0) } }
        guard !links.isEmpty else { return nil }
        func column(_ title: String, rank: Int, _ cell: (SeriesSummary) -> String) -> Column {
            Column(title, links.map { cell($0.series) }, rank: rank)
        }
        func figure(_ value: Double?) -> String { LatencyFigure.milliseconds(value) }
        var columns = [Column("link", links.map(\.name), rank: 0)]
        columns.append(column("count", rank: 3) { "\($0.count)" })
        columns.append(column("rounds", rank: 7) { "\($0.rounds)" })
        columns.append(column("n_eff", rank: 8, LatencyFigure.effective))
        columns.append(column("min", rank: 8) { figure($0.samples.minimum.map(Double.init)) })
        columns.append(column("mean", rank: 9) { figure($0.samples.mean) })
        for (percentile, rank) in zip(Percentile.usual, [0, 2, 0, 5, 7]) {
            columns.append(column("\(percentile)", rank: rank) { LatencyFigure.text(percentile, of: $0.quantiles) })
        }
        columns.append(column("max", rank: 4) { figure($0.samples.maximum.map(Double.init)) })
        columns.append(
            column("PDV p99", rank: 6) { figure($0.packetDelayVariation.reported(.p99).map(Double.init)) })
        columns.append(
            column("lost", rank: 1) { $0.missingShare.map { ($0 * 100).formatted(decimals: 1) + " %" } ?? "" })
        columns.append(column("Hz", rank: 1) { $0.achievedHertz.map { $0.formatted(decimals: 1) } ?? "" })
        if kind.isOneWay { columns.append(column("clock", rank: 3, clock)) }
        columns.removeAll { $0.cells.allSatisfy(\.isEmpty) }
        return Self(
            title: kind.rawValue, meaning: "ms, \(condition.meaning(of: kind))", columns: columns,
            notes: condition.originNotes(of: kind).map(\.sanitizedLine) + notes(kind, condition),
            warnings: [condition.groundWait(of: kind)].compactMap { $0?.sanitizedLine })
    }

    /// The error bound of the clock offset; marks latencies smaller than the bound as meaningless.
    private static func clock(_ series: SeriesSummary) -> String {
        guard let median = series.samples.median else { return "" }
        switch series.clock {
        case .same: return "same"
        case .unknown: return "unknown: not meaningful"
        case .measured(_, let bound):
            return "±\(LatencyFigure.milliseconds(Double(bound)))"
                + (series.means(Double(median)) ? "" : ": not meaningful")
        }
    }

    private static func notes(_ kind: SeriesKind, _ condition: LatencySummary.Condition) -> [String] {
        var lines: [String] = []
        for ratio in condition.ratios where ratio.kind == kind {
            lines.append(
                "\(ratio.link) takes \(ratio.ratio.formatted(decimals: 2)) times as long as \(ratio.reference) "
                    + "(\(ratio.intervalText))")
        }
        lines += condition.figureNotes(of: kind).map(\.sanitizedLine)
        return lines + condition.absences(of: kind).map(\.sanitizedLine)
    }
}
