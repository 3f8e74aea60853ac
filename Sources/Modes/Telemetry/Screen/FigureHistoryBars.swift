internal import TextScreen

extension SparklineHistory {
    /// The whole history as a number of bars, the newest at the right; blank where unknown.
    ///
    /// The scale covers at least ``minimumSpan`` around the values, so that noise is not magnified.
    func bars(cells: Int) -> String {
        guard cells > 0 else { return "" }
        // With many values per bar, the mean is shown; with few values, there are as many bars as values.
        let count = min(cells, values.count)
        let means = (0..<count).map { bar -> Double in
            let here = values[bar * values.count / count..<(bar + 1) * values.count / count].compactMap(\.self)
            return here.isEmpty ? .nan : here.reduce(0, +) / Double(here.count)
        }
        let known = means.filter(\.isFinite)
        guard let least = known.min(), let most = known.max() else { return String(repeating: " ", count: cells) }
        let margin = max(0, minimumSpan - (most - least)) / 2
        return Sparkline.text(means, width: cells, range: least - margin...most + margin)
    }
}
