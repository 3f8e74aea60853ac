internal import LatencyMeasurement
internal import LatencyOutput
internal import Statistics
internal import UAVLink

extension LatencyTableSection {
    /// A comparison of all conditions: the figures of one kind, and the fitness of each link. The conditions are numbered; their
    /// names are listed below.
    static func conditions(_ result: LatencyResult, _ kind: SeriesKind) -> [LatencyTableSection] {
        let conditions = result.summary.conditions
        var links: [String] = []
        for condition in conditions {
            for link in condition.links where !links.contains(link.name) { links.append(link.name) }
        }
        guard !links.isEmpty else { return [] }
        let names = conditions.enumerated().map { "\($0 + 1) \($1.impairment.sanitizedLine)" }
        return [figures(conditions, links, kind), fitness(result.verdicts, links, notes: names)]
    }

    private static func figures(
        _ conditions: [LatencySummary.Condition], _ links: [String], _ kind: SeriesKind
    ) -> LatencyTableSection {
        var columns = [Column("link", links, rank: 0)]
        for (index, condition) in conditions.enumerated() {
            func column(_ title: String, rank: Int, _ cell: (SeriesSummary) -> String) -> Column {
                let cells = links.map { name in
                    condition.links.first { $0.name == name }?[kind].map(cell) ?? ""
                }
                return Column(title, cells, rank: rank, group: "\(index + 1)")
            }
            columns.append(column("p50", rank: 0) { LatencyFigure.text(.p50, of: $0.quantiles) })
            columns.append(column("p99", rank: 2) { LatencyFigure.text(.p99, of: $0.quantiles) })
            columns.append(column("max", rank: 1) { LatencyFigure.milliseconds($0.samples.maximum.map(Double.init)) })
        }
        let meaning = conditions.first?.meaning(of: kind) ?? kind.meaning
        return Self(title: kind.rawValue, meaning: "ms, \(meaning)", columns: columns)
    }

    private static func fitness(
        _ verdicts: [FlightVerdict], _ links: [String], notes: [String]
    ) -> LatencyTableSection {
        var columns = [Column("link", links, rank: 0)]
        for (index, verdict) in verdicts.enumerated() {
            let cells = links.map { name in verdict.links.first { $0.name == name }.map { word($0.fitness) } ?? "" }
            columns.append(Column("\(index + 1)", cells, rank: 0))
        }
        return Self(title: "good for", meaning: "per condition", columns: columns, notes: notes)
    }

    private static func word(_ fitness: FlightVerdict.Fitness) -> String {
        switch fitness {
        case .sticks: "sticks"
        case .slowSticks: "slow sticks"
        case .commands: "commands"
        case .nothing: "nothing"
        case .unknown: "not enough data"
        }
    }
}
