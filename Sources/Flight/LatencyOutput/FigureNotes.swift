package import LatencyMeasurement
internal import LatencyStatistics
internal import ReportKit
internal import Statistics

/// What tables have no column for, one line each.
extension LatencySummary.Condition {
    /// Of what no ratio is formed; freshness and losses of each link, its first samples, and why there are no intervals.
    package func figureNotes(of kind: SeriesKind) -> [String] {
        var lines = unlike(kind)
        for link in links {
            guard let series = link[kind] else { continue }
            let parts = Self.freshness(series) + Self.losses(series, kind) + Self.cold(series)
            if !parts.isEmpty { lines.append("\(link.name): \(parts.joined(separator: "; "))") }
        }
        return lines + withoutInterval(kind)
    }

    /// One line for all links that end alike, but not as the reference does.
    private func unlike(_ kind: SeriesKind) -> [String] {
        let refused = refusedRatios.filter { $0.kind == kind }
        return ends(of: kind).compactMap { end, _ in
            let links = refused.filter { $0.ends == end }
            guard let first = links.first else { return nil }
            return "no ratio of \(VerdictText.list(links.map(\.link))) to \(first.reference): it would be of "
                + "\(end.text), and of \(first.referenceEnds.text)"
        }
    }

    /// One line for all links whose rounds are too few.
    private func withoutInterval(_ kind: SeriesKind) -> [String] {
        let few = links.filter { ($0[kind]?.rounds ?? .max) < ClusterBootstrap.minimumRounds }
        guard !few.isEmpty else { return [] }
        let rounds = few.map { "\($0[kind]?.rounds ?? 0)" }
        let count = Set(rounds).count == 1 ? rounds[0] : VerdictText.list(rounds)
        return [
            "no interval for \(VerdictText.list(few.map(\.name))): \(count) round\(count == "1" ? "" : "s"), and "
                + "\(ClusterBootstrap.minimumRounds) are needed to know the variance between rounds"
        ]
    }

    private static func milliseconds(_ nanoseconds: Double) -> String {
        LatencyFigure.milliseconds(nanoseconds) + " ms"
    }

    private static func freshness(_ series: SeriesSummary) -> [String] {
        guard let age = series.age else { return [] }
        var parts = [
            "age at the vehicle mean \(milliseconds(age.meanNanoseconds)), p99 \(milliseconds(age.p99Nanoseconds)), "
                + "max \(milliseconds(age.maximumNanoseconds))"
        ]
        if let longest = age.gaps.maximum {
            let p99 = age.gaps.reported(.p99).map { "p99 \(milliseconds(Double($0))), " } ?? ""
            parts.append("gaps \(p99)max \(milliseconds(Double(longest)))")
        }
        return parts
    }

    private static func losses(_ series: SeriesSummary, _ kind: SeriesKind) -> [String] {
        guard let longest = series.losses.periods.maximum, kind != .motion else { return [] }
        let count = series.losses.periods.count
        var text = "\(count) loss period\(count == 1 ? "" : "s")"
        if let mean = series.losses.periods.mean { text += " of \(mean.formatted(decimals: 1)) on average" }
        text += ", at most \(longest) in a row"
        if let distance = series.losses.distances.median { text += ", \(distance) from one loss to the next (median)" }
        return [text]
    }

    private static func cold(_ series: SeriesSummary) -> [String] {
        guard let median = series.cold.value(at: .p50) else { return [] }
        let count = series.cold.intended
        let text: String =
            switch median {
            case .delay(let nanoseconds): milliseconds(Double(nanoseconds))
            case .lost: "lost"
            }
        return ["first of a turn \(text) (median of \(count))"]
    }
}
