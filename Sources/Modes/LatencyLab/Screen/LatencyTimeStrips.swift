internal import LatencyOutput
internal import LatencyMeasurement
internal import LatencyStatistics
internal import ReportKit
internal import TextScreen

/// The latencies over time: one strip per link with its own scale, with losses marked below.
enum LatencyTimeStrips {
    /// The data of a strip: minimum and maximum of each dot column, and the character columns with losses.
    fileprivate struct Strip {
        var name: String
        var ranges: [ClosedRange<Double>?]
        var isLost: [Bool]
        var axis: LogAxis
        var lostCount: Int
    }

    /// The strips of a condition, kept so that hundreds of thousands of samples are evaluated only once.
    struct Strips {
        fileprivate var key: [Int]
        fileprivate var kind: SeriesKind
        fileprivate var strips: [Strip]
        fileprivate var seconds: Double
    }

    private static let label = 16

    /// The strips for an area: `known`, if they are these; `nil` if the area is too small.
    static func strips(
        _ reading: LatencyResultsState, _ condition: LatencySummary.Condition, _ known: Strips?, in area: ScreenArea
    ) -> Strips? {
        guard isLargeEnough(area) else { return nil }
        let columns = area.columns - label
        let key = [reading.shown.id, reading.condition, columns]
        if let known, known.key == key, known.kind == reading.kind { return known }
        let series = series(reading, condition)
        let last = series.flatMap { $0.1.samples.last.map { [$0.intendedNanoseconds] } ?? [] }.max() ?? 0
        return Strips(
            key: key, kind: reading.kind, strips: series.compactMap { strip($0.0, $0.1, last, columns: columns) },
            seconds: Double(last) / 1e9)
    }

    /// The strips of the state's page in the screen's area; `nil` for another page.
    static func strips(_ state: LatencyLabScreenState, _ known: Strips?, screen area: ScreenArea) -> Strips? {
        guard state.phase == .reading, let reading = state.results, reading.page == .time else { return nil }
        let conditions = reading.shown.result.summary.conditions
        guard conditions.indices.contains(reading.condition) else { return nil }
        return strips(
            reading, conditions[reading.condition], known, in: LatencyResultsDrawing.page(in: area))
    }

    /// The number of strips that do not fit.
    static func maximumScroll(
        _ reading: LatencyResultsState, _ condition: LatencySummary.Condition, in area: ScreenArea
    ) -> Int {
        guard isLargeEnough(area) else { return 0 }
        let count = series(reading, condition).count { $0.1.samples.contains { ($0.nanoseconds ?? 0) > 0 } }
        return count - available(count, in: area)
    }

    private static func isLargeEnough(_ area: ScreenArea) -> Bool { area.columns - label >= 8 && area.rows >= 3 }

    /// How many strips fit; the last line is the time axis.
    private static func available(_ count: Int, in area: ScreenArea) -> Int { min(count, (area.rows - 1) / 2) }

    private static func series(
        _ reading: LatencyResultsState, _ condition: LatencySummary.Condition
    ) -> [(String, LatencySeries)] {
        condition.links.compactMap { link in link.run.measured(reading.kind).series.map { (link.name, $0) } }
    }

    /// Draws the strips; `known` are computed again if they are others.
    static func draw(
        _ reading: LatencyResultsState, _ condition: LatencySummary.Condition, _ known: Strips?,
        on canvas: inout Canvas, in area: ScreenArea
    ) {
        guard let cache = strips(reading, condition, known, in: area) else { return }
        guard !cache.strips.isEmpty else {
            canvas.write("no samples of this kind", row: 0, in: area, .muted)
            return
        }
        let available = available(cache.strips.count, in: area)
        let first = min(max(0, reading.scroll), cache.strips.count - available)
        let rows = (area.rows - 1) / available
        for (index, strip) in cache.strips.dropFirst(first).prefix(available).enumerated() {
            draw(strip, on: &canvas, in: area.inset(top: index * rows, bottom: 1).split(top: rows).top)
        }
        let foot = area.rows - 1
        canvas.write("0", row: foot, column: label, in: area, .muted)
        canvas.writeRight("\(cache.seconds.formatted(decimals: 1)) s", row: foot, in: area, .muted)
        canvas.write("× lost", row: foot, in: area, .muted)
    }

    private static func strip(_ name: String, _ series: LatencySeries, _ last: Int64, columns: Int) -> Strip? {
        guard let axis = LogAxis(series.samples.lazy.compactMap { $0.nanoseconds.map { Double($0) / 1e6 } }) else {
            return nil
        }
        let dots = columns * 2
        var strip = Strip(
            name: name, ranges: Array(repeating: nil, count: dots), isLost: Array(repeating: false, count: columns),
            axis: axis, lostCount: 0)
        for sample in series.samples {
            let share = last > 0 ? Double(sample.intendedNanoseconds) / Double(last) : 0
            let dot = min(max(Int(saturating: share * Double(dots - 1)), 0), dots - 1)
            guard let nanoseconds = sample.nanoseconds else {
                strip.isLost[dot / 2] = true
                strip.lostCount += 1
                continue
            }
            let value = Double(nanoseconds) / 1e6
            let known = strip.ranges[dot]
            strip.ranges[dot] = min(known?.lowerBound ?? value, value)...max(known?.upperBound ?? value, value)
        }
        return strip
    }

    private static func draw(_ strip: Strip, on canvas: inout Canvas, in area: ScreenArea) {
        canvas.write(strip.name.fitted(to: 10), row: 0, in: area, Style.plain.adding(.bold))
        let hasRoom = area.rows >= 3
        let rows = strip.lostCount > 0 && hasRoom ? area.rows - 1 : area.rows
        drawScale(strip.axis, on: &canvas, in: area.split(left: label - 1).left.split(top: rows).top)
        let place = area.inset(left: label).split(top: rows).top
        var plot = BraillePlot(ScreenSize(rows: place.rows, columns: place.columns))
        for (x, range) in strip.ranges.enumerated() {
            guard let range else { continue }
            func y(_ value: Double) -> Int {
                Int(saturating: ((1 - min(max(strip.axis.share(value), 0), 1)) * Double(plot.height - 1)).rounded())
            }
            for dot in y(range.upperBound)...y(range.lowerBound) { plot.set(x: x, y: dot, .tone(.accent)) }
        }
        plot.draw(on: &canvas, in: place)
        guard strip.lostCount > 0 else { return }
        if hasRoom {
            canvas.write("\(strip.lostCount) lost".fitted(to: label - 1), row: rows, in: area, .tone(.danger))
        }
        for (column, isLost) in strip.isLost.enumerated() where isLost {
            canvas.write("×", row: hasRoom ? rows : 0, column: label + column, in: area, .tone(.danger))
        }
    }

    /// The ends of the axis, and what is between them where there are rows for it.
    private static func drawScale(_ axis: LogAxis, on canvas: inout Canvas, in area: ScreenArea) {
        let (last, ends) = (area.rows - 1, axis.range)
        canvas.writeRight(LatencyPlot.label(of: ends.upperBound), row: 0, in: area, .muted)
        canvas.writeRight(LatencyPlot.label(of: ends.lowerBound), row: last, in: area, .muted)
        var free = 2
        for tick in axis.ticks(atMost: area.rows / 2).reversed() {
            let row = Int(saturating: ((1 - axis.share(tick)) * Double(last)).rounded())
            // A blank row between two labels.
            guard row >= free, row <= last - 2 else { continue }
            canvas.writeRight(LatencyPlot.label(of: tick), row: row, in: area, .muted)
            free = row + 2
        }
    }
}
