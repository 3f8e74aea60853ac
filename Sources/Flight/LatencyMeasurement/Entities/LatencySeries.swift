/// What was measured of one kind on one link, warm-up dropped.
public struct LatencySeries: Hashable, Sendable {
    /// What was sent and what became of it, as far as the link's ends can tell.
    public struct Traffic: Hashable, Sendable {
        /// How many were to be sent: the schedule's count, whether or not the link took them.
        public var intended: Int
        /// How many were handed to the link.
        public var sent: Int
        /// How many never reached the vehicle; `nil` when nobody can tell.
        public var lostUp: Int?
        /// How many never came back, or down, to the ground; `nil` when nobody can tell.
        public var lostDown: Int?
        /// How many came again.
        public var duplicates: Int?
        /// How many came after one that was sent later.
        public var reordered: Int?
        /// How many the vehicle's end refused for their age.
        public var stale: Int?

        /// What was sent and what became of it.
        public init(
            intended: Int, sent: Int, lostUp: Int? = nil, lostDown: Int? = nil, duplicates: Int? = nil,
            reordered: Int? = nil, stale: Int? = nil
        ) {
            self.intended = intended
            self.sent = sent
            self.lostUp = lostUp
            self.lostDown = lostDown
            self.duplicates = duplicates
            self.reordered = reordered
            self.stale = stale
        }
    }

    /// How the clocks of both ends stand to each other.
    public enum ClockRelation: Hashable, Sendable {
        /// Both instants were read from one clock: nothing to correct.
        case same
        /// Measured with four timestamps. The values have the offset taken out already and are within `bound` of the truth.
        case measured(offsetNanoseconds: Int64, boundNanoseconds: Int64)
        /// Nobody knows: the values mean nothing but in comparison with each other.
        case unknown
    }

    /// One value each.
    public var samples: [LatencySample]
    /// How many at the beginning were left out.
    public var warmUpDropped: Int
    /// What was sent and what became of it.
    public var traffic: Traffic
    /// How the clocks stood.
    public var clock: ClockRelation
    /// How many a second were intended; `nil` where there is no rate.
    public var intendedHertz: Double?
    /// How many a second really arrived where they were to go; `nil` where there is no rate.
    public var achievedHertz: Double?

    /// A series.
    public init(
        samples: [LatencySample], warmUpDropped: Int = 0, traffic: Traffic, clock: ClockRelation = .same,
        intendedHertz: Double? = nil, achievedHertz: Double? = nil
    ) {
        self.samples = samples
        self.warmUpDropped = warmUpDropped
        self.traffic = traffic
        self.clock = clock
        self.intendedHertz = intendedHertz
        self.achievedHertz = achievedHertz
    }
}

/// One command, setpoint, telemetry message or movement.
public struct LatencySample: Hashable, Sendable {
    /// Its place in the schedule, from 0.
    public var number: Int
    /// When it was meant to begin, nanoseconds since the condition's run began, on the ground's clock.
    public var intendedNanoseconds: Int64
    /// How long it took from then on, nanoseconds; `nil` when it never came.
    public var nanoseconds: Int64?
    /// Where the time went; `nil` when the link cannot tell.
    public var stages: StageTimes?

    /// A value.
    public init(number: Int, intendedNanoseconds: Int64, nanoseconds: Int64?, stages: StageTimes? = nil) {
        self.number = number
        self.intendedNanoseconds = intendedNanoseconds
        self.nanoseconds = nanoseconds
        self.stages = stages
    }
}
