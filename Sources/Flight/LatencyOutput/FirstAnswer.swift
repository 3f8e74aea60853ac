package import LatencyMeasurement
internal import LatencyStatistics

extension LatencySummary {
    /// Why the figures are a first answer and none for publication, one sentence; `nil` if all of them have intervals.
    ///
    /// Of commands and steering: telemetry over a shell is measured once, and motion has pushes, not rounds.
    package var firstAnswer: String? {
        let rounds = conditions.flatMap(\.links).flatMap { link in
            [SeriesKind.command, .steering].compactMap { link[$0]?.rounds }
        }
        guard let fewest = rounds.min(), fewest < ClusterBootstrap.minimumRounds else { return nil }
        let words = "\(fewest) round\(fewest == 1 ? "" : "s")"
        return
            "a first answer, not for publication: of some links and conditions there are \(words) only, and figures with "
            + "intervals take \(ClusterBootstrap.minimumRounds)"
    }
}
