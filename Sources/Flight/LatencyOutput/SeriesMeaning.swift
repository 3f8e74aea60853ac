package import LatencyMeasurement

extension LatencySummary.Condition {
    /// The start and the end of the measured interval, as it was measured here.
    package func meaning(of kind: SeriesKind) -> String {
        if kind == .steering, isSimulated {
            return "from the scheduled instant to the setpoint reaching the simulated vehicle"
        }
        let ends = ends(of: kind)
        if kind == .steering, let end = ends.first {
            return "from the scheduled instant to "
                + (ends.count == 1 ? end.end.text : "an end that is not the same for all links")
        }
        guard kind == .telemetry else { return kind.meaning }
        let origins = links.compactMap { $0[.telemetry]?.origin }
        let onBoard = origins.count { $0 != .stamp }
        if onBoard == 0 { return kind.meaning }
        return onBoard == origins.count
            ? "from receipt on board to the value on the ground"
            : "from the timestamp on the vehicle, or where noted from receipt on board, to the value on the ground"
    }

    /// The ends of a kind, in the order of the links, each with its links.
    func ends(of kind: SeriesKind) -> [(end: EndPoint, links: [String])] {
        var ends: [(end: EndPoint, links: [String])] = []
        for link in links {
            guard let end = link.end(of: kind) else { continue }
            if let known = ends.firstIndex(where: { $0.end == end }) {
                ends[known].links.append(link.name)
            } else {
                ends.append((end, [link.name]))
            }
        }
        return ends
    }

    /// Where steering ends where that is not the same for all links, and why a kind was not measured from where it usually
    /// is: one line for each end or reason, with its links.
    package func originNotes(of kind: SeriesKind) -> [String] {
        if kind == .steering {
            let ends = ends(of: kind)
            return ends.count < 2 ? [] : ends.map { "\(VerdictText.list($0.links)): to \($0.end.text)" }
        }
        guard kind == .telemetry else { return [] }
        var reasons: [(obstacle: StampObstacle, links: [String])] = []
        for link in links {
            guard let obstacle = link[.telemetry]?.origin?.obstacle else { continue }
            if let known = reasons.firstIndex(where: { $0.obstacle == obstacle }) {
                reasons[known].links.append(link.name)
            } else {
                reasons.append((obstacle, [link.name]))
            }
        }
        return reasons.map {
            "\(VerdictText.list($0.links)): counted from receipt on board, since \($0.obstacle.reason)"
        }
    }
}
