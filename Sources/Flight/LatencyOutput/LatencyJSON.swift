package import LatencyMeasurement
internal import LatencyStatistics
package import ReportKit
internal import Statistics

/// A report as JSON. The keys `links`, `link`, `command`, `steering`, `telemetry`, `count` and those of percentiles
/// (`p50_ms`, `p99_9_ms`) are stable; a percentile for which the run is too short has no key, and one that lies among
/// the lost samples is `"lost"`.
package struct LatencyJSON: Sendable {
    private let summary: LatencySummary
    private let verdicts: [FlightVerdict]

    /// Creates the JSON form of a summary and the verdicts on its conditions.
    package init(_ summary: LatencySummary, verdicts: [FlightVerdict]) {
        self.summary = summary
        self.verdicts = verdicts
    }

    /// The object. `links` has the first condition; `conditions` has all of them.
    package var value: JSONValue {
        let report = summary.report
        let conditions = summary.conditions.enumerated().map { index, condition -> JSONValue in
            [
                "impairment": .string(condition.impairment),
                "emulation": .string(condition.emulation.rawValue),
                "links": .array(condition.links.map(link)),
                "ratios": .array(condition.ratios.map(ratio)),
                "refused_ratios": .array(condition.refusedRatios.map(refusal)),
                "between_runs": RunTable(report, condition: index).json,
                "verdict": verdicts.indices.contains(index) ? verdicts[index].json : nil,
            ]
        }
        return [
            "links": .array(summary.conditions.first?.links.map(link) ?? []),
            "conditions": .array(conditions),
            "vehicle": .string(report.vehicle),
            "simulated": .bool(report.isSimulated),
            "command_line": .string(report.commandLine),
            "began_s": .number(report.beganSeconds),
            "first_answer": JSONValue(summary.firstAnswer),
            "length_s": .number(report.lengthSeconds),
            "seed": JSONValue(report.seed),
            "runs": RunTable.json(of: report.runs),
            "machine": facts(report.machine),
            "versions": facts(report.versions),
            "settings": facts(report.settings),
            "clock_exchanges": exchanges(report.clockExchanges),
            "notes": .array(report.notes.map(JSONValue.string)),
        ]
    }

    /// As rows, since there are ten a second.
    private func exchanges(_ all: [ClockExchangeSample]) -> JSONValue {
        let rows = all.map { exchange -> JSONValue in
            .array(
                [exchange.at, exchange.offset, exchange.roundTrip, exchange.held].map { .number(Double($0) / 1e6) })
        }
        return ["columns": ["at_ms", "offset_ms", "round_trip_ms", "held_ms"], "rows": .array(rows)]
    }

    private func facts(_ facts: [LatencyReport.Fact]) -> JSONValue {
        .object(facts.map { .init($0.name, .string($0.value)) })
    }

    private func link(_ link: LatencySummary.Link) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("link", .string(link.name)), .init("how", .string(link.run.how)),
            .init("failure", JSONValue(link.run.failure)),
        ]
        for kind in SeriesKind.allCases {
            switch link.run.measured(kind) {
            case .series: members.append(.init(kind.rawValue, link[kind].map(series) ?? nil))
            case .absent(let reason):
                members.append(.init(kind.rawValue, ["count": 0, "absent": .string(reason)]))
            }
        }
        if let cost = link.run.cost { members.append(.init("cost", CostTable.json(cost))) }
        return .object(members)
    }

    private func series(_ series: SeriesSummary) -> JSONValue {
        var members: [JSONValue.Member] = [.init("count", JSONValue(series.count))]
        func add(_ key: String, _ nanoseconds: Double?) {
            if let nanoseconds { members.append(.init(key + "_ms", .number(nanoseconds / 1e6))) }
        }
        add("min", series.samples.minimum.map(Double.init))
        add("mean", series.samples.mean)
        for quantile in series.quantiles {
            let value = quantile.nanoseconds.map { JSONValue.number(Double($0) / 1e6) } ?? Self.lost
            members.append(.init(Self.key(quantile.percentile) + "_ms", value))
        }
        add("max", series.samples.maximum.map(Double.init))
        add("standard_deviation", series.samples.standardDeviation)
        members.append(.init("p50_interval_ms", series.medianInterval.map { Self.interval($0, scale: 1e6) } ?? .null))
        members.append(.init("rounds", JSONValue(series.rounds)))
        members.append(.init("effective_count", JSONValue(series.effectiveCount)))
        members.append(.init("by_round", .array(series.byRound.map(round))))
        if !series.packetDelayVariation.sorted.isEmpty {
            add("pdv_p50", series.packetDelayVariation.reported(.p50).map(Double.init))
            add("pdv_p99", series.packetDelayVariation.reported(.p99).map(Double.init))
        }
        add("jitter_rfc3550", series.rfc3550Jitter)
        add("ipdv_p50", series.delayVariation.reported(.p50).map(Double.init))
        add("ipdv_p99", series.delayVariation.reported(.p99).map(Double.init))
        members += FreshnessJSON.members(of: series)
        let counts = series.hasArrivalsOnly ? nil : series.traffic
        members.append(.init("intended", JSONValue(counts?.intended)))
        members.append(.init("sent", JSONValue(counts?.sent)))
        members.append(.init("lost_up", JSONValue(series.traffic.lostUp)))
        members.append(.init("lost_down", JSONValue(series.traffic.lostDown)))
        members.append(.init("duplicates", JSONValue(series.traffic.duplicates)))
        members.append(.init("reordered", JSONValue(series.traffic.reordered)))
        members.append(.init("stale", JSONValue(series.traffic.stale)))
        members.append(.init("warm_up_dropped", JSONValue(series.warmUpDropped)))
        if let rate = series.intendedHertz { members.append(.init("intended_hz", .number(rate))) }
        if let rate = series.achievedHertz { members.append(.init("achieved_hz", .number(rate))) }
        members.append(.init("clock", clock(series)))
        if let origin = series.origin {
            members.append(.init("from", .string(origin.word)))
            members.append(.init("from_reason", JSONValue(origin.obstacle?.reason)))
        }
        if !series.stages.isEmpty {
            members.append(
                .init(
                    "stages_mean_ms",
                    .object(series.stages.map { .init(key(of: $0.stage), .number($0.meanNanoseconds / 1e6)) })))
            members.append(.init("stages", .object(series.stages.map { .init(key(of: $0.stage), stage($0)) })))
        }
        return .object(members)
    }

    private func stage(_ share: SeriesSummary.StageShare) -> JSONValue {
        func milliseconds(_ nanoseconds: Double?) -> JSONValue { JSONValue(nanoseconds.map { $0 / 1e6 }) }
        return [
            "p50_ms": milliseconds(share.medianNanoseconds.map(Double.init)),
            "p99_ms": milliseconds(share.p99Nanoseconds.map(Double.init)),
            "slowest_hundredth_mean_ms": milliseconds(share.slowestNanoseconds),
        ]
    }

    private func round(_ round: RoundValues.Figures) -> JSONValue {
        let median: JSONValue =
            switch round.median {
            case .delay(let nanoseconds)?: .number(Double(nanoseconds) / 1e6)
            case .lost?: Self.lost
            case nil: .null
            }
        return [
            "round": JSONValue(round.number), "intended": JSONValue(round.intended), "lost": JSONValue(round.lost),
            "p50_ms": median, "max_ms": JSONValue(round.maximum.map { Double($0) / 1e6 }),
        ]
    }

    /// A simulated vehicle has no ROS.
    private func key(of stage: LatencyStage) -> String {
        stage == .ros && summary.report.isSimulated ? "simulated_vehicle" : stage.rawValue
    }

    private func clock(_ series: SeriesSummary) -> JSONValue {
        switch series.clock {
        case .same: return ["relation": "same"]
        case .unknown: return ["relation": "unknown", "means_something": false]
        case .measured(let offset, let bound):
            let median = series.samples.median.map { series.means(Double($0)) }
            return [
                "relation": "measured", "offset_ms": .number(Double(offset) / 1e6),
                "bound_ms": .number(Double(bound) / 1e6), "means_something": JSONValue(median),
            ]
        }
    }

    private func ratio(_ ratio: LatencySummary.Ratio) -> JSONValue {
        [
            "of": .string(ratio.kind.rawValue), "link": .string(ratio.link), "reference": .string(ratio.reference),
            "ratio": .number(ratio.ratio),
            "interval": ratio.interval.map { Self.interval($0, scale: 1) } ?? .null,
            "clock_interval": ratio.clockInterval.map { Self.interval($0, scale: 1) } ?? .null,
        ]
    }

    private func refusal(_ refusal: LatencySummary.RefusedRatio) -> JSONValue {
        [
            "of": .string(refusal.kind.rawValue), "link": .string(refusal.link),
            "reference": .string(refusal.reference), "reason": .string(refusal.reason),
        ]
    }

    private static let lost = JSONValue.string("lost")

    private static func interval(_ interval: Bootstrap.Interval, scale: Double) -> JSONValue {
        func end(_ value: Double) -> JSONValue { value.isFinite ? .number(value / scale) : lost }
        return [end(interval.low), end(interval.high)]
    }

    /// `p50`, `p99_9`.
    static func key(_ percentile: Percentile) -> String {
        String(percentile.description.map { $0 == "." ? "_" : $0 })
    }
}
