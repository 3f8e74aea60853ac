internal import TextScreen

extension TelemetryCourse {
    /// The whole course as so many bars, the newest at the right; blank where nothing was known.
    ///
    /// The scale covers at least ``leastSpan`` around what was seen, so that noise is not blown up to a mountain range.
    func bars(cells: Int) -> String {
        guard cells > 0 else { return "" }
        // Many values to a bar: the mean is shown. Few values: as many bars as there are values.
        let count = min(cells, values.count)
        let means = (0..<count).map { bar -> Double in
            let here = values[bar * values.count / count..<(bar + 1) * values.count / count].compactMap(\.self)
            return here.isEmpty ? .nan : here.reduce(0, +) / Double(here.count)
        }
        let known = means.filter(\.isFinite)
        guard let least = known.min(), let most = known.max() else { return String(repeating: " ", count: cells) }
        let margin = max(0, leastSpan - (most - least)) / 2
        return Sparkline.text(means, width: cells, range: least - margin...most + margin)
    }
}
