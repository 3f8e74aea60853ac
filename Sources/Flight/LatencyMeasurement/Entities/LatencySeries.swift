internal import LatencyStatistics

/// The measurements of one kind on one link, without the warm-up.
package struct LatencySeries: Hashable, Sendable {
    /// How many were sent, lost and duplicated, as far as both ends of the link can tell.
    package struct Traffic: Hashable, Sendable {
        /// How many were scheduled, whether or not the link accepted them.
        package var intended: Int
        /// How many were handed to the link.
        package var sent: Int
        /// How many never reached the vehicle; `nil` if unknown.
        package var lostUp: Int?
        /// How many answers or telemetry messages never reached the ground; `nil` if unknown.
        package var lostDown: Int?
        /// How many were received more than once.
        package var duplicates: Int?
        /// How many arrived after one that was sent later.
        package var reordered: Int?
        /// How many the vehicle's end refused because they were too old.
        package var stale: Int?

        /// Creates counts; those that are unknown stay `nil`.
        package init(
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
    package enum ClockRelation: Hashable, Sendable {
        /// Both instants were read from one clock: no correction.
        case same
        /// Measured with four timestamps. The values are already corrected by the offset and are within `bound` of the
        /// truth.
        case measured(offsetNanoseconds: Int64, boundNanoseconds: Int64)
        /// The offset is unknown: the values are meaningful only relative to each other.
        case unknown
    }

    /// One sample for each scheduled instant.
    package var samples: [LatencySample]
    /// How many were discarded at the beginning as warm-up.
    package var warmUpDropped: Int
    /// How many were sent, lost and duplicated.
    package var traffic: Traffic
    /// The relation between the clocks.
    package var clock: ClockRelation
    /// The scheduled rate; `nil` where there is none.
    package var intendedHertz: Double?
    /// The rate that arrived at the destination; `nil` where there is no rate.
    package var achievedHertz: Double?
    /// How many samples have no record of the companion although the link has such records: their time on the vehicle is counted
    /// as ``LatencyStage/network``.
    package var untraced: Int
    /// From which instant the values count; `nil` where it is the scheduled one, or not stated.
    package var origin: TelemetryOrigin?
    /// Whether only what arrived is known, not what was sent: then nothing can be said of losses.
    package var hasArrivalsOnly = false
    /// Whether steering ends when the companion's own subscriber has read the setpoint, and not when it has left.
    package var endsAtSubscriber = false

    package init(
        samples: [LatencySample], warmUpDropped: Int = 0, traffic: Traffic, clock: ClockRelation = .same,
        intendedHertz: Double? = nil, achievedHertz: Double? = nil, untraced: Int = 0, origin: TelemetryOrigin? = nil
    ) {
        self.samples = samples
        self.warmUpDropped = warmUpDropped
        self.traffic = traffic
        self.clock = clock
        self.intendedHertz = intendedHertz
        self.achievedHertz = achievedHertz
        self.untraced = untraced
        self.origin = origin
    }
}

/// What became of a sample.
package enum SampleFate: String, Hashable, Sendable {
    /// It arrived and took effect: it has a latency.
    case delivered
    /// It never arrived, or no answer did; or the vehicle's end refused it.
    case lost
    /// It arrived too old to take effect.
    case late
    /// A newer one took its place: before it was sent, or since it arrived after that.
    case superseded
}

/// One command, setpoint, telemetry message or movement.
package struct LatencySample: Hashable, Sendable {
    /// Its number in the schedule, from 0.
    package var number: Int
    /// The scheduled instant, nanoseconds since the start of the condition's run, on the ground's clock.
    package var intendedNanoseconds: Int64
    /// Latency from the scheduled instant, nanoseconds; `nil` when it never arrived.
    package var nanoseconds: Int64?
    /// The time of each stage; `nil` when the link cannot tell.
    package var stages: StageTimes?
    /// The round of its turn, from 0.
    package var round: Int
    /// Whether it was the first of its turn, which meets caches and queues that the others have warmed up: its figures
    /// are apart.
    package var isCold: Bool
    /// The largest error of the latency for the clocks of both ends, nanoseconds; `nil` where that is not known, or one clock was
    /// read.
    package var clockBoundNanoseconds: Int64?
    /// When it was received, although it has no latency: nanoseconds since the start of the condition's run, on the ground's clock.
    package var uselesslyReceivedNanoseconds: Int64?
    private var statedFate: SampleFate?

    /// What became of it.
    package var fate: SampleFate {
        get { nanoseconds != nil ? .delivered : statedFate ?? .lost }
        set { statedFate = newValue }
    }

    /// When it was received, nanoseconds since the start of the condition's run, on the ground's clock; `nil` if it was not.
    package var receivedNanoseconds: Int64? {
        nanoseconds.map { intendedNanoseconds &+ $0 } ?? uselesslyReceivedNanoseconds
    }

    package init(
        number: Int, intendedNanoseconds: Int64, nanoseconds: Int64?, stages: StageTimes? = nil, round: Int = 0,
        isCold: Bool = false
    ) {
        self.number = number
        self.intendedNanoseconds = intendedNanoseconds
        self.nanoseconds = nanoseconds
        self.stages = stages
        self.round = round
        self.isCold = isCold
    }

    /// As the estimators see it.
    var observation: DelayObservation {
        DelayObservation(round: round, intendedNanoseconds: intendedNanoseconds, nanoseconds: nanoseconds)
    }
}
