internal import LatencyMeasurement
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

    /// The last computed strips, so that hundreds of thousands of samples are evaluated only once.
    struct Cache {
        fileprivate var key: [Int] = []
        fileprivate var kind = SeriesKind.steering
        fileprivate var strips: [Strip] = []
        fileprivate var seconds = 0.0
        init() {}
    }

    private static let label = 16

    /// Draws the strips; returns the number of strips that do not fit.
    static func draw(
        _ reading: LatencyResultsState, _ condition: LatencySummary.Condition, _ cache: inout Cache,
        on canvas: inout Canvas, in area: ScreenArea
    ) -> Int {
        let columns = area.columns - label
        guard columns >= 8, area.rows >= 3 else { return 0 }
        let key = [reading.shown.id, reading.condition, columns]
        if cache.key != key || cache.kind != reading.kind {
            cache.key = key
            cache.kind = reading.kind
            let series = condition.links.compactMap { link in
                link.run.measured(reading.kind).series.map { (link.name, $0) }
            }
            let last = series.flatMap { $0.1.samples.last.map { [$0.intendedNanoseconds] } ?? [] }.max() ?? 0
            cache.seconds = Double(last) / 1e9
            cache.strips = series.compactMap { strip($0.0, $0.1, last, columns: columns) }
        }
        guard !cache.strips.isEmpty else {
            canvas.write("no samples of this kind", row: 0, in: area, .muted)
            return 0
        }
        // The last line is the time axis.
        let room = min(cache.strips.count, (area.rows - 1) / 2)
        let first = min(max(0, reading.scroll), cache.strips.count - room)
        let rows = (area.rows - 1) / room
        for (index, strip) in cache.strips.dropFirst(first).prefix(room).enumerated() {
            draw(strip, on: &canvas, in: area.inset(top: index * rows, bottom: 1).split(top: rows).top)
        }
        let foot = area.rows - 1
        canvas.write("0", row: foot, column: label, in: area, .muted)
        canvas.writeRight("\(cache.seconds.formatted(decimals: 1)) s", row: foot, in: area, .muted)
        canvas.write("× lost", row: foot, in: area, .muted)
        return cache.strips.count - room
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
        let (top, bottom) = (figure(strip.axis.range.upperBound), figure(strip.axis.range.lowerBound))
        let scale = area.split(left: label - 1).left
        canvas.writeRight(top, row: 0, in: scale, .muted)
        let hasRoom = area.rows >= 3
        let rows = strip.lostCount > 0 && hasRoom ? area.rows - 1 : area.rows
        canvas.writeRight(bottom, row: rows - 1, in: scale, .muted)
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

    private static func figure(_ milliseconds: Double) -> String {
        milliseconds.formatted(decimals: milliseconds < 0.095 ? 2 : milliseconds < 0.95 ? 1 : 0)
    }
}
