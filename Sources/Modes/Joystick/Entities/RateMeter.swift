public import UAVLink

/// How often something happened a second, in the last seconds, from a counter that is looked at now and then.
public struct RateMeter: Hashable, Sendable {
    /// Over how long. Three seconds hold two calls over a plain SSH link.
    public static let window: Duration = .seconds(3)

    private var looks: [Look] = []

    private struct Look: Hashable, Sendable {
        var at: MonotonicTime
        var count: UInt64
    }

    /// Nothing seen yet.
    public init() {}

    /// Takes note of the counter; one that goes back begins anew.
    public mutating func look(_ count: UInt64, at now: MonotonicTime) {
        if let last = looks.last, count < last.count || now < last.at { looks = [] }
        looks.append(Look(at: now, count: count))
        // One look at or before the window's beginning is kept, so that the window is full.
        while looks.count > 2, now - looks[1].at >= Self.window { looks.removeFirst() }
    }

    /// Forgets what was.
    public mutating func reset() { looks = [] }

    /// Times a second; `nil` before two looks that are half a second apart.
    public var hertz: Double? {
        guard let first = looks.first, let last = looks.last else { return nil }
        let seconds = (last.at - first.at).inSeconds
        return seconds >= 0.5 ? Double(last.count - first.count) / seconds : nil
    }
}
