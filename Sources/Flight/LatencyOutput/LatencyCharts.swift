internal import LatencyMeasurement
internal import LatencyStatistics
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import FlightControl
internal import Figures
internal import ReportKit
internal import Statistics

/// The charts of a condition.
struct LatencyCharts {
    private let condition: LatencySummary.Condition

    init(_ condition: LatencySummary.Condition) { self.condition = condition }

    /// Number of intervals a chart keeps: more points than its width in pixels are not visible; the minimum and the maximum
    /// of each interval are kept.
    private static let stretches = 700

    /// Distributions with a stretched tail; `nil` where nothing was measured.
    func distribution(_ kind: SeriesKind) -> Figure? {
        let series = measured(kind).map { name, summary in
            let points = TailCurve(summary.samples, lost: summary.lostCount).points.map { point in
                SIMD2(Double(point.nanoseconds) / 1e6, 1 - pow(10, -point.nines))
            }
            return Series(name, points, style: .steps, colour: place(name))
        }
        guard let axis = axis(series.flatMap { $0.points.map(\.x) }) else { return nil }
        return Figure(
            title: "\(kind.rawValue): distribution", x: axis,
            y: Axis("share of what was intended", scale: .tail), series: series, width: 620, height: 400)
    }

    /// Each value at its scheduled time.
    func timeSeries(_ kind: SeriesKind) -> Figure? {
        let series = condition.links.compactMap { link -> Series? in
            guard let samples = link.run.measured(kind).series?.samples, link[kind]?.count ?? 0 > 0 else { return nil }
            return Series(link.name, thinned(samples), style: .marks, colour: place(link.name))
        }
        guard var axis = axis(series.flatMap { $0.points.map(\.y) }) else { return nil }
        axis.label = "latency (ms)"
        return Figure(
            title: "\(kind.rawValue): over time", x: Axis("intended at (s)"), y: axis, series: series, width: 620,
            height: 400)
    }

    /// The mean time by stage: one bar for each link, one colour for each stage.
    ///
    /// A link that takes far longer than the others has a separate chart, so that theirs stay readable.
    func stages(_ kind: SeriesKind) -> [Figure] {
        let links = measured(kind).filter { !$0.1.stages.isEmpty }
        let sizes = links.map { $0.1.stages.reduce(0) { $0 + $1.meanNanoseconds } }
        let groups = Self.grouped(sizes)
        return groups.map { group in bars(group.map { links[$0] }, kind, part: groups.count > 1) }
    }

    /// The colour of a link: the same in all charts of the condition.
    private func place(_ name: String) -> Int? { condition.links.firstIndex { $0.name == name } }

    private func measured(_ kind: SeriesKind) -> [(String, SeriesSummary)] {
        condition.links.compactMap { link in
            link[kind].flatMap { $0.count > 0 ? (link.name, $0) : nil }
        }
    }

    private func axis(_ milliseconds: [Double]) -> Axis? {
        guard let log = LogAxis(milliseconds) else { return nil }
        let ticks = log.ticks(atMost: 8).map { Axis.Tick($0, Self.label($0)) }
        return Axis("latency (ms)", scale: .logarithmic, range: log.range, ticks: ticks)
    }

    static func label(_ value: Double) -> String {
        var text = value.formatted(decimals: value < 0.0095 ? 4 : value < 0.95 ? 3 : 0)
        while text.contains("."), text.hasSuffix("0") { text.removeLast() }
        return text
    }

    private func thinned(_ samples: [LatencySample]) -> [SIMD2<Double>] {
        let points = samples.compactMap { sample in
            sample.nanoseconds.map { SIMD2(Double(sample.intendedNanoseconds) / 1e9, Double($0) / 1e6) }
        }.filter { $0.y > 0 }
        guard points.count > 2 * Self.stretches else { return points }
        var out: [SIMD2<Double>] = []
        for stretch in 0..<Self.stretches {
            let part = points[
                (stretch * points.count / Self.stretches)..<((stretch + 1) * points.count / Self.stretches)]
            guard let least = part.min(by: { $0.y < $1.y }), let most = part.max(by: { $0.y < $1.y }) else { continue }
            out += least == most ? [least] : [least, most].sorted { $0.x < $1.x }
        }
        return out
    }

    /// Indices of values that can share one axis: none is more than ten times the smallest of its group.
    static func grouped(_ sizes: [Double]) -> [[Int]] {
        var groups: [[Int]] = []
        for place in sizes.indices.sorted(by: { sizes[$0] < sizes[$1] }) {
            if let first = groups.last?.first, sizes[place] <= 10 * sizes[first] {
                groups[groups.count - 1].append(place)
            } else {
                groups.append([place])
            }
        }
        return groups.map { $0.sorted() }
    }

    private func bars(_ links: [(String, SeriesSummary)], _ kind: SeriesKind, part: Bool) -> Figure {
        var tops = links.map { _ in 0.0 }
        var series: [Series] = []
        for stage in LatencyStage.allCases {
            var points: [SIMD2<Double>] = []
            var bases: [Double] = []
            for (place, link) in links.enumerated() {
                guard let share = link.1.stages.first(where: { $0.stage == stage }) else { continue }
                bases.append(tops[place])
                tops[place] += share.meanNanoseconds / 1e6
                points.append(SIMD2(Double(place), tops[place]))
            }
            // A stage that no link has keeps its index, so that colours mean the same in every chart.
            let title = points.isEmpty ? "" : condition.title(of: stage)
            series.append(Series(title, points, style: .bars(width: 0.6), bases: bases))
        }
        let names = links.enumerated().map { Axis.Tick(Double($0.offset), $0.element.0) }
        return Figure(
            title: "\(kind.rawValue): mean by stage" + (part ? " (\(links.map(\.0).joined(separator: ", ")))" : ""),
            x: Axis("link", range: -0.6...(Double(links.count) - 0.4), ticks: names),
            y: Axis("mean (ms)", range: 0...max(1e-6, (tops.max() ?? 0) * 1.05)), series: series, width: 620,
            height: 400)
    }
}
