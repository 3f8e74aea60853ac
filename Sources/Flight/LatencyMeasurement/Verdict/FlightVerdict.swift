public import ReportKit

/// "Can I fly this?": what the figures of one condition mean for a flight, link by link.
public struct FlightVerdict: Hashable, Sendable {
    /// What a link is good for.
    public enum Fitness: String, CaseIterable, Hashable, Sendable {
        /// By the sticks, at full speed.
        case sticks
        /// By the sticks, slowly: the delay is felt or the stream is thin.
        case slowSticks = "slow_sticks"
        /// By commands and trajectories that the vehicle flies alone; not by the sticks.
        case commands
        /// Not at all.
        case nothing
    }

    /// One link.
    public struct Link: Hashable, Sendable {
        /// The name, as in `--links`.
        public var name: String
        /// What it is good for.
        public var fitness: Fitness
        /// The highest rate that holds even in the worst second; `nil` when steering was not measured.
        public var holdsHertz: Double?
        /// The greatest age of a setpoint when it left for ROS, nanoseconds.
        public var worstAgeNanoseconds: Int64?
        /// The longest time without a fresh setpoint, nanoseconds.
        public var longestGapNanoseconds: Int64?
        /// How often the lease would have lapsed.
        public var lapses: Int
        /// How far the vehicle goes from the last thing that the pilot meant until the lease ends it, metres.
        public var travelMetres: Double?
        /// How much further until it stands, metres.
        public var brakingMetres: Double
        /// How far it goes until a command such as hover takes effect, metres; by the slowest of a hundred commands.
        public var commandTravelMetres: Double?
        /// Why it is not fitter, in plain words; empty when nothing speaks against it.
        public var reasons: [String]
        /// In plain words.
        public var sentence: String
    }

    /// What the relay did.
    public let impairment: String
    /// The links in their order.
    public let links: [Link]
    /// The answer in one line.
    public let answer: String
    /// Which mode suits which link, a line each.
    public let modes: [String]
    /// What it goes by.
    public let thresholds: FlightThresholds

    /// The verdict on a condition.
    public init(_ condition: LatencySummary.Condition, thresholds: FlightThresholds = FlightThresholds()) {
        impairment = condition.impairment
        self.thresholds = thresholds
        let links = condition.links.map { LinkJudge(thresholds: thresholds).judge($0) }
        self.links = links
        answer = VerdictWords.answer(links)
        modes = VerdictWords.modes(links)
    }

    /// For scripts.
    public var json: JSONValue {
        [
            "answer": .string(answer),
            "modes": .array(modes.map(JSONValue.string)),
            "speed_m_s": .number(thresholds.speedMetresPerSecond),
            "lease_ms": .number(Double(thresholds.leaseNanoseconds) / 1e6),
            "links": .array(
                links.map { link in
                    [
                        "link": .string(link.name), "fit_for": .string(link.fitness.rawValue),
                        "holds_hz": JSONValue(link.holdsHertz),
                        "worst_age_ms": JSONValue(link.worstAgeNanoseconds.map { Double($0) / 1e6 }),
                        "longest_gap_ms": JSONValue(link.longestGapNanoseconds.map { Double($0) / 1e6 }),
                        "lapses": JSONValue(link.lapses), "travel_m": JSONValue(link.travelMetres),
                        "braking_m": .number(link.brakingMetres),
                        "command_travel_m": JSONValue(link.commandTravelMetres),
                        "reasons": .array(link.reasons.map(JSONValue.string)), "words": .string(link.sentence),
                    ]
                }),
            "sources": .array(thresholds.sources.map(JSONValue.string)),
        ]
    }
}
