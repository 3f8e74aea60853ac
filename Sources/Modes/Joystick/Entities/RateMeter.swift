package import UAVLink

/// The rate of an event over the last seconds, from samples of a counter.
package struct RateMeter: Hashable, Sendable {
    /// The averaging window. Three seconds contain two calls over a plain SSH link.
    package static let window: Duration = .seconds(3)

    private var looks: [Look] = []

    private struct Look: Hashable, Sendable {
        var at: MonotonicTime
        var count: UInt64
    }

    /// A meter without samples.
    package init() {}

    /// Adds a sample of the counter; a counter or clock that goes backwards starts the measurement again.
    package mutating func look(_ count: UInt64, at now: MonotonicTime) {
        if let last = looks.last, count < last.count || now < last.at { looks = [] }
        looks.append(Look(at: now, count: count))
        // One sample at or before the window's start is kept, so that the window is full.
        while looks.count > 2, now - looks[1].at >= Self.window { looks.removeFirst() }
    }

    /// Discards all samples.
    package mutating func reset() { looks = [] }

    /// Events per second; `nil` until the samples span half a second.
    package var hertz: Double? {
        guard let first = looks.first, let last = looks.last else { return nil }
        let seconds = (last.at - first.at).inSeconds
        return seconds >= 0.5 ? Double(last.count - first.count) / seconds : nil
    }
}
