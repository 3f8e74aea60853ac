internal import LatencyMeasurement
internal import ReportKit

/// How the runs of a report differ: the medians and p99 of each, and their standard deviation between runs.
struct RunTable {
    /// The figures of one kind on one link.
    struct Row {
        var link: String
        var kind: SeriesKind
        /// In the order of the runs; `nil` for a run without the figure.
        var medians: [Int64?]
        var p99s: [Int64?]
    }

    let rows: [Row]
    private let runs: [LatencyReport.Run]

    /// - Parameter condition: its number, from 0.
    init(_ report: LatencyReport, condition: Int) {
        let runs = report.runs
        self.runs = runs
        guard runs.count > 1, report.conditions.indices.contains(condition) else {
            rows = []
            return
        }
        rows = SeriesKind.allCases.flatMap { kind in
            report.conditions[condition].links.compactMap { link in
                let place = LatencyReport.Run.Place(condition: condition, link: link.link, kind: kind)
                let medians = runs.map { $0.medians[place] }
                guard medians.contains(where: { $0 != nil }) else { return nil }
                return Row(link: link.link, kind: kind, medians: medians, p99s: runs.map { $0.p99s[place] })
            }
        }
    }

    var titles: [String] { ["link", "of", "p50 of each run", "sd of p50", "p99 of each run", "sd of p99"] }

    var cells: [[String]] {
        rows.map { row in
            [
                row.link, row.kind.rawValue, Self.list(row.medians),
                LatencyFigure.milliseconds(Self.deviation(row.medians)),
                Self.list(row.p99s), LatencyFigure.milliseconds(Self.deviation(row.p99s)),
            ]
        }
    }

    /// `between 3 runs (ms), seeds 1, 2, 3`.
    var meaning: String {
        "\(runs.count) runs (ms), seeds \(runs.map { String($0.seed) }.joined(separator: ", ")); sd: the standard "
            + "deviation between runs"
    }

    /// `nil` for fewer than two runs.
    var table: TextTable? {
        guard !rows.isEmpty else { return nil }
        var table = TextTable(titles.map { .init($0) })
        table.rows = cells
        return table
    }

    private static func list(_ values: [Int64?]) -> String {
        guard values.contains(where: { $0 != nil }) else { return "" }
        return values.map { $0.map { LatencyFigure.milliseconds(Double($0)) } ?? "-" }.joined(separator: " ")
    }

    /// The standard deviation of a sample (n - 1), nanoseconds; `nil` for fewer than two runs with the figure.
    static func deviation(_ values: [Int64?]) -> Double? {
        let known = values.compactMap(\.self).map(Double.init)
        guard known.count > 1 else { return nil }
        let mean = known.reduce(0, +) / Double(known.count)
        let squares = known.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(known.count - 1)).squareRoot()
    }

    /// One object for each kind on each link.
    var json: JSONValue {
        func milliseconds(_ nanoseconds: Double?) -> JSONValue { JSONValue(nanoseconds.map { $0 / 1e6 }) }
        func all(_ values: [Int64?]) -> JSONValue { .array(values.map { milliseconds($0.map(Double.init)) }) }
        return .array(
            rows.map { row in
                [
                    "link": .string(row.link), "of": .string(row.kind.rawValue), "p50_ms": all(row.medians),
                    "p50_standard_deviation_ms": milliseconds(Self.deviation(row.medians)), "p99_ms": all(row.p99s),
                    "p99_standard_deviation_ms": milliseconds(Self.deviation(row.p99s)),
                ]
            })
    }

    static func json(of runs: [LatencyReport.Run]) -> JSONValue {
        .array(runs.map { ["seed": JSONValue($0.seed), "began_s": .number($0.beganSeconds)] })
    }
}
