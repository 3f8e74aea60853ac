internal import LatencyOutput
internal import LatencyMeasurement

/// Intents of the results phase.
extension LatencyLabPresenter {
    func handleResults(_ intent: LatencyLabIntent) -> Bool {
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
            now.scroll = min(max(now.scroll + step, 0), LatencyResultsDrawing.maximumScroll(now, in: area))
        case .save:
            ask(.path)
            return true
        case .newMeasurement:
            reading = nil
            return true
        default: return false
        }
        reading = now
        return true
    }

    /// Shows a result, beginning with its first page.
    func read(_ shown: LatencyLabResult) {
        var new = LatencyResultsState(shown)
        fill(&new)
        reading = new
    }

    /// Updates the parts that depend on the selected condition.
    private func fill(_ reading: inout LatencyResultsState) {
        let conditions = reading.shown.result.summary.conditions
        guard conditions.indices.contains(reading.condition) else { return }
        reading.table = LatencyTableSection.all(conditions[reading.condition])
        reading.kinds = kinds(of: reading)
        if !reading.kinds.contains(reading.kind), let first = reading.kinds.first { reading.kind = first }
        reading.comparison = LatencyTableSection.conditions(reading.shown.result, reading.kind)
    }

    /// The kinds with samples under the selected condition.
    private func kinds(of reading: LatencyResultsState) -> [SeriesKind] {
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
