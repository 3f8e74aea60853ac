package import UAVLink

/// Collects the statistics for ``UAVLink/LinkQuality``.
package struct LinkMeter {
    /// How many round trips the median and the 99th percentile are computed from.
    private static let roundTripWindow = 128
    /// The window over which the telemetry rate is counted.
    private static let rateWindow: Duration = .seconds(1)
    /// Timeout for link loss. Most topics come at 10 Hz or more, the slowest at 1 Hz.
    package static let telemetryTimeout: Duration = .seconds(2)

    private var roundTrips: [Duration] = []
    private var nextRoundTrip = 0
    private var newestRoundTrip: Sample<Duration>?
    private var windowBegan: MonotonicTime?
    private var countInWindow = 0
    private var rateHertz: Double?
    private(set) var lastTelemetryAt: MonotonicTime?

    /// Starts without measurements.
    package init() {}

    /// A command was answered.
    package mutating func answered(after roundTrip: Duration, at now: MonotonicTime) {
        newestRoundTrip = Sample(roundTrip, at: now)
        if roundTrips.count < Self.roundTripWindow {
            roundTrips.append(roundTrip)
        } else {
            roundTrips[nextRoundTrip % Self.roundTripWindow] = roundTrip
        }
        nextRoundTrip = (nextRoundTrip + 1) % Self.roundTripWindow
    }

    /// Records that a message of the vehicle was received.
    package mutating func heard(at now: MonotonicTime) { lastTelemetryAt = now }

    /// Records that telemetry was passed on.
    package mutating func received(at now: MonotonicTime) {
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

    /// What was measured up to now.
    package func quality(isOpen: Bool, now: MonotonicTime) -> LinkQuality {
        let isHeard = lastTelemetryAt.map { now - $0 < Self.telemetryTimeout } ?? false
        var quality = LinkQuality(isConnected: isOpen && isHeard)
        let sorted = roundTrips.sorted()
        (quality.roundTrip, quality.roundTripAt) = (newestRoundTrip?.value, newestRoundTrip?.at)
        if !sorted.isEmpty {
            quality.roundTripMedian = sorted[sorted.count / 2]
            quality.roundTripP99 = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        }
        quality.lastTelemetryAt = lastTelemetryAt
        quality.telemetryRateHertz = isHeard ? rateHertz : 0
        return quality
    }
}
