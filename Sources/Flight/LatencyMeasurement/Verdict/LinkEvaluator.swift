internal import LatencyStatistics
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
        if let command = link[.command], command.count > 0 {
            (verdict.answersCommands, verdict.fitness) = (true, .commands)
            if let upper = command.upperPercentile?.nanoseconds {
                verdict.commandTravelMetres = speed * Double(upper &+ thresholds.reactionNanoseconds) / 1e9
            }
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

    /// That a link is not suited for steering is seen in less than it takes to call it fit, seconds.
    private static let leastUnsuitedSeconds = 3.0
    /// Of the exposure, what a schedule whose period is rounded may lack.
    private static let tolerance = 0.99

    /// How long it was steered, if that is too short for this verdict. The longer the run, the more has to hold: every
    /// percentile of a short run is its maximum, and what passes has been exposed.
    private func tooFew(_ steering: Measured, for fitness: FlightVerdict.Fitness) -> String? {
        guard case .series(let series) = steering else { return nil }
        let (isSuited, count) = (fitness == .sticks || fitness == .slowSticks, series.traffic.intended)
        let seconds = Self.exposure(series)
        let least = isSuited ? thresholds.exposureSeconds : Self.leastUnsuitedSeconds
        let isShort =
            isSuited ? seconds < least * Self.tolerance : seconds < least && count < Percentile.p99.minimumCount
        guard isShort else { return nil }
        return "\(seconds.formatted(decimals: 1)) s of steering; \(least.formatted(decimals: 0)) s are needed"
    }

    /// How long setpoints were scheduled, seconds.
    private static func exposure(_ series: LatencySeries) -> Double {
        series.intendedHertz.map { $0 > 0 ? Double(series.traffic.intended) / $0 : 0 } ?? 0
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
        verdict.exposureSeconds = Self.exposure(series)
        guard let arrivals = ArrivalRecord(series, lease: lease, refusesStale: hasLease(link.name)),
            let summary = link[.steering]
        else {
            verdict.reasons.append("no setpoint arrived")
            return
        }
        // Where the rate is not known, neither is the age: then it is that of the oldest setpoint.
        let age = worstAge(summary, arrivals)
        verdict.ageNanoseconds = summary.age?.p99Nanoseconds
        verdict.lapsesPerHourBound = LapseRate.upperBound(
            events: arrivals.lapses, seconds: verdict.exposureSeconds
        ).map { $0 * 3600 }
        let gap = arrivals.longestGapNanoseconds
        verdict.worstAgeNanoseconds = arrivals.worstAgeNanoseconds
        verdict.longestGapNanoseconds = gap
        verdict.lapses = arrivals.lapses
        // Below one a second: the rate is that of the longest gap.
        verdict.sustainedHertz =
            arrivals.minimumPerSecond > 0 ? Double(arrivals.minimumPerSecond) : gap > 0 ? 1e9 / Double(gap) : 0
        // A companion refuses setpoints older than the lease, so their age adds at most that.
        let oldest = max(0, arrivals.worstAgeNanoseconds)
        let limited = hasLease(link.name) ? min(oldest, lease) : oldest
        verdict.travelMetres = thresholds.speedMetresPerSecond * Double(limited &+ lease) / 1e9
        verdict.reasons += reasons(verdict, age, summary, lease)
        let holds = verdict.sustainedHertz ?? 0
        if arrivals.lapses > 0 || holds <= thresholds.minimumHertz || age.nanoseconds >= Double(lease)
            || summary.clock == .unknown
        {
            return
        }
        let isSmooth =
            holds >= thresholds.stickHertz && age.nanoseconds < Double(thresholds.noticeableDelayNanoseconds)
        verdict.fitness = isSmooth && !isTelemetryStale(link, &verdict) ? .sticks : .slowSticks
    }

    /// The age of the newest setpoint at the vehicle that counts: what it exceeds in one hundredth of the time, or the
    /// greatest before the exposure is complete, so that a shorter run shows nothing better.
    private func worstAge(
        _ summary: SeriesSummary, _ arrivals: ArrivalRecord
    ) -> (name: String, nanoseconds: Double) {
        guard let age = summary.age else { return ("max", Double(arrivals.worstAgeNanoseconds)) }
        let isLong = age.lengthNanoseconds >= thresholds.exposureSeconds * Self.tolerance * 1e9
        return isLong ? ("p99", age.p99Nanoseconds) : ("max", age.maximumNanoseconds)
    }

    /// Whether telemetry is so old that the pilot flies worse. What is lost is replaced by the next message, so that
    /// the delay of those that arrived counts.
    private func isTelemetryStale(_ link: LatencySummary.Link, _ verdict: inout FlightVerdict.Link) -> Bool {
        guard let seen = link[.telemetry]?.samples else { return false }
        let p99 = seen.reported(.p99)
        guard let old = p99 ?? seen.maximum, old >= thresholds.harmfulDelayNanoseconds else { return false }
        verdict.reasons.append("telemetry is \(VerdictText.milliseconds(old)) old (\(p99 == nil ? "max" : "p99"))")
        return true
    }

    private func reasons(
        _ verdict: FlightVerdict.Link, _ age: (name: String, nanoseconds: Double), _ summary: SeriesSummary,
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
        if age.nanoseconds >= Double(thresholds.noticeableDelayNanoseconds) {
            let old = VerdictText.milliseconds(Int64(saturating: age.nanoseconds))
            reasons.append("the newest setpoint is up to \(old) old (\(age.name))")
        }
        return reasons
    }
}
