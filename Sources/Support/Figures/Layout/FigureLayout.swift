internal import ReportKit

/// Lays out a chart on a page.
struct FigureLayout {
    private static let textSize = 13.0
    private static let titleSize = 16.0
    private static let legendRow = 20.0

    private let figure: Figure
    private var drawing: Drawing
    private var across: AxisScale
    private var up: AxisScale

    static func draw(_ figure: Figure) -> Drawing {
        var layout = FigureLayout(figure)
        layout.frame()
        layout.legend()
        for (index, series) in figure.series.enumerated() { layout.draw(series, index: index) }
        return layout.drawing
    }

    private init(_ figure: Figure) {
        self.figure = figure
        let rows = Self.legendRows(figure)
        let (left, right, top) = (76.0, 24.0, figure.title.isEmpty ? 20.0 : 44)
        let bottom = 58 + Double(rows.count) * Self.legendRow
        drawing = Drawing(
            width: Double(figure.width), height: Double(figure.height), plotOrigin: SIMD2(left, top),
            plotSize: SIMD2(max(40, Double(figure.width) - left - right), max(40, Double(figure.height) - top - bottom))
        )
        across = AxisScale(figure.x, values: figure.series.lazy.flatMap(Self.acrossValues))
        up = AxisScale(figure.y, values: figure.series.lazy.flatMap(Self.upValues))
        if figure.hasEqualAspect { equaliseAspect() }
    }

    private static func acrossValues(_ series: Series) -> [Double] {
        guard case .bars(let width) = series.style else { return series.points.map(\.x) }
        return series.points.flatMap { [$0.x - width / 2, $0.x + width / 2] }
    }

    private static func upValues(_ series: Series) -> [Double] {
        guard case .bars = series.style else { return series.points.map(\.y) }
        return series.points.map(\.y) + (series.bases.isEmpty ? [0] : series.bases)
    }

    /// Extends the axis with spare length, so that a unit has the same length on both.
    private mutating func equaliseAspect() {
        let perUnit = min(drawing.plotSize.x / (across.high - across.low), drawing.plotSize.y / (up.high - up.low))
        guard perUnit.isFinite, perUnit > 0 else { return }
        func widened(_ scale: AxisScale, _ length: Double) -> AxisScale {
            let (middle, half) = ((scale.low + scale.high) / 2, length / perUnit / 2)
            return AxisScale(scale: scale.scale, low: middle - half, high: middle + half)
        }
        across = widened(across, drawing.plotSize.x)
        up = widened(up, drawing.plotSize.y)
    }

    // MARK: Around the plot

    private mutating func frame() {
        let (origin, size) = (drawing.plotOrigin, drawing.plotSize)
        let (end, grid) = (origin + size, Drawing.Stroke(colour: .grey, width: 0.8))
        let text = Self.textSize
        for tick in figure.x.ticks ?? across.ticks(max(2, Int(saturating: size.x / 90))) {
            guard let share = across.share(tick.value), (-1e-9...1 + 1e-9).contains(share) else { continue }
            let x = origin.x + share * size.x
            drawing.around.append(.line([SIMD2(x, origin.y), SIMD2(x, end.y)], grid))
            drawing.around.append(
                .text(tick.label, at: SIMD2(x, end.y + 18), size: text, anchor: .middle, isUpward: false))
        }
        for tick in figure.y.ticks ?? up.ticks(max(2, Int(saturating: size.y / 60))) {
            guard let share = up.share(tick.value), (-1e-9...1 + 1e-9).contains(share) else { continue }
            let y = end.y - share * size.y
            drawing.around.append(.line([SIMD2(origin.x, y), SIMD2(end.x, y)], grid))
            drawing.around.append(
                .text(tick.label, at: SIMD2(origin.x - 6, y + 4.5), size: text, anchor: .end, isUpward: false))
        }
        let corners = [origin, SIMD2(end.x, origin.y), end, SIMD2(origin.x, end.y), origin]
        drawing.around.append(.line(corners, .init(colour: .black, width: 1)))
        let middle = origin + size / 2
        if !figure.title.isEmpty {
            drawing.around.append(
                .text(
                    figure.title, at: SIMD2(drawing.width / 2, 28), size: Self.titleSize, anchor: .middle,
                    isUpward: false)
            )
        }
        drawing.around.append(
            .text(figure.x.label, at: SIMD2(middle.x, end.y + 42), size: text, anchor: .middle, isUpward: false))
        drawing.around.append(
            .text(figure.y.label, at: SIMD2(18, middle.y), size: text, anchor: .middle, isUpward: true))
    }

    /// Assumes a character width of 0.6 of the size; the legend may be a little too wide, but is never cut off.
    private static func textWidth(_ text: String) -> Double { Double(text.count) * textSize * 0.6 }

    private static func legendRows(_ figure: Figure) -> [[Int]] {
        var rows: [[Int]] = []
        var used = Double.infinity
        for (index, series) in figure.series.enumerated() where !series.name.isEmpty {
            let width = 44 + textWidth(series.name)
            if used + width > Double(figure.width) - 100 {
                rows.append([])
                used = 0
            }
            rows[rows.count - 1].append(index)
            used += width
        }
        return rows
    }

    private mutating func legend() {
        var y = drawing.plotOrigin.y + drawing.plotSize.y + 62
        for row in Self.legendRows(figure) {
            var x = drawing.plotOrigin.x
            for index in row {
                let series = figure.series[index]
                sample(series, index: index, at: SIMD2(x, y - 4.5))
                drawing.around.append(
                    .text(series.name, at: SIMD2(x + 30, y), size: Self.textSize, anchor: .start, isUpward: false))
                x += 44 + Self.textWidth(series.name)
            }
            y += Self.legendRow
        }
    }

    private mutating func sample(_ series: Series, index: Int, at left: SIMD2<Double>) {
        let colour = Colour.of(series, index)
        switch series.style {
        case .line, .dashed, .steps:
            drawing.around.append(.line([left, left + SIMD2(24, 0)], stroke(series, index)))
        case .marks: drawing.around.append(.discs([left + SIMD2(12, 0)], radius: 3, fill: colour))
        case .bars:
            drawing.around.append(.rectangle(origin: left + SIMD2(6, -6), size: SIMD2(12, 12), fill: colour))
        }
    }

    // MARK: In the plot

    private func stroke(_ series: Series, _ index: Int) -> Drawing.Stroke {
        Drawing.Stroke(
            colour: Colour.of(series, index), width: 1.6,
            dashes: series.style == .dashed ? [6, 4] : [])
    }

    private func place(_ point: SIMD2<Double>) -> SIMD2<Double>? {
        guard let x = across.share(point.x), let y = up.share(point.y) else { return nil }
        // Clamped, so that the numbers in the file stay short; that far outside, the exact position does not matter.
        let share = SIMD2(min(max(x, -10), 11), 1 - min(max(y, -10), 11))
        return drawing.plotOrigin + share * drawing.plotSize
    }

    private mutating func draw(_ series: Series, index: Int) {
        let colour = Colour.of(series, index)
        switch series.style {
        case .line, .dashed, .steps: polyline(series, index)
        case .marks:
            var centres: [SIMD2<Double>] = []
            for point in series.points {
                guard let there = place(point), Self.isApart(there, centres.last, 0.5) else { continue }
                centres.append(there)
            }
            if !centres.isEmpty { drawing.inside.append(.discs(centres, radius: 3, fill: colour)) }
        case .bars(let width):
            for (number, point) in series.points.enumerated() {
                let base = number < series.bases.count ? series.bases[number] : 0
                guard let low = place(SIMD2(point.x - width / 2, base)),
                    let high = place(SIMD2(point.x + width / 2, point.y))
                else { continue }
                let origin = SIMD2(min(low.x, high.x), min(low.y, high.y))
                let size = SIMD2(abs(high.x - low.x), abs(high.y - low.y))
                drawing.inside.append(.rectangle(origin: origin, size: size, fill: colour))
            }
        }
    }

    private static func isApart(_ one: SIMD2<Double>, _ other: SIMD2<Double>?, _ distance: Double) -> Bool {
        guard let other else { return true }
        let way = one - other
        return (way * way).sum() >= distance * distance
    }

    /// Points within a tenth of a point of the previous one are left out, so that 100,000 samples make a small file.
    private mutating func polyline(_ series: Series, _ index: Int) {
        var line: [SIMD2<Double>] = []
        var skipped: SIMD2<Double>?
        func finish(_ line: inout [SIMD2<Double>], _ skipped: inout SIMD2<Double>?) -> [SIMD2<Double>] {
            if let last = skipped { line.append(last) }
            defer {
                line = []
                skipped = nil
            }
            return line
        }
        for point in series.points {
            guard let there = place(point) else {
                let done = finish(&line, &skipped)
                if done.count > 1 { drawing.inside.append(.line(done, stroke(series, index))) }
                continue
            }
            if series.style == .steps, let last = skipped ?? line.last, last.y != there.y {
                line.append(SIMD2(there.x, last.y))
            }
            if Self.isApart(there, line.last, 0.1) {
                line.append(there)
                skipped = nil
            } else {
                skipped = there
            }
        }
        let done = finish(&line, &skipped)
        if done.count > 1 { drawing.inside.append(.line(done, stroke(series, index))) }
    }
}
