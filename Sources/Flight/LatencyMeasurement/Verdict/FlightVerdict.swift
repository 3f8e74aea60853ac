package import LatencyStatistics
package import ReportKit

/// "Can I fly this?": what the figures of one condition mean for a flight, for each link.
package struct FlightVerdict: Hashable, Sendable {
    /// What a link is suited for.
    package enum Fitness: String, CaseIterable, Hashable, Sendable {
        /// Manual steering at full speed.
        case sticks
        /// Manual steering at low speed: the delay is noticeable or the rate is low.
        case slowSticks = "slow_sticks"
        /// Commands and trajectories that the vehicle flies on its own; no manual steering.
        case commands
        /// Nothing.
        case nothing
        /// Not known: there is not enough data.
        case unknown
    }

    /// The verdict on one link.
    package struct Link: Hashable, Sendable {
        /// The name, as in `--links`.
        package var name: String
        /// What it is suited for.
        package var fitness: Fitness
        /// The rate sustained even in the worst second; `nil` when steering was not measured.
        package var sustainedHertz: Double?
        /// How long it was steered, seconds.
        package var exposureSeconds = 0.0
        /// The upper 95 percent bound of the rate at which the lease would expire, an hour; `nil` when steering was not
        /// measured.
        package var lapsesPerHourBound: Double?
        /// The age of the newest setpoint at the vehicle that is exceeded in one hundredth of the time, nanoseconds.
        package var ageNanoseconds: Double?
        /// Whether any command was answered.
        package var answersCommands = false
        /// The greatest age of a setpoint when it left for ROS, nanoseconds.
        package var worstAgeNanoseconds: Int64?
        /// The longest time without a fresh setpoint, nanoseconds.
        package var longestGapNanoseconds: Int64?
        /// How often the lease would have expired.
        package var lapses: Int
        /// Distance from the pilot's last setpoint until the lease expires, metres.
        package var travelMetres: Double?
        /// Braking distance after that, metres.
        package var brakingMetres: Double
        /// Distance until a command such as hover takes effect, metres; by ``SeriesSummary/upperPercentile`` of the commands.
        package var commandTravelMetres: Double?
        /// The wait on this computer, if it takes most of the time.
        package struct GroundWait: Hashable, Sendable {
            /// What was measured.
            package var kind: SeriesKind
            /// The mean wait before it was sent, nanoseconds.
            package var nanoseconds: Int64
            /// The mean latency, nanoseconds.
            package var wholeNanoseconds: Int64
        }

        /// The wait on this computer; `nil` unless it takes most of the time.
        package var groundWait: GroundWait?
        /// Why it is not suited for more, as text; empty when there is no reason.
        package var reasons: [String]
        /// The verdict as text.
        package var sentence: String
    }

    /// What the relay did.
    package let impairment: String
    /// The links in their order.
    package let links: [Link]
    /// The answer in one line.
    package let answer: String
    /// Which mode suits which link, one line each; empty if there is not enough data of a link.
    package let modes: [String]
    /// The thresholds used.
    package let thresholds: FlightThresholds

    /// The verdict on a condition.
    package init(_ condition: LatencySummary.Condition, thresholds: FlightThresholds = FlightThresholds()) {
        impairment = condition.impairment
        self.thresholds = thresholds
        // Of a machine's own protocol nobody knows when a setpoint has arrived, so that it is neither fit nor unfit.
        let judged = condition.links.filter { $0.name != MeasuredLink.direct.rawValue }
        let links = judged.map { LinkEvaluator(thresholds: thresholds).judge($0) }
        self.links = links
        let isUnjudged = links.isEmpty && !condition.links.isEmpty
        answer = isUnjudged ? VerdictText.unjudged : VerdictText.answer(links)
        modes = isUnjudged ? [] : VerdictText.modes(links)
    }

    /// JSON, for scripts.
    package var json: JSONValue {
        [
            "answer": .string(answer),
            "modes": .array(modes.map(JSONValue.string)),
            "speed_m_s": .number(thresholds.speedMetresPerSecond),
            "lease_ms": .number(Double(thresholds.leaseNanoseconds) / 1e6),
            "links": .array(
                links.map { link in
                    [
                        "link": .string(link.name), "fit_for": .string(link.fitness.rawValue),
                        "holds_hz": JSONValue(link.sustainedHertz),
                        "worst_age_ms": JSONValue(link.worstAgeNanoseconds.map { Double($0) / 1e6 }),
                        "longest_gap_ms": JSONValue(link.longestGapNanoseconds.map { Double($0) / 1e6 }),
                        "lapses": JSONValue(link.lapses), "exposure_s": .number(link.exposureSeconds),
                        "lapses_per_hour_below": JSONValue(link.lapsesPerHourBound),
                        "age_p99_ms": JSONValue(link.ageNanoseconds.map { $0 / 1e6 }),
                        "travel_m": JSONValue(link.travelMetres),
                        "braking_m": .number(link.brakingMetres),
                        "command_travel_m": JSONValue(link.commandTravelMetres),
                        "reasons": .array(link.reasons.map(JSONValue.string)), "words": .string(link.sentence),
                    ]
                }),
            "sources": .array(thresholds.sources.map(JSONValue.string)),
        ]
    }
}
