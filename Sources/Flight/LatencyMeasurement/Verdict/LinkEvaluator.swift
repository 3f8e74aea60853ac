internal import ReportKit
internal import Statistics

/// Derives the verdict on one link from its figures.
struct LinkEvaluator {
    let thresholds: FlightThresholds

    func judge(_ link: LatencySummary.Link) -> FlightVerdict.Link {
        let speed = thresholds.speedMetresPerSecond
        var verdict = FlightVerdict.Link(
            name: link.name, fitness: .nothing, lapses: 0,
            brakingMetres: speed * speed / (2 * thresholds.brakingMetresPerSecondSquared), reasons: [], sentence: "")
        if let failure = link.run.failure {
            verdict.reasons = [failure]
            verdict.sentence = VerdictText.sentence(verdict, thresholds)
            return verdict
        }
        let command = link[.command]?.upperPercentile
        if let command {
            let reaction = thresholds.reactionNanoseconds
            verdict.commandTravelMetres = speed * Double(command.nanoseconds + reaction) / 1e9
            verdict.fitness = .commands
        }
        judgeSteering(link, &verdict)
        if let few = tooFew(link.run.steering, for: verdict.fitness) {
            (verdict.fitness, verdict.reasons) = (.unknown, [few])
        }
        verdict.groundWait = groundWait(link)
        if verdict.fitness == .nothing, verdict.reasons.isEmpty {
            verdict.reasons = ["neither commands nor steering could be measured"]
        }
        verdict.sentence = VerdictText.sentence(verdict, thresholds)
        return verdict
    }

    /// The verdict uses the 99th percentile of the setpoints' age; with fewer setpoints than that takes, a link is judged only if they
    /// were sent for this long, seconds. That a link is not suited for steering is seen in less.
    private static let (leastSeconds, leastUnsuitedSeconds) = (10.0, 3.0)

    /// How many setpoints there were, if they are too few for a verdict. The lost ones count: they too say what the link does.
    private func tooFew(_ steering: Measured, for fitness: FlightVerdict.Fitness) -> String? {
        guard case .series(let series) = steering else { return nil }
        let isSuited = fitness == .sticks || fitness == .slowSticks
        let (count, least) = (series.traffic.intended, Percentile.p99.minimumCount)
        let leastSeconds = isSuited ? Self.leastSeconds : Self.leastUnsuitedSeconds
        let seconds = series.intendedHertz.map { $0 > 0 ? Double(count) / $0 : 0 } ?? 0
        guard count < least, seconds < leastSeconds else { return nil }
        return "\(count) setpoint\(count == 1 ? "" : "s") in \(seconds.formatted(decimals: 1)) s; "
            + "\(least), or \(leastSeconds.formatted(decimals: 0)) s of them, are needed"
    }

    /// The wait before sending where it takes most of the time. Over SSH it is the link that is busy: with the command before.
    private func groundWait(_ link: LatencySummary.Link) -> FlightVerdict.Link.GroundWait? {
        guard link.name != "ssh" else { return nil }
        for kind in [SeriesKind.steering, .command] {
            guard let stages = link[kind]?.stages,
                let queue = stages.first(where: { $0.stage == .queue })?.meanNanoseconds
            else { continue }
            let whole = stages.reduce(0) { $0 + $1.meanNanoseconds }
            // Below a millisecond it does not matter for a flight.
            guard queue >= 1e6, queue > whole / 2 else { continue }
            return .init(
                kind: kind, nanoseconds: Int64(saturating: queue), wholeNanoseconds: Int64(saturating: whole))
        }
        return nil
    }

    /// Whether the link ends at a companion, which enforces the lease.
    private func hasLease(_ name: String) -> Bool { name == "udp" || name == "tcp" || name == "ssh-tunnel" }

    private func judgeSteering(_ link: LatencySummary.Link, _ verdict: inout FlightVerdict.Link) {
        let lease = hasLease(link.name) ? thresholds.leaseNanoseconds : thresholds.trackerTimeOutNanoseconds
        guard case .series(let series) = link.run.steering else {
            if case .absent(let reason) = link.run.steering { verdict.reasons.append("no steering: \(reason)") }
            return
        }
        guard let arrivals = ArrivalRecord(series, lease: lease, refusesStale: hasLease(link.name)),
            let summary = link[.steering],
            let worst = summary.upperPercentile
        else {
            verdict.reasons.append("no setpoint arrived")
            return
        }
        let gap = arrivals.longestGapNanoseconds
        verdict.worstAgeNanoseconds = arrivals.worstAgeNanoseconds
        verdict.longestGapNanoseconds = gap
        verdict.lapses = arrivals.lapses
        // Below one a second: the rate is that of the longest gap.
        verdict.sustainedHertz =
            arrivals.minimumPerSecond > 0 ? Double(arrivals.minimumPerSecond) : gap > 0 ? 1e9 / Double(gap) : 0
        // A companion refuses setpoints older than the lease, so their age adds at most that.
        let worstAge = max(0, arrivals.worstAgeNanoseconds)
        let age = hasLease(link.name) ? min(worstAge, lease) : worstAge
        verdict.travelMetres = thresholds.speedMetresPerSecond * Double(age + lease) / 1e9
        verdict.reasons += reasons(verdict, worst, summary, lease)
        let holds = verdict.sustainedHertz ?? 0
        if arrivals.lapses > 0 || holds <= thresholds.minimumHertz || worst.nanoseconds >= lease
            || summary.clock == .unknown
        {
            return
        }
        let isSmooth = holds >= thresholds.stickHertz && worst.nanoseconds < thresholds.noticeableDelayNanoseconds
        verdict.fitness = isSmooth && !isTelemetryStale(link, &verdict) ? .sticks : .slowSticks
    }

    /// Whether telemetry is so old that the pilot flies worse.
    private func isTelemetryStale(_ link: LatencySummary.Link, _ verdict: inout FlightVerdict.Link) -> Bool {
        guard let seen = link[.telemetry]?.upperPercentile, seen.nanoseconds >= thresholds.harmfulDelayNanoseconds
        else {
            return false
        }
        verdict.reasons.append("telemetry is \(VerdictText.milliseconds(seen.nanoseconds)) old (\(seen.name))")
        return true
    }

    private func reasons(
        _ verdict: FlightVerdict.Link, _ worst: (name: String, nanoseconds: Int64), _ summary: SeriesSummary,
        _ lease: Int64
    ) -> [String] {
        var reasons: [String] = []
        if summary.clock == .unknown { reasons.append("the clocks were not compared, so ages are not meaningful") }
        if let bound = summary.boundNanoseconds, bound >= thresholds.noticeableDelayNanoseconds {
            reasons.append("the clock offset is only known within \(VerdictText.milliseconds(bound))")
        }
        if verdict.lapses > 0, let gap = verdict.longestGapNanoseconds {
            let times = verdict.lapses == 1 ? "once" : "\(verdict.lapses) times"
            reasons.append(
                "\(times) no fresh setpoint arrived for \(VerdictText.milliseconds(lease)) or more "
                    + "(longest gap: \(VerdictText.milliseconds(gap)))")
        }
        if let holds = verdict.sustainedHertz, holds < thresholds.stickHertz {
            reasons.append("only \(VerdictText.rate(holds)) setpoints a second are sustained")
        }
        if worst.nanoseconds >= thresholds.noticeableDelayNanoseconds {
            reasons.append("setpoints are \(VerdictText.milliseconds(worst.nanoseconds)) old (\(worst.name))")
        }
        return reasons
    }
}
