internal import LatencyMeasurement
internal import LatencyStatistics
internal import ReportKit
internal import Statistics

/// Ages, gaps, loss periods and first samples as members of a series in JSON; times in milliseconds.
enum FreshnessJSON {
    static func members(of series: SeriesSummary) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if let age = series.age {
            members += [
                .init("age_mean_ms", .number(age.meanNanoseconds / 1e6)),
                .init("age_p99_ms", .number(age.p99Nanoseconds / 1e6)),
                .init("age_max_ms", .number(age.maximumNanoseconds / 1e6)), .init("gaps", gaps(age.gaps)),
            ]
        }
        members += [
            .init("lost", series.hasArrivalsOnly ? .null : JSONValue(series.intended.lost)),
            .init("loss_periods", series.hasArrivalsOnly ? .null : periods(series.losses)),
            .init("cold", cold(series.cold)),
        ]
        return members
    }

    private static func milliseconds(_ nanoseconds: Int64?) -> JSONValue {
        JSONValue(nanoseconds.map { Double($0) / 1e6 })
    }

    private static func gaps(_ gaps: Samples) -> JSONValue {
        [
            "p50_ms": milliseconds(gaps.reported(.p50)), "p99_ms": milliseconds(gaps.reported(.p99)),
            "max_ms": milliseconds(gaps.maximum),
        ]
    }

    private static func periods(_ losses: LossPattern) -> JSONValue {
        [
            "count": JSONValue(losses.periods.count), "mean_length": JSONValue(losses.periods.mean),
            "longest": JSONValue(losses.periods.maximum), "distance_p50": JSONValue(losses.distances.median),
            "distance_min": JSONValue(losses.distances.minimum),
        ]
    }

    private static func cold(_ cold: IntendedSamples) -> JSONValue {
        guard cold.intended > 0 else { return ["count": 0] }
        let median: JSONValue =
            switch cold.value(at: .p50) {
            case .delay(let nanoseconds): .number(Double(nanoseconds) / 1e6)
            case .lost: "lost"
            case nil: .null
            }
        return [
            "count": JSONValue(cold.intended), "lost": JSONValue(cold.lost), "p50_ms": median,
            "max_ms": milliseconds(cold.delivered.maximum),
        ]
    }
}
