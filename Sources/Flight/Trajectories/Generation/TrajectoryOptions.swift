/// How a trajectory is generated from points.
public struct TrajectoryOptions: Hashable, Sendable {
    /// What happens at corners.
    public enum Shape: Hashable, Sendable {
        /// The path is the polyline itself: the vehicle stops at every corner.
        case straight
        /// The path rounds the corners and deviates from the polyline and its points by at most the bound.
        case smoothed(deviationMetres: Double)
    }

    /// What happens at corners.
    public var shape = Shape.smoothed(deviationMetres: 0.3)
    /// Maximum speed along the path, m/s; `nil`: the horizontal speed limit.
    public var cruiseSpeed: Double?
    /// Largest distance between neighbouring samples, metres. Default: 8 cm, which is 4 m/s at 0.02 s.
    public var spacingMetres = 0.08
    /// Longest time between samples, seconds; where `spacing / speed` is shorter, that is used.
    public var timeStepSeconds = 0.02
    /// Initial heading if the route does not determine it, ENU radians.
    public var initialHeadingRadians = 0.0

    /// Shortest time between samples, seconds. Where the spacing requires less, the vehicle flies slower.
    public static let shortestTimeStep = 0.002

    /// Creates the defaults: 8 cm, 0.02 s, corners rounded within 0.3 m.
    public init() {}

    var deviationMetres: Double {
        switch shape {
        case .straight: 0
        case .smoothed(let deviation): deviation
        }
    }

    func validate() throws(RouteError) {
        func positive(_ value: Double, _ what: String) throws(RouteError) {
            guard value.isFinite, value > 0 else {
                throw RouteError(.options, "\(what) is \(value); expected a positive number")
            }
        }
        try positive(spacingMetres, "the spacing (m)")
        try positive(timeStepSeconds, "the time step (s)")
        if let cruiseSpeed { try positive(cruiseSpeed, "the speed (m/s)") }
        if case .smoothed(let deviation) = shape { try positive(deviation, "the deviation (m)") }
        guard initialHeadingRadians.isFinite else {
            throw RouteError(.options, "the heading at the start is not a finite number")
        }
    }
}
