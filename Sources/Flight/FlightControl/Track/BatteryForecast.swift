package import UAVLink

/// Estimates the remaining battery time from the discharge in the last minute.
///
/// The slope is a least-squares fit, since many vehicles report the charge in whole percents. There is no estimate before
/// half a minute of samples, nor while the charge does not fall: a guess would be worse than none.
package struct BatteryForecast: Sendable {
    /// The time over which the slope is fitted.
    static let window: Duration = .seconds(60)
    /// The minimum time span of the samples.
    static let shortest: Duration = .seconds(30)
    /// The sampling period; 1 Hz is enough for a slope over a minute.
    static let period: Duration = .seconds(1)
    /// The minimum fall of the charge over the window: more than a single step of one percent.
    static let minimumFall = 0.011
    /// The longest estimate; above it the vehicle is on the ground with its motors off.
    static let longest: Duration = .seconds(3 * 3600)

    private struct Point {
        var at: MonotonicTime
        var remaining: Double
    }

    private var points = RingBuffer<Point>(capacity: 61)

    /// A forecast without samples.
    package init() {}

    /// Adds the charge that telemetry has. On the ground nothing is learned of the discharge in flight, and the next
    /// flight begins anew.
    package mutating func take(_ telemetry: Telemetry, at now: MonotonicTime) {
        if telemetry.standsOnGround {
            points.removeAll()
        } else if let remaining = telemetry.battery?.value.remaining {
            take(remaining, at: now)
        }
    }

    /// Adds a charge measured in flight, 0 to 1.
    package mutating func take(_ remaining: Double, at now: MonotonicTime) {
        if let last = points.last {
            guard now - last.at >= Self.period else { return }
            // A fuller battery than before: the battery was replaced.
            if remaining > last.remaining + Self.minimumFall { points.removeAll() }
        }
        points.append(Point(at: now, remaining: remaining))
    }

    /// The time until the battery is empty at the current rate; `nil` while there is no estimate.
    package func left(at now: MonotonicTime) -> Duration? {
        let recent = points.values.filter { now - $0.at <= Self.window }
        guard let first = recent.first, let last = recent.last, last.at - first.at >= Self.shortest,
            first.remaining - last.remaining >= Self.minimumFall
        else { return nil }
        let count = Double(recent.count)
        let times = recent.map { ($0.at - first.at).inSeconds }
        let meanTime = times.reduce(0, +) / count
        let meanShare = recent.reduce(0) { $0 + $1.remaining } / count
        var above = 0.0
        var below = 0.0
        for (time, point) in zip(times, recent) {
            above += (time - meanTime) * (point.remaining - meanShare)
            below += (time - meanTime) * (time - meanTime)
        }
        guard below > 0, above < 0 else { return nil }
        let seconds = last.remaining / -(above / below) - (now - last.at).inSeconds
        guard seconds.isFinite, seconds <= Self.longest.inSeconds else { return nil }
        return .seconds(max(0, seconds))
    }
}
