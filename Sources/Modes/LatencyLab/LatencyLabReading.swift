internal import LatencyMeasurement

/// What a person does with what came out.
extension LatencyLabPresenter {
    func handleReading(_ intent: LatencyLabIntent) -> Bool {
        guard run == nil, var now = reading else { return false }
        let summary = now.shown.result.summary
        switch intent {
        case .page(let page): (now.page, now.scroll) = (page, 0)
        case .nextPage(let step): (now.page, now.scroll) = (Self.next(now.page, step, in: LatencyLabPage.allCases), 0)
        case .nextCondition(let step):
            let count = max(1, summary.conditions.count)
            now.condition = ((now.condition + step) % count + count) % count
            now.scroll = 0
            fill(&now)
        case .nextKind(let step):
            now.kind = Self.next(now.kind, step, in: now.kinds)
            now.comparison = LatencyTableSection.conditions(now.shown.result, now.kind)
        case .move(let step), .scroll(let step):
            now.scroll = min(max(now.scroll + step, 0), max(0, view?.longestScroll ?? 0))
        case .save:
            ask(.path)
            return true
        case .chooseAgain:
            reading = nil
            return true
        default: return false
        }
        reading = now
        return true
    }

    /// Shows what came out, from its first page on.
    func read(_ shown: LatencyShown) {
        var new = LatencyReading(shown)
        fill(&new)
        reading = new
    }

    /// What belongs to the condition that is looked at.
    private func fill(_ reading: inout LatencyReading) {
        let conditions = reading.shown.result.summary.conditions
        guard conditions.indices.contains(reading.condition) else { return }
        reading.table = LatencyTableSection.all(conditions[reading.condition])
        reading.kinds = kinds(of: reading)
        if !reading.kinds.contains(reading.kind), let first = reading.kinds.first { reading.kind = first }
        reading.comparison = LatencyTableSection.conditions(reading.shown.result, reading.kind)
    }

    /// The kinds that were measured under the condition.
    private func kinds(of reading: LatencyReading) -> [SeriesKind] {
        let conditions = reading.shown.result.summary.conditions
        guard conditions.indices.contains(reading.condition) else { return [] }
        return SeriesKind.allCases.filter { kind in
            conditions[reading.condition].links.contains { $0[kind].map { $0.count > 0 } ?? false }
        }
    }

    private static func next<Value: Equatable>(_ value: Value, _ step: Int, in values: [Value]) -> Value {
        guard !values.isEmpty else { return value }
        let at = values.firstIndex(of: value) ?? 0
        return values[((at + step) % values.count + values.count) % values.count]
    }
}
