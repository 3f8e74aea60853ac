internal import LatencyMeasurement
internal import ReportKit
internal import Statistics
internal import UAVLink

/// The verdict on a condition as the screen says it: "too short to judge" where too few setpoints were measured for
/// the verdict.
struct LatencyVerdictWords {
    /// A link with its verdict.
    struct Link {
        /// What it is suited for; `nil` if it was measured for too short a time.
        var fitness: FlightVerdict.Fitness?
        var sentence: String
    }

    /// The answer to "Can I fly this?".
    let answer: String
    let links: [Link]
    /// Which mode suits which link, one line each; empty where a link was measured for too short a time.
    let modes: [String]
    /// The sources of the thresholds.
    let sources: [String]

    /// The verdict on a condition of a result; `nil` if there is no such condition.
    init?(_ shown: LatencyLabResult, condition index: Int) {
        let (verdicts, conditions) = (shown.result.verdicts, shown.result.summary.conditions)
        guard verdicts.indices.contains(index), conditions.indices.contains(index) else { return nil }
        let verdict = verdicts[index]
        let isInterrupted = shown.isInterrupted(in: index)
        var unjudged: [String] = []
        links = verdict.links.map { link in
            guard let few = Self.tooFew(link, in: conditions[index], isInterrupted: isInterrupted) else {
                return Link(fitness: link.fitness, sentence: link.sentence.sanitizedLine)
            }
            unjudged.append(link.name.sanitizedLine)
            return Link(fitness: nil, sentence: "\(link.name): too short to judge: \(few)".sanitizedLine)
        }
        answer =
            unjudged.isEmpty
            ? verdict.answer.sanitizedLine : "Too short to judge \(VerdictText.list(unjudged)): measure for longer."
        modes = unjudged.isEmpty ? verdict.modes.map(\.sanitizedLine) : []
        sources = verdict.thresholds.sources
    }

    /// The verdict uses the 99th percentile of the setpoints' age; with fewer setpoints than that takes, a link is judged
    /// only if they were sent for this long, seconds.
    private static let leastSeconds = 10.0

    /// How many setpoints there are, if they are too few for the verdict on a link.
    ///
    /// That a link is not suited can be seen from a few, but not in the first seconds of a measurement that was
    /// interrupted then.
    static func tooFew(
        _ link: FlightVerdict.Link, in condition: LatencySummary.Condition, isInterrupted: Bool
    ) -> String? {
        guard let measured = condition.links.first(where: { $0.name == link.name }), measured.run.failure == nil else {
            return nil
        }
        let isSuited = link.fitness == .sticks || link.fitness == .slowSticks
        guard isSuited || isInterrupted else { return nil }
        let least = Percentile.p99.minimumCount
        let steering = measured[.steering]
        let (count, sent) = (steering?.count ?? 0, steering?.traffic.intended ?? 0)
        let seconds = steering?.intendedHertz.map { $0 > 0 ? Double(sent) / $0 : 0 } ?? 0
        guard count < least, seconds < leastSeconds else { return nil }
        return "\(count) setpoint\(count == 1 ? "" : "s") in \(seconds.formatted(decimals: 1)) s; "
            + "\(least), or \(leastSeconds.formatted(decimals: 0)) s of them, are needed"
    }
}
