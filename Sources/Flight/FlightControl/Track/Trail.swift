public import UAVLink

/// The positions of a vehicle in the last minute.
public struct Trail: Hashable, Sendable {
    /// How long a point is kept.
    public static let longest: Duration = .seconds(60)
    /// Points nearer than this to the previous one are skipped.
    static let spacingMetres = 0.05
    /// The maximum number of points: a minute at 10 Hz.
    static let mostPoints = 600

    private var points: [Point] = []

    private struct Point: Hashable, Sendable {
        var place: Vector3
        var at: MonotonicTime
    }

    /// An empty trail.
    public init() {}

    /// The positions, oldest first; metres.
    public var places: [Vector3] { points.map(\.place) }

    /// Adds a position; removes points that are too old.
    public mutating func add(_ place: Vector3, at now: MonotonicTime) {
        points.removeAll { now - $0.at > Self.longest }
        if let last = points.last, (place - last.place).length < Self.spacingMetres { return }
        if points.count >= Self.mostPoints { points.removeFirst() }
        points.append(Point(place: place, at: now))
    }

    /// Removes all points, after a change of vehicle or frame.
    public mutating func clear() { points = [] }
}
