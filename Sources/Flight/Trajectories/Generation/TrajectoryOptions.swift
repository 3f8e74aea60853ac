/// How a trajectory is made from points.
public struct TrajectoryOptions: Hashable, Sendable {
    /// What happens at corners.
    public enum Shape: Hashable, Sendable {
        /// The path is the polyline itself: the vehicle stops at every corner.
        case straight
        /// The path rounds the corners and never leaves the polyline, nor passes a point, by more than the bound.
        case smoothed(deviationMetres: Double)
    }

    /// What happens at corners.
    public var shape = Shape.smoothed(deviationMetres: 0.3)
    /// The speed along the path that is not exceeded, m/s; absent: the limits' horizontal speed.
    public var cruiseSpeed: Double?
    /// Neighbouring samples are never farther apart, metres. The seed's 8 cm: its vehicle flew 4 m/s at 0.02 s.
    public var spacingMetres = 0.08
    /// From one sample to the next, at most, seconds: the seed's 0.02 s. The step follows from the speed: where
    /// `spacing / speed` is less, that is taken.
    public var timeStepSeconds = 0.02
    /// Where the nose points at the start when nothing else says it, ENU radians.
    public var initialHeadingRadians = 0.0

    /// The shortest step, seconds. Where the spacing asks for less, the vehicle flies slower instead.
    public static let shortestTimeStep = 0.002

    /// The seed's spacing and step, corners rounded within 0.3 m.
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
