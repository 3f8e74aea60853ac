package import Statistics

/// The age of the newest setpoint that the vehicle has, over time (Kaul, Yates and Gruteser 2012, Real-time status: how
/// often should one update?): a sawtooth that rises with time and falls when a newer setpoint arrives. Unlike the
/// delays of single setpoints it shows what losses and stalls do to a flight.
///
/// Within a turn it begins when the first setpoint would have arrived with the turn's smallest delay, and ends one
/// period after the last one would have; a turn in which nothing arrived grows old from its first scheduled instant on.
/// Setpoints that arrive after newer ones change nothing.
package struct AgeOfInformation: Hashable, Sendable {
    /// The mean over time, nanoseconds.
    package let meanNanoseconds: Double
    /// What the age exceeds in one hundredth of the time, nanoseconds.
    package let p99Nanoseconds: Double
    /// The greatest age, nanoseconds.
    package let maximumNanoseconds: Double
    /// The times from one newer setpoint to the next, nanoseconds; the ends of turns cut some short.
    package let gaps: Samples
    /// How long it was observed, nanoseconds.
    package let lengthNanoseconds: Double

    /// The age over all turns; `nil` where there is nothing to observe.
    ///
    /// - Parameter period: from one scheduled instant to the next, nanoseconds.
    package init?(_ observations: some Sequence<DelayObservation>, period: Int64) {
        guard period > 0 else { return nil }
        var teeth: [Tooth] = []
        for turn in observations.byRound() { teeth += Self.teeth(turn, period: period) }
        let length = teeth.reduce(0.0) { $0 + ($1.end - $1.begin) }
        guard length > 0, let low = teeth.map(\.begin).min(), let high = teeth.map(\.end).max() else { return nil }
        lengthNanoseconds = length
        meanNanoseconds = teeth.reduce(0.0) { $0 + ($1.end - $1.begin) * ($1.end + $1.begin) / 2 } / length
        maximumNanoseconds = high
        gaps = Samples(teeth.map { Int64(exactly: ($0.end - $0.begin).rounded()) ?? .max })
        p99Nanoseconds = Self.quantile(0.99, teeth, length: length, low, high)
    }

    /// The age from one update to the next: it grows as fast as time.
    private struct Tooth {
        var begin: Double
        var end: Double
    }

    private static func teeth(_ turn: [DelayObservation], period: Int64) -> [Tooth] {
        guard let first = turn.first?.intendedNanoseconds, let last = turn.last?.intendedNanoseconds else { return [] }
        let least = turn.compactMap(\.nanoseconds).min() ?? 0
        let end = last &+ period &+ least
        let arrivals = turn.compactMap { observation in
            observation.arrivalNanoseconds.map { (at: $0, generated: observation.intendedNanoseconds) }
        }.sorted { ($0.at, $0.generated) < ($1.at, $1.generated) }
        var teeth: [Tooth] = []
        var (newest, since) = (first, first &+ least)
        func rise(until instant: Int64) {
            guard instant > since else { return }
            teeth.append(Tooth(begin: Double(since &- newest), end: Double(instant &- newest)))
        }
        for arrival in arrivals where arrival.generated > newest && arrival.at <= end {
            rise(until: arrival.at)
            (newest, since) = (arrival.generated, arrival.at)
        }
        rise(until: end)
        return teeth
    }

    /// Bisection of the share of time with at most this age, to a nanosecond.
    private static func quantile(
        _ share: Double, _ teeth: [Tooth], length: Double, _ low: Double, _ high: Double
    ) -> Double {
        var (low, high) = (low, high)
        // Bounded, since beyond 2^53 ns the middle of two neighbours is one of them.
        for _ in 0..<80 where high - low > 1 {
            let middle = (low + high) / 2
            let time = teeth.reduce(0.0) { $0 + min(max(middle - $1.begin, 0), $1.end - $1.begin) }
            if time >= share * length { high = middle } else { low = middle }
        }
        return high
    }
}
