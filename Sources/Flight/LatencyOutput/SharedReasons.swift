package import LatencyMeasurement
internal import LatencyStatistics

/// What is the same for several links is said once.
package enum SharedReasons {
    /// The links with each reason, in the order of the first.
    package static func groups(_ reasons: [(link: String, reason: String)]) -> [(reason: String, links: [String])] {
        var groups: [(reason: String, links: [String])] = []
        for (link, reason) in reasons {
            if let known = groups.firstIndex(where: { $0.reason == reason }) {
                if !groups[known].links.contains(link) { groups[known].links.append(link) }
            } else {
                groups.append((reason, [link]))
            }
        }
        return groups
    }

    /// `tcp and udp: not measured`: one line for all links with the same reason.
    package static func lines(_ reasons: [(link: String, reason: String)]) -> [String] {
        groups(reasons).map { "\(VerdictText.list($0.links)): \($0.reason)" }
    }
}

extension FlightVerdict {
    /// What is said of the links; those of which the same is said share a sentence. The wait on this computer, and how far the vehicle
    /// travels, are left out where they are those of several links (``sharedWait``, ``sharedTravel``).
    package var sharedSentences: [(fitness: Fitness, text: String)] {
        var groups: [(fitness: Fitness, rest: Substring, links: [String])] = []
        let ways = Set(sharedWays.map(\.reason))
        for link in links {
            var rest = link.sentence.dropFirst(link.name.count)
            if sharedWait != nil, let wait = VerdictText.groundWait(link) {
                // It is the last sentence, with a blank before and a period after it.
                rest = rest.dropLast(wait.count + 2)
            }
            if let way = travel(link), ways.contains(way) { rest = rest.replacing(". \(way)", with: "") }
            if let known = groups.firstIndex(where: { $0.fitness == link.fitness && $0.rest == rest }) {
                groups[known].links.append(link.name)
            } else {
                groups.append((link.fitness, rest, [link.name]))
            }
        }
        return groups.map { ($0.fitness, VerdictText.list($0.links) + $0.rest) }
    }

    /// How far the vehicle travels after link loss, where that is the same over several links of which not all is the same.
    package var sharedTravel: [String] {
        sharedWays.map { "\(VerdictText.list($0.links)): a\($0.reason.dropFirst())." }
    }

    private var sharedWays: [(reason: String, links: [String])] {
        let ways = links.compactMap { link in travel(link).map { (link: link.name, reason: $0) } }
        return SharedReasons.groups(ways).filter { way in
            let alike = links.filter { way.links.contains($0.name) }
            return Set(alike.map { $0.sentence.dropFirst($0.name.count) }).count > 1
        }
    }

    /// The part of a link's sentence; `nil` where it has none.
    private func travel(_ link: Link) -> String? {
        VerdictText.travel(link, metresPerSecond: thresholds.speedMetresPerSecond).flatMap {
            link.sentence.contains(". \($0)") ? $0 : nil
        }
    }

    /// The links of which most is the wait on this computer; `nil` where it is one at most, of which its sentence says so.
    package var sharedWait: String? {
        let waits = links.compactMap { link in link.groundWait.map { (name: link.name, wait: $0) } }
        guard waits.count > 1 else { return nil }
        let kinds = SeriesKind.allCases.filter { kind in waits.contains { $0.wait.kind == kind } }.map(\.rawValue)
        let each = waits.map { name, wait in
            "\(name) \(LatencyFigure.milliseconds(Double(wait.nanoseconds))) of "
                + "\(LatencyFigure.milliseconds(Double(wait.wholeNanoseconds))) ms"
        }
        return "Most of it is not the link but the wait before this computer sent it (mean of "
            + "\(kinds.joined(separator: " or "))): \(each.joined(separator: ", "))"
    }
}

extension LatencySummary.Condition {
    /// Why links have no values of a kind.
    package func absences(of kind: SeriesKind) -> [String] {
        SharedReasons.lines(
            links.compactMap { link -> (link: String, reason: String)? in
                guard link[kind] == nil, link.run.failure == nil, case .absent(let reason) = link.run.measured(kind)
                else { return nil }
                return (link.name, reason)
            })
    }

    /// The links of which most is the wait before this computer sent; `nil` if there is none. Over `ssh` it is the link that is busy, with
    /// the command before.
    package func groundWait(of kind: SeriesKind) -> String? {
        let waits = links.compactMap { link -> String? in
            guard link.name != "ssh", let stages = link[kind]?.stages,
                let queue = stages.first(where: { $0.stage == .queue })?.meanNanoseconds
            else { return nil }
            let whole = stages.reduce(0) { $0 + $1.meanNanoseconds }
            guard queue >= Self.leastWaitNanoseconds, queue > whole / 2 else { return nil }
            return "\(link.name) \(LatencyFigure.milliseconds(queue)) of \(LatencyFigure.milliseconds(whole)) ms"
        }
        guard !waits.isEmpty else { return nil }
        return "most of it is not the link but the wait before this computer sent it (mean): "
            + waits.joined(separator: ", ")
    }

    /// What a timer is late on an idle computer.
    private static let leastWaitNanoseconds = 1e5
}
