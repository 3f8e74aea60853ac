internal import LatencyStatistics
internal import Statistics

extension LatencyReport {
    /// One of several runs of the same plan, with its own seed.
    package struct Run: Hashable, Sendable {
        /// What its figures are of.
        package struct Place: Hashable, Sendable {
            /// The number of the condition, from 0.
            package var condition: Int
            package var link: String
            package var kind: SeriesKind

            package init(condition: Int, link: String, kind: SeriesKind) {
                (self.condition, self.link, self.kind) = (condition, link, kind)
            }
        }

        package var seed: UInt64
        package var beganSeconds: Double
        /// Median and p99 of what was intended, nanoseconds, without the first samples of turns; none where the run is too
        /// short, or where they are among what was lost.
        package var medians: [Place: Int64] = [:]
        package var p99s: [Place: Int64] = [:]

        /// The figures of a report of one run.
        init(_ report: LatencyReport) {
            (seed, beganSeconds) = (report.seed, report.beganSeconds)
            for (index, condition) in report.conditions.enumerated() {
                for link in condition.links {
                    for kind in SeriesKind.allCases {
                        guard let series = link.measured(kind).series else { continue }
                        let warm = series.samples.filter { !$0.isCold }
                        let intended = IntendedSamples(
                            delivered: Samples(warm.compactMap(\.nanoseconds)), intended: warm.count)
                        let place = Place(condition: index, link: link.link, kind: kind)
                        if case .delay(let value)? = intended.reported(.p50) { medians[place] = value }
                        if case .delay(let value)? = intended.reported(.p99) { p99s[place] = value }
                    }
                }
            }
        }
    }

    /// Several runs of one plan as one report: its rounds are those of all runs, in their order, and ``runs`` has each run for
    /// itself. Its seed is that of the first.
    ///
    /// - Returns: `nil` without a report; a single one as it is.
    package static func pooled(_ reports: [LatencyReport]) -> LatencyReport? {
        guard var whole = reports.first, reports.count > 1 else { return reports.first }
        whole.runs = reports.map(Run.init)
        for (number, report) in reports.enumerated().dropFirst() {
            let seconds = report.beganSeconds - whole.beganSeconds
            let shift = Int64(exactly: (seconds * 1e9).rounded()) ?? 0
            for (index, condition) in report.conditions.enumerated() {
                guard whole.conditions.indices.contains(index) else {
                    whole.conditions.append(condition)
                    continue
                }
                whole.conditions[index].append(condition, after: shift)
            }
            if whole.endedEarly == nil, let reason = report.endingReason { whole.end(early: reason) }
            whole.notes += report.notes.filter { !whole.notes.contains($0) }.map { "run \(number + 1): \($0)" }
            whole.clockExchanges += report.clockExchanges.map { exchange in
                var exchange = exchange
                exchange.at &+= shift
                return exchange
            }
            whole.lengthSeconds = seconds + report.lengthSeconds
        }
        return whole
    }
}

extension ConditionRun {
    /// - Parameter shift: how much later its times count, nanoseconds.
    fileprivate mutating func append(_ later: ConditionRun, after shift: Int64) {
        // In all links, so that rounds which are paired stay so.
        let rounds = 1 + (links.flatMap(\.series).flatMap(\.samples).map(\.round).max() ?? -1)
        for link in later.links {
            guard let index = links.firstIndex(where: { $0.link == link.link }) else {
                links.append(link)
                continue
            }
            links[index].append(link, after: shift, rounds: rounds)
        }
    }
}

extension LinkRun {
    fileprivate var series: [LatencySeries] { SeriesKind.allCases.compactMap { measured($0).series } }

    fileprivate mutating func append(_ later: LinkRun, after shift: Int64, rounds: Int) {
        // A link that failed in one run has what it measured in the others.
        if failure != nil, later.failure == nil { (how, failure) = (later.how, nil) }
        command.append(later.command, after: shift, rounds: rounds)
        steering.append(later.steering, after: shift, rounds: rounds)
        telemetry.append(later.telemetry, after: shift, rounds: rounds)
        motion.append(later.motion, after: shift, rounds: rounds)
        guard let other = later.cost else { return }
        cost = cost.map { $0 + other } ?? other
    }
}

extension Measured {
    fileprivate mutating func append(_ later: Measured, after shift: Int64, rounds: Int) {
        guard case .series(var more) = later else { return }
        for index in more.samples.indices {
            more.samples[index].round += rounds
            more.samples[index].intendedNanoseconds &+= shift
            if let received = more.samples[index].uselesslyReceivedNanoseconds {
                more.samples[index].uselesslyReceivedNanoseconds = received &+ shift
            }
        }
        guard case .series(var own) = self else {
            self = .series(more)
            return
        }
        own.append(more)
        self = .series(own)
    }
}

extension LatencySeries {
    fileprivate mutating func append(_ later: LatencySeries) {
        let first = 1 + (samples.map(\.number).max() ?? -1)
        // The rate of each counts for as long as that was measured.
        let (own, other) = (Double(samples.count), Double(later.samples.count))
        if let one = achievedHertz, let two = later.achievedHertz, own + other > 0 {
            achievedHertz = (one * own + two * other) / (own + other)
        }
        samples += later.samples.map { sample in
            var sample = sample
            sample.number += first
            return sample
        }
        warmUpDropped += later.warmUpDropped
        untraced += later.untraced
        hasArrivalsOnly = hasArrivalsOnly || later.hasArrivalsOnly
        endsAtSubscriber = endsAtSubscriber && later.endsAtSubscriber
        traffic.append(later.traffic)
        switch (clock, later.clock) {
        case (.measured(let offset, let one), .measured(_, let two)):
            clock = .measured(offsetNanoseconds: offset, boundNanoseconds: max(one, two))
        case (_, .unknown): clock = .unknown
        default: break
        }
    }
}

extension LatencySeries.Traffic {
    /// What is not known of one is not known of both.
    fileprivate mutating func append(_ later: Self) {
        func sum(_ one: Int?, _ other: Int?) -> Int? { one.flatMap { one in other.map { one + $0 } } }
        intended += later.intended
        sent += later.sent
        lostUp = sum(lostUp, later.lostUp)
        lostDown = sum(lostDown, later.lostDown)
        duplicates = sum(duplicates, later.duplicates)
        reordered = sum(reordered, later.reordered)
        stale = sum(stale, later.stale)
    }
}

extension LinkCost {
    fileprivate static func + (one: Self, other: Self) -> Self {
        LinkCost(
            seconds: one.seconds + other.seconds, groundNanoseconds: one.groundNanoseconds &+ other.groundNanoseconds,
            groundWakeUps: one.groundWakeUps &+ other.groundWakeUps,
            vehicleNanoseconds: CostMeter.added(one.vehicleNanoseconds, other.vehicleNanoseconds) { $0 &+ $1 },
            vehicleWakeUps: CostMeter.added(one.vehicleWakeUps, other.vehicleWakeUps) { $0 &+ $1 },
            traffic: CostMeter.added(one.traffic, other.traffic) { $0 + $1 })
    }
}
