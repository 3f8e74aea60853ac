package import UAVLink

/// Round trips and counters of the link to one drone.
package struct TelloStatistics: Sendable {
    /// Setpoints that were to be sent.
    package var setpoints: UInt64 = 0
    /// Questions that were not answered.
    package var unanswered: UInt64 = 0
    /// Datagrams that could not be read: the vendor's binary protocol, for example.
    package var unread: UInt64 = 0
    /// When the newest state arrived.
    package private(set) var lastStateAt: MonotonicTime?
    private var trips: [Duration] = []
    private var tripAt: MonotonicTime?
    private var meter = TopicRateMeter(["state"])
    private var ratesAt: MonotonicTime?
    private var stateHertz: Double?

    /// Round trips kept for the median: of the last minutes.
    private static let window = 60
    private static let ratePeriod: Duration = .seconds(1)

    /// None.
    package init() {}

    mutating func add(roundTrip: Duration, at now: MonotonicTime) {
        tripAt = now
        if trips.count >= Self.window { trips.removeFirst() }
        trips.append(max(roundTrip, .nanoseconds(1)))
    }

    mutating func countState(now: MonotonicTime) {
        lastStateAt = now
        meter.count(0, at: now)
    }

    /// The rate of the state, once a second; `nil` in between.
    mutating func rates(now: MonotonicTime) -> Sample<[TopicRate]>? {
        guard ratesAt.map({ now - $0 >= Self.ratePeriod }) ?? true, let rates = meter.rates(at: now) else { return nil }
        ratesAt = now
        stateHertz = rates.first?.measuredHertz
        return Sample(rates, at: now)
    }

    /// The quality of the link, as far as it is measured: setpoints are never answered, so it is not known which arrive.
    package func quality(isConnected: Bool) -> LinkQuality {
        var quality = LinkQuality(isConnected: isConnected)
        (quality.roundTrip, quality.roundTripAt) = (trips.last, tripAt)
        let sorted = trips.sorted()
        if !sorted.isEmpty {
            quality.roundTripMedian = sorted[sorted.count / 2]
            quality.roundTripP99 = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        }
        quality.lastTelemetryAt = lastStateAt
        quality.telemetryRateHertz = stateHertz
        quality.setpointsSent = setpoints
        return quality
    }
}
