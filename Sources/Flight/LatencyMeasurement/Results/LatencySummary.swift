internal import ReportKit
internal import LatencyStatistics
package import Statistics

/// A report's figures: each link under each condition, and the comparison of the links.
package struct LatencySummary: Sendable {
    /// The latency of a link relative to another, by the medians.
    package struct Ratio: Hashable, Sendable {
        /// What was measured.
        package var kind: SeriesKind
        package var link: String
        /// The link that it is compared with.
        package var reference: String
        /// The ratio of the medians, of the rounds that both have.
        package var ratio: Double
        /// The 95 percent confidence interval of the ratio, paired by round; `nil` for fewer than ten rounds in common.
        package var interval: Bootstrap.Interval?
        /// What the clocks of both ends alone allow, from the bounds of both medians; `nil` where both are of one clock.
        package var clockInterval: Bootstrap.Interval?

        /// The interval as text; why there is none where it is missing.
        package var intervalText: String {
            func text(_ interval: Bootstrap.Interval) -> String {
                func text(_ end: Double) -> String { end.isFinite ? end.formatted(decimals: 2) : "lost" }
                return "\(text(interval.low)) to \(text(interval.high))"
            }
            let clocks = clockInterval.map { "; clocks \(text($0))" } ?? ""
            guard let interval else {
                return "no interval: fewer than \(ClusterBootstrap.minimumRounds) rounds in common" + clocks
            }
            return text(interval) + clocks
        }
    }

    /// Two links of which no ratio is formed, since what was measured does not end alike.
    package struct RefusedRatio: Hashable, Sendable {
        package var kind: SeriesKind
        package var link: String
        package var reference: String
        package var ends: EndPoint
        package var referenceEnds: EndPoint

        /// Why, as a clause.
        package var reason: String {
            "\(kind.rawValue) over \(link) is of \(ends.text), over \(reference) of \(referenceEnds.text)"
        }
    }

    /// A link's figures.
    package struct Link: Sendable {
        /// The measurements, with all samples.
        package let run: LinkRun
        private let series: [SeriesKind: SeriesSummary]

        init(_ run: LinkRun, bootstrap: ClusterBootstrap) {
            self.run = run
            var series: [SeriesKind: SeriesSummary] = [:]
            for kind in SeriesKind.allCases {
                series[kind] = run.measured(kind).series.map { SeriesSummary($0, kind: kind, bootstrap: bootstrap) }
            }
            self.series = series
        }

        /// The name, as in `--links`.
        package var name: String { run.link }

        /// The figures of one kind; `nil` when there are none.
        package subscript(kind: SeriesKind) -> SeriesSummary? { series[kind] }

        /// Where the figures of one kind end; `nil` when there are none.
        package func end(of kind: SeriesKind) -> EndPoint? {
            self[kind].map { EndPoint(kind, over: name, of: $0) }
        }
    }

    /// The figures under one condition.
    package struct Condition: Sendable {
        /// What was impaired.
        package let impairment: String
        /// How that was made.
        package let emulation: Emulation
        /// The links in their order.
        package let links: [Link]
        /// Every link relative to the first of the references that ends alike.
        package let ratios: [Ratio]
        /// The links that do not end as the first of the references does.
        package let refusedRatios: [RefusedRatio]
        /// Whether the vehicle is simulated.
        package let isSimulated: Bool

        /// The title of a stage: a simulated vehicle has no ROS, and what is handed to it is measured there.
        package func title(of stage: LatencyStage) -> String {
            stage == .ros && isSimulated ? "simulated vehicle" : stage.title
        }
    }

    /// What was measured.
    package let report: LatencyReport
    /// The conditions in their order.
    package let conditions: [Condition]

    /// The reference link for comparisons: the first of these that was measured.
    package static let references = [
        "udp", "tcp", "ros", "direct", "ssh-tunnel", "rosbridge", "ssh-persistent", "ssh-shell", "ssh",
    ]

    /// The figures of a report; the confidence intervals are seeded by its seed.
    package init(_ report: LatencyReport) {
        self.report = report
        let bootstrap = ClusterBootstrap(seed: report.seed)
        conditions = report.conditions.map { condition in
            let links = condition.links.map { Link($0, bootstrap: bootstrap) }
            return Condition(
                impairment: condition.impairment, emulation: condition.emulation, links: links,
                ratios: SeriesKind.allCases.flatMap { Self.ratios($0, links, bootstrap) },
                refusedRatios: SeriesKind.allCases.flatMap { Self.refusals($0, links) },
                isSimulated: report.isSimulated)
        }
    }

    /// The first of the references that was measured, or of those that end there.
    private static func reference(_ kind: SeriesKind, _ links: [Link], at end: EndPoint? = nil) -> Link? {
        references.lazy.compactMap { name in
            links.first { link in
                link.name == name && link[kind] != nil && (end == nil || link.end(of: kind) == end)
            }
        }.first
    }

    private static func refusals(_ kind: SeriesKind, _ links: [Link]) -> [RefusedRatio] {
        guard let reference = reference(kind, links), let base = reference.end(of: kind) else { return [] }
        return links.compactMap { link in
            guard let end = link.end(of: kind), end != base else { return nil }
            return RefusedRatio(kind: kind, link: link.name, reference: reference.name, ends: end, referenceEnds: base)
        }
    }

    private static func ratios(_ kind: SeriesKind, _ links: [Link], _ bootstrap: ClusterBootstrap) -> [Ratio] {
        links.compactMap { link in
            guard let own = link[kind], let end = link.end(of: kind),
                let reference = reference(kind, links, at: end), reference.name != link.name,
                let base = reference[kind]
            else { return nil }
            // Of the same rounds as the interval: a link that has more of them would bring what only those met.
            let pair = RoundValues.paired(own.values, base.values)
            guard let median = pair.0.medianNanoseconds, let below = pair.1.medianNanoseconds, below > 0,
                own.means(Double(median)), base.means(Double(below))
            else { return nil }
            return Ratio(
                kind: kind, link: link.name, reference: reference.name, ratio: Double(median) / Double(below),
                interval: bootstrap.ratioOfMedians(own.values, over: base.values),
                clockInterval: clockInterval((median, own.boundNanoseconds), over: (below, base.boundNanoseconds)))
        }
    }

    /// Both medians exceed their bounds.
    private static func clockInterval(
        _ own: (median: Int64, bound: Int64?), over base: (median: Int64, bound: Int64?)
    ) -> Bootstrap.Interval? {
        let (error, below) = (Double(own.bound ?? 0), Double(base.bound ?? 0))
        guard error > 0 || below > 0 else { return nil }
        let (a, b) = (Double(own.median), Double(base.median))
        return .init(low: (a - error) / (b + below), high: (a + error) / (b - below))
    }
}
