internal import UAVLink

/// Counts what a link does, for ``UAVLink/LinkQuality``.
struct LinkMeter {
    /// The median and the 99th percentile are of this many exchanges.
    private static let keptRoundTrips = 128
    /// The telemetry rate is counted over windows of this length.
    private static let rateWindow: Duration = .seconds(1)
    /// The slowest topic that counts as a sign of life comes at 10 Hz; twenty missed are a loss.
    static let silence: Duration = .seconds(2)

    private var roundTrips: [Duration] = []
    private var nextRoundTrip = 0
    private var newestRoundTrip: Duration?
    private var windowBegan: MonotonicTime?
    private var countInWindow = 0
    private var rateHertz: Double?
    private(set) var lastTelemetryAt: MonotonicTime?

    mutating func answered(after roundTrip: Duration) {
        newestRoundTrip = roundTrip
        if roundTrips.count < Self.keptRoundTrips {
            roundTrips.append(roundTrip)
        } else {
            roundTrips[nextRoundTrip % Self.keptRoundTrips] = roundTrip
        }
        nextRoundTrip = (nextRoundTrip + 1) % Self.keptRoundTrips
    }

    /// A message of the vehicle came.
    mutating func heard(at now: MonotonicTime) { lastTelemetryAt = now }

    /// Telemetry was handed on.
    mutating func told(at now: MonotonicTime) {
        guard let began = windowBegan, now - began < Self.rateWindow * 2 else {
            (windowBegan, countInWindow) = (now, 0)
            return
        }
        countInWindow += 1
        let elapsed = now - began
        guard elapsed >= Self.rateWindow else { return }
        rateHertz = Double(countInWindow) / elapsed.inSeconds
        (windowBegan, countInWindow) = (now, 0)
    }

    func quality(isOpen: Bool, now: MonotonicTime) -> LinkQuality {
        let isHeard = lastTelemetryAt.map { now - $0 < Self.silence } ?? false
        var quality = LinkQuality(isConnected: isOpen && isHeard)
        let sorted = roundTrips.sorted()
        quality.roundTrip = newestRoundTrip
        if !sorted.isEmpty {
            quality.roundTripMedian = sorted[sorted.count / 2]
            quality.roundTripP99 = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        }
        quality.lastTelemetryAt = lastTelemetryAt
        quality.telemetryRateHertz = isHeard ? rateHertz : 0
        return quality
    }
}
