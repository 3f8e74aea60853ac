internal import ReportKit
public import UAVLink

/// A trajectory generated from points.
public struct GeneratedTrajectory: Hashable, Sendable {
    /// The samples, in `world_origin`, with headings.
    public var trajectory: Trajectory
    /// The sample at which each point of the route is reached, from 0.
    public var pointSamples: [Int]
    /// The points that it was generated from.
    public var points: [PlannedPoint]

    /// Creates a trajectory with the samples at which its points are reached.
    public init(trajectory: Trajectory, pointSamples: [Int], points: [PlannedPoint]) {
        self.trajectory = trajectory
        self.pointSamples = pointSamples
        self.points = points
    }

    /// Duration, seconds.
    public var durationSeconds: Double {
        Double(max(0, trajectory.points.count - 1)) * trajectory.timeStepSeconds
    }

    /// Path length, metres.
    public var lengthMetres: Double {
        zip(trajectory.points, trajectory.points.dropFirst()).reduce(0) {
            $0 + ($1.1.position - $1.0.position).length
        }
    }

    /// Index of the last point reached at or before a sample, from 0.
    public func point(before sample: Int) -> Int {
        var (low, high) = (0, pointSamples.count)
        while low < high {
            let middle = (low + high) / 2
            if pointSamples[middle] <= sample { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}

/// Generates a sampled trajectory from points: at rest at both ends, and within every motion limit.
///
/// Speed, acceleration and jerk are bounded exactly, not only at the samples: on straight lines by jerk-limited speed
/// profiles, at corners by a blend of the velocity (see `CornerBlend`). Differences of samples are means of the actual
/// motion, so they are within the limits as well.
public struct TrajectoryGenerator: Sendable {
    /// Motion limits of the vehicle.
    public var limits: MotionLimits
    /// Generation options.
    public var options: TrajectoryOptions

    /// Creates a generator.
    public init(limits: MotionLimits, options: TrajectoryOptions = .init()) {
        self.limits = limits
        self.options = options
    }

    /// Generates the trajectory through points in `world_origin`.
    ///
    /// - Throws: ``RouteError`` if there is none: an empty route, invalid options, a heading that cannot be held, or more
    ///   samples than a link accepts.
    public func trajectory(through points: [PlannedPoint]) throws(RouteError) -> GeneratedTrajectory {
        try options.validate()
        try limits.validate()
        try Self.validate(points)
        guard let start = points.first?.position, let end = points.last?.position else {
            throw RouteError(.empty, "the route has no points")
        }
        let timeline = try TimelinePlanner(limits: limits, options: options).timeline(points)
        // A billionth less, so that rounding does not exceed the spacing.
        let timeStep = min(
            options.timeStepSeconds, options.spacingMetres / max(timeline.peakSpeed, 1e-9) * (1 - 1e-9))
        let steps = (timeline.duration / timeStep - 1e-6).rounded(.up)
        guard steps < Double(Trajectory.maximumPoints) else {
            throw RouteError(
                .tooLong,
                "it would take \(Int(saturating: min(steps, 1e15)) + 1) samples, more than \(Trajectory.maximumPoints): "
                    + Self.shorter)
        }
        let count = Int(saturating: max(0, steps)) + 1
        var sampler = TimelineSampler(timeline, timeStep: timeStep, limits: limits.heading)
        var samples = sampler.samples(count)
        samples[0].position = start
        samples[count - 1].position = end
        return GeneratedTrajectory(
            trajectory: Trajectory(frame: .worldOrigin, points: samples, timeStepSeconds: timeStep),
            pointSamples: timeline.pointTimes.map {
                min(count - 1, Int(saturating: ($0 / timeStep - 1e-6).rounded(.up)))
            },
            points: points)
    }

    /// What helps against too many samples.
    static let shorter = "fly faster, allow a wider spacing, or send it in parts"

    /// Farther from the origin than this, metres, a Double is too coarse for jerk.
    static let farthest = 1e7

    private static func validate(_ points: [PlannedPoint]) throws(RouteError) {
        for (index, point) in points.enumerated() {
            guard point.position.isFinite, point.position.length <= farthest else {
                throw RouteError(.invalid, point: index, "it is not within 10000 km of world_origin")
            }
            let metres = (point.position - points[0].position).length
            guard metres <= TrajectoryCheck.farthestMetres else {
                throw RouteError(
                    .invalid, point: index,
                    "it is \(metres.short) m from point 1; allowed: \(TrajectoryCheck.farthestMetres.short) m;"
                        + " \(TrajectoryCheck.doubt)")
            }
            guard point.holdSeconds.isFinite, point.holdSeconds >= 0, point.holdSeconds <= 86_400 else {
                throw RouteError(.invalid, point: index, "a hold of \(point.holdSeconds) s; expected 0 to 86400")
            }
            let isHeadingFinite =
                switch point.heading {
                case .fixed(let radians): radians.isFinite
                case .towards(let x, let y): x.isFinite && y.isFinite
                case .alongPath: true
                }
            guard isHeadingFinite else {
                throw RouteError(.invalid, point: index, "its heading is not a finite number")
            }
        }
    }
}
