internal import UAVLink

/// A trajectory in the tracker's own frame, and how far it has been flown.
struct LoadedTrajectory: Hashable, Sendable {
    let points: [Trajectory.Point]
    let step: Double
    let usesHeading: Bool
    let loops: Bool
    /// Seconds since the first point.
    private(set) var elapsed = 0.0

    init(points: [Trajectory.Point], step: Double, usesHeading: Bool, loops: Bool) {
        self.points = points
        self.step = step
        self.usesHeading = usesHeading
        self.loops = loops
    }

    /// The sample reached.
    var index: Int { min(Int(elapsed / step), points.count - 1) }

    /// Whether the time of the last point is over.
    var isFinished: Bool { !loops && elapsed >= step * Double(points.count) }

    mutating func rewind() { elapsed = 0 }

    mutating func advance(seconds: Double) {
        elapsed += seconds
        let whole = step * Double(points.count)
        if loops, elapsed >= whole { elapsed -= whole }
    }

    /// Where one should be now, and how fast that place moves.
    var target: (point: Trajectory.Point, velocity: Vector3) {
        let place = elapsed / step
        let first = index
        let second = first + 1 < points.count ? first + 1 : loops ? 0 : first
        let (a, b) = (points[first], points[second])
        guard first != second else { return (a, .zero) }
        let share = min(1, place - Double(first))
        let turn = Heading.wrapped(b.headingRadians - a.headingRadians)
        return (
            Trajectory.Point(
                position: a.position + (b.position - a.position) * share,
                headingRadians: a.headingRadians + turn * share), (b.position - a.position) * (1 / step)
        )
    }
}
