/// The measurements of one kind on one link, without the warm-up.
public struct LatencySeries: Hashable, Sendable {
    /// How many were sent, lost and duplicated, as far as both ends of the link can tell.
    public struct Traffic: Hashable, Sendable {
        /// How many were scheduled, whether or not the link accepted them.
        public var intended: Int
        /// How many were handed to the link.
        public var sent: Int
        /// How many never reached the vehicle; `nil` if unknown.
        public var lostUp: Int?
        /// How many answers or telemetry messages never reached the ground; `nil` if unknown.
        public var lostDown: Int?
        /// How many were received more than once.
        public var duplicates: Int?
        /// How many arrived after one that was sent later.
        public var reordered: Int?
        /// How many the vehicle's end refused because they were too old.
        public var stale: Int?

        /// Creates counts; those that are unknown stay `nil`.
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

    /// The relation between the clocks of both ends.
    public enum ClockRelation: Hashable, Sendable {
        /// Both instants were read from one clock: no correction.
        case same
        /// Measured with four timestamps. The values are already corrected by the offset and are within `bound` of the
        /// truth.
        case measured(offsetNanoseconds: Int64, boundNanoseconds: Int64)
        /// The offset is unknown: the values are meaningful only relative to each other.
        case unknown
    }

    /// One sample for each scheduled instant.
    public var samples: [LatencySample]
    /// How many were discarded at the beginning as warm-up.
    public var warmUpDropped: Int
    /// How many were sent, lost and duplicated.
    public var traffic: Traffic
    /// The relation between the clocks.
    public var clock: ClockRelation
    /// The scheduled rate; `nil` where there is none.
    public var intendedHertz: Double?
    /// The rate that arrived at the destination; `nil` where there is no rate.
    public var achievedHertz: Double?
    /// How many samples have no record of the companion although the link has such records: their time on the vehicle is counted
    /// as ``LatencyStage/network``.
    public var untraced: Int

    /// A series.
    public init(
        samples: [LatencySample], warmUpDropped: Int = 0, traffic: Traffic, clock: ClockRelation = .same,
        intendedHertz: Double? = nil, achievedHertz: Double? = nil, untraced: Int = 0
    ) {
        self.samples = samples
        self.warmUpDropped = warmUpDropped
        self.traffic = traffic
        self.clock = clock
        self.intendedHertz = intendedHertz
        self.achievedHertz = achievedHertz
        self.untraced = untraced
    }
}

/// One command, setpoint, telemetry message or movement.
public struct LatencySample: Hashable, Sendable {
    /// Its number in the schedule, from 0.
    public var number: Int
    /// The scheduled instant, nanoseconds since the start of the condition's run, on the ground's clock.
    public var intendedNanoseconds: Int64
    /// Latency from the scheduled instant, nanoseconds; `nil` when it never arrived.
    public var nanoseconds: Int64?
    /// The time of each stage; `nil` when the link cannot tell.
    public var stages: StageTimes?

    /// A sample.
    public init(number: Int, intendedNanoseconds: Int64, nanoseconds: Int64?, stages: StageTimes? = nil) {
        self.number = number
        self.intendedNanoseconds = intendedNanoseconds
        self.nanoseconds = nanoseconds
        self.stages = stages
    }
}
