internal import LatencyMeasurement
internal import ReportKit
internal import TextScreen

/// The mean share of each stage in the latency of a link: a bar per link, all of full width, since links differ by factors
/// of thousands.
enum LatencyStageBars {
    static func lines(_ kind: SeriesKind, of condition: LatencySummary.Condition, columns: Int) -> [[Canvas.Span]] {
        var lines: [[Canvas.Span]] = []
        for link in condition.links {
            guard let series = link[kind] else { continue }
            let whole = series.stages.reduce(0) { $0 + $1.meanNanoseconds }
            if !lines.isEmpty { lines.append([]) }
            guard whole > 0 else {
                lines.append([
                    .init(link.name, Style.plain.adding(.bold)), .init("  no stages measured on this link", .muted),
                ])
                continue
            }
            lines.append([.init(link.name, Style.plain.adding(.bold)), .init("  mean \(figure(whole)) ms")])
            lines.append(bar(series.stages, whole, columns: columns))
            let parts = series.stages.map { share in
                "\(look(share.stage).mark) \(condition.title(of: share.stage)) \(figure(share.meanNanoseconds))"
            }
            lines += parts.joined(separator: "  ").wrapped(to: columns).map { [.init($0, .muted)] }
        }
        return lines.isEmpty ? [[.init("no samples of this kind", .muted)]] : lines
    }

    private static func bar(
        _ stages: [SeriesSummary.StageShare], _ whole: Double, columns: Int
    ) -> [Canvas.Span] {
        var spans: [Canvas.Span] = []
        var (sum, drawn) = (0.0, 0)
        for share in stages {
            sum += max(0, share.meanNanoseconds)
            let end = min(columns, Int(saturating: (sum / whole * Double(columns)).rounded()))
            let look = look(share.stage)
            spans.append(.init(String(repeating: look.mark, count: max(0, end - drawn)), .tone(look.tone)))
            drawn = max(drawn, end)
        }
        return spans
    }

    /// The mark and the colour of a stage; marks are distinguishable without colours.
    private static func look(_ stage: LatencyStage) -> (mark: String, tone: Tone) {
        switch stage {
        case .queue: ("·", .warning)
        case .encode: (":", .muted)
        case .network: ("█", .accent)
        case .receive: ("▚", .muted)
        case .startUp: ("▓", .danger)
        case .companion: ("▒", .second)
        case .ros: ("░", .good)
        }
    }

    private static func figure(_ nanoseconds: Double) -> String {
        let value = nanoseconds / 1e6
        return value.formatted(decimals: abs(value) < 10 ? 3 : abs(value) < 100 ? 2 : 1)
    }
}
