public import UAVLink

/// Where a vehicle was in the last minute.
public struct Trail: Hashable, Sendable {
    /// How long a point stays.
    public static let longest: Duration = .seconds(60)
    /// Points closer to the one before than this are left out.
    static let spacingMetres = 0.05
    /// The most points: a minute at 8 m/s and 10 looks a second.
    static let mostPoints = 600

    private var points: [Point] = []

    private struct Point: Hashable, Sendable {
        var place: Vector3
        var at: MonotonicTime
    }

    /// Nothing yet.
    public init() {}

    /// The places, the oldest first; metres.
    public var places: [Vector3] { points.map(\.place) }

    /// Takes note of a place; forgets what is too old.
    public mutating func add(_ place: Vector3, at now: MonotonicTime) {
        points.removeAll { now - $0.at > Self.longest }
        if let last = points.last, (place - last.place).length < Self.spacingMetres { return }
        if points.count >= Self.mostPoints { points.removeFirst() }
        points.append(Point(place: place, at: now))
    }

    /// Forgets all: another vehicle, another frame.
    public mutating func clear() { points = [] }
}
