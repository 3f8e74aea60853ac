import ReportKit

/// One promise and its outcome.
struct Figure: Sendable {
    enum Limit: Sendable {
        case atMost(Double)
        case atLeast(Double)
    }

    var name: String
    var value: Double
    var unit: String
    var limit: Limit
    /// Whether the run was long enough for it to count.
    var isMeaningful = true

    var holds: Bool {
        switch limit {
        case .atMost(let bound): value.isFinite && value <= bound
        case .atLeast(let bound): value.isFinite && value >= bound
        }
    }

    var limitText: String {
        switch limit {
        case .atMost(let bound): "at most \(Self.short(bound)) \(unit)"
        case .atLeast(let bound): "at least \(Self.short(bound)) \(unit)"
        }
    }

    static func short(_ number: Double) -> String {
        let size = abs(number)
        return number.formatted(
            decimals: number.rounded() == number ? 0 : size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4)
    }
}

/// What one part of the benchmark has to say.
struct Section: Sendable {
    var key: String
    var title: String
    /// The pace, and whatever else one must know to read the numbers.
    var notes: [String] = []
    var rows: [(key: String, name: String, latencies: Latencies)] = []
    var figures: [Figure] = []
    /// Why it could not be measured.
    var failure: String?

    mutating func add(_ key: String, _ name: String, _ latencies: Latencies) { rows.append((key, name, latencies)) }

    var text: String {
        var out = "\n\(title)\n"
        for note in notes { out += "  \(note)\n" }
        if !rows.isEmpty {
            var table = TextTable([
                .init(""), .init("count", .right), .init("median", .right), .init("p90", .right), .init("p99", .right),
                .init("p99.9", .right), .init("max", .right),
            ])
            for row in rows {
                let all = row.latencies
                let shown = [50, 90, 99, 99.9].map { time(all.percentile($0)) } + [time(all.largest)]
                table.rows.append([row.name, "\(all.count)"] + shown)
            }
            out += "\n" + table.text.split(separator: "\n").map { "  \($0)\n" }.joined()
        }
        if !figures.isEmpty {
            out += "\n"
            for figure in figures {
                let verdict = !figure.isMeaningful ? "(too short a run)" : figure.holds ? "holds" : "MISSED"
                let value = "\(Figure.short(figure.value)) \(figure.unit)"
                out += "  \(figure.name): \(value); \(figure.limitText): \(verdict)\n"
            }
        }
        if let failure { out += "  NOT MEASURED: \(failure)\n" }
        return out
    }

    /// Milliseconds from a tenth of one on, microseconds below.
    private func time(_ nanoseconds: Double) -> String {
        nanoseconds >= 1e8
            ? (nanoseconds / 1e6).formatted(decimals: 0) + " ms"
            : nanoseconds >= 1e6
                ? (nanoseconds / 1e6).formatted(decimals: 2) + " ms"
                : (nanoseconds / 1e3).formatted(decimals: 1) + " us"
    }

    var json: JSONValue {
        .object([
            .init("name", .string(key)), .init("notes", .array(notes.map { .string($0) })),
            .init("failure", JSONValue(failure)),
            .init(
                "latencies",
                .array(
                    rows.map { row in
                        let all = row.latencies
                        return .object(
                            [
                                .init("name", .string(row.key)), .init("count", JSONValue(all.count)),
                                .init("p50_ms", .number(all.median / 1e6)),
                            ]
                                + [("p90_ms", 90), ("p99_ms", 99), ("p99_9_ms", 99.9), ("max_ms", 100)].map {
                                    .init($0.0, .number(all.percentile($0.1) / 1e6))
                                })
                    })),
            .init(
                "figures",
                .array(
                    figures.map { figure in
                        var members: [JSONValue.Member] = [
                            .init("name", .string(figure.name)), .init("value", .number(figure.value)),
                            .init("unit", .string(figure.unit)), .init("holds", .bool(figure.holds)),
                            .init("meaningful", .bool(figure.isMeaningful)),
                        ]
                        switch figure.limit {
                        case .atMost(let bound): members.append(.init("at_most", .number(bound)))
                        case .atLeast(let bound): members.append(.init("at_least", .number(bound)))
                        }
                        return .object(members)
                    })),
        ])
    }
}
