internal import ReportKit
internal import Statistics

/// Judges one link by its figures.
struct LinkJudge {
    let thresholds: FlightThresholds

    func judge(_ link: LatencySummary.Link) -> FlightVerdict.Link {
        let speed = thresholds.speedMetresPerSecond
        var verdict = FlightVerdict.Link(
            name: link.name, fitness: .nothing, lapses: 0,
            brakingMetres: speed * speed / (2 * thresholds.brakingMetresPerSecondSquared), reasons: [], sentence: "")
        if let failure = link.run.failure {
            verdict.reasons = [failure]
            verdict.sentence = VerdictWords.sentence(verdict, thresholds)
            return verdict
        }
        let command = link[.command]?.usualWorst
        if let command {
            let reaction = thresholds.reactionNanoseconds
            verdict.commandTravelMetres = speed * Double(command.nanoseconds + reaction) / 1e9
            verdict.fitness = .commands
        }
        judgeSteering(link, &verdict)
        if verdict.fitness == .nothing, verdict.reasons.isEmpty {
            verdict.reasons = ["neither commands nor steering could be measured"]
        }
        verdict.sentence = VerdictWords.sentence(verdict, thresholds)
        return verdict
    }

    /// Whether the link ends at a companion, which holds the lease.
    private func hasLease(_ name: String) -> Bool { name == "udp" || name == "tcp" || name == "ssh-tunnel" }

    private func judgeSteering(_ link: LatencySummary.Link, _ verdict: inout FlightVerdict.Link) {
        let lease = hasLease(link.name) ? thresholds.leaseNanoseconds : thresholds.trackerTimeOutNanoseconds
        guard case .series(let series) = link.run.steering else {
            if case .absent(let reason) = link.run.steering { verdict.reasons.append("no steering: \(reason)") }
            return
        }
        guard let arrivals = ArrivalRecord(series, lease: lease, refusesStale: hasLease(link.name)),
            let summary = link[.steering],
            let worst = summary.usualWorst
        else {
            verdict.reasons.append("no setpoint arrived")
            return
        }
        let gap = arrivals.longestGapNanoseconds
        verdict.worstAgeNanoseconds = arrivals.worstAgeNanoseconds
        verdict.longestGapNanoseconds = gap
        verdict.lapses = arrivals.lapses
        // Less than one a second: what can be said is how long one waits for the next.
        verdict.holdsHertz =
            arrivals.fewestInASecond > 0 ? Double(arrivals.fewestInASecond) : gap > 0 ? 1e9 / Double(gap) : 0
        // A companion refuses setpoints older than the lease, so that is the most that their age adds.
        let worstAge = max(0, arrivals.worstAgeNanoseconds)
        let age = hasLease(link.name) ? min(worstAge, lease) : worstAge
        verdict.travelMetres = thresholds.speedMetresPerSecond * Double(age + lease) / 1e9
        verdict.reasons += reasons(verdict, worst, summary, lease)
        let holds = verdict.holdsHertz ?? 0
        if arrivals.lapses > 0 || holds <= thresholds.leastHertz || worst.nanoseconds >= lease
            || summary.clock == .unknown
        {
            return
        }
        let isSmooth = holds >= thresholds.stickHertz && worst.nanoseconds < thresholds.noticedNanoseconds
        verdict.fitness = isSmooth && !looksOld(link, &verdict) ? .sticks : .slowSticks
    }

    /// Whether what the pilot sees is so old that he flies worse by it.
    private func looksOld(_ link: LatencySummary.Link, _ verdict: inout FlightVerdict.Link) -> Bool {
        guard let seen = link[.telemetry]?.usualWorst, seen.nanoseconds >= thresholds.worseNanoseconds else {
            return false
        }
        verdict.reasons.append("what one sees is \(VerdictWords.milliseconds(seen.nanoseconds)) old (\(seen.name))")
        return true
    }

    private func reasons(
        _ verdict: FlightVerdict.Link, _ worst: (name: String, nanoseconds: Int64), _ summary: SeriesSummary,
        _ lease: Int64
    ) -> [String] {
        var reasons: [String] = []
        if summary.clock == .unknown { reasons.append("the clocks were not compared, so ages mean nothing") }
        if let bound = summary.boundNanoseconds, bound >= thresholds.noticedNanoseconds {
            reasons.append("the clocks may be \(VerdictWords.milliseconds(bound)) apart")
        }
        if verdict.lapses > 0, let gap = verdict.longestGapNanoseconds {
            let times = verdict.lapses == 1 ? "once" : "\(verdict.lapses) times"
            reasons.append(
                "\(times) no fresh setpoint came for \(VerdictWords.milliseconds(lease)) or more "
                    + "(the longest time: \(VerdictWords.milliseconds(gap)))")
        }
        if let holds = verdict.holdsHertz, holds < thresholds.stickHertz {
            reasons.append("only \(VerdictWords.rate(holds)) a second hold")
        }
        if worst.nanoseconds >= thresholds.noticedNanoseconds {
            reasons.append("setpoints are \(VerdictWords.milliseconds(worst.nanoseconds)) old (\(worst.name))")
        }
        return reasons
    }
}
