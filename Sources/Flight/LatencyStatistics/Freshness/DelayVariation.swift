package import Statistics

/// How much delays vary, within turns: from the last sample of a turn to the first of the next the network has changed
/// meanwhile.
package struct DelayVariation: Hashable, Sendable {
    /// Each delay minus the smallest of its turn (PDV, RFC 5481, section 4.2), nanoseconds.
    package let packetDelayVariation: Samples
    /// Absolute differences of successive arrivals (IPDV, RFC 3393), nanoseconds.
    package let betweenPackets: Samples
    /// The running estimate of RFC 3550, section 6.4.1, as the mean over all arrivals, nanoseconds: its last value
    /// alone is that of the last sixteen messages. `nil` where no turn has two arrivals.
    package let meanInterarrivalJitter: Double?

    /// The variation of what arrived.
    package init(_ observations: some Sequence<DelayObservation>) {
        var (variation, jitter, sum): ([Int64], Jitter, Double) = ([], Jitter(), 0)
        for turn in observations.byRound() {
            let delays = turn.compactMap { one in one.nanoseconds.map { (at: one.intendedNanoseconds &+ $0, delay: $0) }
            }
            .sorted { $0.at < $1.at }.map(\.delay)
            guard let least = delays.min() else { continue }
            variation += delays.map { $0 &- least }
            jitter.pause()
            for (place, delay) in delays.enumerated() {
                jitter.arrive(transit: delay)
                if place > 0 { sum += jitter.rfc3550 }
            }
        }
        packetDelayVariation = Samples(variation)
        let differences = jitter.delayVariation.map { Int64(clamping: $0.magnitude) }
        betweenPackets = Samples(differences)
        meanInterarrivalJitter = differences.isEmpty ? nil : sum / Double(differences.count)
    }
}
