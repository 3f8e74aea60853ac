package import ReportKit
internal import Statistics

/// What one part of the benchmark has to say.
package struct Section: Sendable {
    /// What one contender did.
    package struct Row: Sendable {
        package var key: String
        package var name: String
        package var series: RunSeries
        /// Whether each operation starts a process.
        package var startsProcess = false
        /// The start of that process by itself, measured in the same runs.
        package var start: RunSeries?

        package init(
            _ key: String, _ name: String, _ series: RunSeries, startsProcess: Bool = false, start: RunSeries? = nil
        ) {
            (self.key, self.name, self.series) = (key, name, series)
            (self.startsProcess, self.start) = (startsProcess, start)
        }
    }

    package var key: String
    package var title: String
    /// The pace, and whatever else one must know to read the numbers.
    package var notes: [String] = []
    package var rows: [Row] = []
    package var figures: [Figure] = []
    /// What an operation takes besides time.
    package var counts: [OperationCounts] = []
    /// Why it could not be measured.
    package var failure: String?

    package init(key: String, title: String) { (self.key, self.title) = (key, title) }

    package func series(_ key: String) -> RunSeries { rows.first { $0.key == key }?.series ?? RunSeries([]) }

    // MARK: Text

    package var text: String {
        var out = "\n\(title)\n"
        for note in notes { out += "  \(note)\n" }
        if !rows.isEmpty {
            out += "\n" + Self.indented(table)
            for row in rows where row.startsProcess { out += "  \(Self.startText(row))\n" }
        }
        if !counts.isEmpty {
            var table = TextTable(OperationCounts.titles)
            table.rows = counts.map(\.cells)
            out += "\n" + Self.indented(table)
        }
        if !figures.isEmpty { out += "\n" + figures.map { "  \($0.text)\n" }.joined() }
        if let failure { out += "  NOT MEASURED: \(failure)\n" }
        return out
    }

    private static func indented(_ table: TextTable) -> String {
        table.text.split(separator: "\n").map { "  \($0)\n" }.joined()
    }

    private var table: TextTable {
        let isPaced = rows.contains(where: \.series.isPaced)
        let percentiles = [Percentile.p90, .p99, .p999]
        var table = TextTable(
            [.init(""), .init("count", .right), .init("median", .right), .init("between runs", .right)]
                + percentiles.map { .init($0.description, .right) } + [.init("max", .right)]
                + (isPaced
                    ? [.init("from call", .right), .init("late: median", .right), .init("p99", .right)] : []))
        for row in rows {
            let all = row.series.all()
            let ends = row.series.estimate(.p50, per: 1)
            var cells = [row.name, "\(all.count)", Self.time(ends), Self.between(ends)]
            cells += percentiles.map { Self.time(all.reported($0)) } + [Self.time(all.maximum)]
            if isPaced {
                let late = row.series.lateness
                cells += row.series.isPaced ? [Self.time(row.series.estimate(.p50, per: 1, from: .call))] : ["-"]
                cells += [Self.time(late.median), Self.time(late.reported(.p99))]
            }
            table.rows.append(cells)
        }
        return table
    }

    private static func startText(_ row: Row) -> String {
        guard let start = row.start else { return "\(row.name): each starts a process, which is in the figure" }
        // Run by run: the medians of different runs are not subtracted.
        let rest = row.series.compared(with: start, at: .p50, -)
        let alone = start.estimate(.p50, per: 1)
        return
            "\(row.name): each starts a process; the start alone \(time(alone)) (\(between(alone))), "
            + "the rest \(time(rest)) (\(between(rest))), run by run (medians)"
    }

    /// The ends of the medians of the runs.
    private static func between(_ estimate: Estimate) -> String {
        guard let ends = estimate.ends else { return "one run" }
        let mark = if case .interval = estimate.spread { "" } else { "spread " }
        return mark + time(Int64(saturating: ends.low)) + " to " + time(Int64(saturating: ends.high))
    }

    /// The median over runs.
    private static func time(_ estimate: Estimate) -> String {
        time(estimate.value.isNaN ? nil : Int64(saturating: estimate.value))
    }

    /// Milliseconds from a tenth of one on, microseconds below.
    private static func time(_ nanoseconds: Int64?) -> String {
        guard let nanoseconds else { return "-" }
        let value = Double(nanoseconds)
        return value >= 1e8
            ? (value / 1e6).formatted(decimals: 0) + " ms"
            : value >= 1e6
                ? (value / 1e6).formatted(decimals: 2) + " ms"
                : (value / 1e3).formatted(decimals: 1) + " us"
    }

    // MARK: JSON

    package var json: JSONValue {
        .object([
            .init("name", .string(key)), .init("notes", .array(notes.map { .string($0) })),
            .init("failure", JSONValue(failure)), .init("latencies", .array(rows.map(Self.json))),
            .init("counts", .array(counts.map(\.json))), .init("figures", .array(figures.map(\.json))),
        ])
    }

    /// A row; percentiles for which there were too few are null.
    private static func json(_ row: Row) -> JSONValue {
        let all = row.series.all()
        var members: [JSONValue.Member] = [
            .init("name", .string(row.key)), .init("count", JSONValue(all.count)),
            .init("runs", JSONValue(row.series.runs.count)),
        ]
        members += percentiles(all)
        members.append(.init("median_between_runs_ms", .object(row.series.estimate(.p50, per: 1e6).json)))
        if row.series.isPaced {
            members += [
                .init("from_call_p50_ms", milliseconds(row.series.all(from: .call).median)),
                .init("lateness", .object(percentiles(row.series.lateness))),
                .init("lateness_p50_ms_by_run", .array(row.series.latenessByRun.map { .number($0 / 1e6) })),
            ]
        }
        members.append(.init("starts_process", .bool(row.startsProcess)))
        if let start = row.start {
            members.append(.init("process_start", .object(percentiles(start.all()))))
            members.append(.init("process_start_between_runs_ms", .object(start.estimate(.p50, per: 1e6).json)))
            let rest = row.series.compared(with: start, at: .p50) { ($0 - $1) / 1e6 }
            members.append(.init("rest_between_runs_ms", .object(rest.json)))
        }
        return .object(members)
    }

    private static func percentiles(_ samples: Samples) -> [JSONValue.Member] {
        [
            .init("p50_ms", milliseconds(samples.median)), .init("p90_ms", milliseconds(samples.reported(.p90))),
            .init("p99_ms", milliseconds(samples.reported(.p99))),
            .init("p99_9_ms", milliseconds(samples.reported(.p999))), .init("max_ms", milliseconds(samples.maximum)),
        ]
    }

    private static func milliseconds(_ nanoseconds: Int64?) -> JSONValue {
        JSONValue(nanoseconds.map { Double($0) / 1e6 })
    }
}
