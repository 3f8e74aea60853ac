package import UAVLink

/// Counters of the link to one drone.
package struct ARDroneStatistics: Sendable {
    /// Setpoints that were to be sent.
    package var setpoints: UInt64 = 0
    /// Datagrams that are no navigation data, or damaged.
    package var unread: UInt64 = 0
    /// Packets that came after a newer one.
    package var late: UInt64 = 0
    /// When the newest packet arrived.
    package private(set) var lastAt: MonotonicTime?
    private var meter = TopicRateMeter(["navdata"])
    private var ratesAt: MonotonicTime?
    private var hertz: Double?

    private static let ratePeriod: Duration = .seconds(1)

    /// None.
    package init() {}

    mutating func count(now: MonotonicTime) {
        lastAt = now
        meter.count(0, at: now)
    }

    /// The rate of navigation data, once a second; `nil` in between.
    mutating func rates(now: MonotonicTime) -> Sample<[TopicRate]>? {
        guard ratesAt.map({ now - $0 >= Self.ratePeriod }) ?? true, let rates = meter.rates(at: now) else { return nil }
        ratesAt = now
        hertz = rates.first?.measuredHertz
        return Sample(rates, at: now)
    }

    /// The quality of the link, as far as it is measured: nothing is answered, so there are no round trips.
    package func quality(isConnected: Bool) -> LinkQuality {
        var quality = LinkQuality(isConnected: isConnected)
        quality.measuresRoundTrips = false
        quality.lastTelemetryAt = lastAt
        quality.telemetryRateHertz = hertz
        quality.setpointsSent = setpoints
        return quality
    }
}
