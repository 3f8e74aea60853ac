internal import ChannelProtocol
internal import LatencyStatistics
internal import UAVLink

/// The companion's clock as a whole run's exchanges show it.
extension ClockTrack {
    /// All exchanges of a trace; `nil` if there is none.
    init?(_ exchanges: [ChannelTrace.Exchange]) {
        self.init(exchanges.map { ClockExchangeSample($0, since: MonotonicTime(nanoseconds: 0)) })
    }

    /// An instant of the companion's clock on ours, and the largest error of that, nanoseconds.
    ///
    /// - Parameter near: an instant of our clock not far from it, such as when it was asked for.
    func ours(_ theirs: MonotonicTime, near: MonotonicTime) -> (at: MonotonicTime, bound: Int64) {
        let guess = theirs.nanoseconds &- reading(at: near.nanoseconds).offset
        let reading = reading(at: guess)
        return (MonotonicTime(nanoseconds: theirs.nanoseconds &- reading.offset), reading.bound)
    }

    /// The reading at an instant of our clock, for a recording.
    func clock(at instant: MonotonicTime) -> ChannelTrace.Clock {
        let reading = reading(at: instant.nanoseconds)
        return .init(offsetNanoseconds: reading.offset, boundNanoseconds: reading.bound)
    }

    /// How the clocks were related over the samples: the offset in their middle, and the largest bound of any.
    func relation(over samples: [LatencySample], since start: MonotonicTime) -> LatencySeries.ClockRelation {
        let middle = samples.isEmpty ? 0 : samples[samples.count / 2].intendedNanoseconds
        let reading = reading(at: start.nanoseconds &+ middle)
        let bound = samples.compactMap(\.clockBoundNanoseconds).max()
        return .measured(offsetNanoseconds: reading.offset, boundNanoseconds: bound ?? reading.bound)
    }
}

extension ClockExchangeSample {
    /// An exchange, its instant counted from the beginning of something.
    init(_ exchange: ChannelTrace.Exchange, since began: MonotonicTime) {
        self.init(
            at: exchange.at.nanoseconds &- began.nanoseconds, offset: exchange.offsetNanoseconds,
            roundTrip: exchange.roundTripNanoseconds, held: exchange.heldNanoseconds)
    }
}

/// Stamps of the vehicle's wall clock, read as if they were of ours, on our monotonic clock.
struct StampTrack: Sendable {
    let track: ClockTrack
    /// Our wall clock minus our monotonic one, minus the same of the vehicle; nanoseconds.
    let wallsApart: Int64

    /// A stamp on our clock, and the largest error of that, nanoseconds.
    func ours(_ stamp: MonotonicTime, near: MonotonicTime) -> (at: MonotonicTime, bound: Int64) {
        track.ours(MonotonicTime(nanoseconds: stamp.nanoseconds &+ wallsApart), near: near)
    }

    /// A message with a stamp of the vehicle; without a track it is meaningful only relative to others.
    static func sample(
        _ track: Self?, _ number: Int, stampedAt: MonotonicTime, arrivedAt: MonotonicTime, since start: MonotonicTime,
        round: Int = 0
    ) -> LatencySample {
        let began = track?.ours(stampedAt, near: arrivedAt)
        let whole = (arrivedAt - (began?.at ?? stampedAt)).nanoseconds
        var sample = LatencySample(
            number: number, intendedNanoseconds: ((began?.at ?? stampedAt) - start).nanoseconds, nanoseconds: whole,
            stages: StageTimes(whole: whole, known: [:]), round: round)
        sample.clockBoundNanoseconds = began?.bound
        return sample
    }
}
