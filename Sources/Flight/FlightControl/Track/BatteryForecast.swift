public import UAVLink

/// How long the battery will last, from how its share fell in the last minute.
///
/// The slope is the least-squares one, since the share comes in steps of a whole percent from many vehicles. Nothing is said
/// before half a minute was seen, nor while the share does not fall: a figure that is a guess is worse than none.
public struct BatteryForecast: Sendable {
    /// The slope is of this much of the past.
    static let window: Duration = .seconds(60)
    /// Less of the past than this says nothing.
    static let shortest: Duration = .seconds(30)
    /// One look a second is enough for a slope over a minute.
    static let period: Duration = .seconds(1)
    /// The share must have fallen by this much over the window, or the step of a whole percent could be all there is.
    static let leastFall = 0.011
    /// More than this is no flight: the vehicle stands on the ground with its motors off.
    static let longest: Duration = .seconds(3 * 3600)

    private struct Point {
        var at: MonotonicTime
        var remaining: Double
    }

    private var points = RingBuffer<Point>(capacity: 61)

    /// Nothing yet.
    public init() {}

    /// Takes a measured share, 0 to 1.
    public mutating func take(_ remaining: Double, at now: MonotonicTime) {
        if let last = points.last {
            guard now - last.at >= Self.period else { return }
            // A fuller battery than before is another battery.
            if remaining > last.remaining + Self.leastFall { points.removeAll() }
        }
        points.append(Point(at: now, remaining: remaining))
    }

    /// What is left at this rate, until the battery is empty; `nil` while nothing can be said.
    public func left(at now: MonotonicTime) -> Duration? {
        let recent = points.values.filter { now - $0.at <= Self.window }
        guard let first = recent.first, let last = recent.last, last.at - first.at >= Self.shortest,
            first.remaining - last.remaining >= Self.leastFall
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
