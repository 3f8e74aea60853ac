internal import UAVLink

/// A trajectory in the tracker's own frame, and how far it has been flown.
struct LoadedTrajectory: Hashable, Sendable {
    let points: [Trajectory.Point]
    let step: Double
    let usesHeading: Bool
    let loops: Bool
    /// Seconds since the first point.
    private(set) var elapsed = 0.0
    /// m/s: far above every constraint set.
    private static let greatestSpeed = 1000.0

    init(points: [Trajectory.Point], step: Double, usesHeading: Bool, loops: Bool) {
        self.points = points
        self.step = step
        self.usesHeading = usesHeading
        self.loops = loops
    }

    /// The sample reached. (The quotient may be beyond any `Int`: a peer names the step.)
    var index: Int { Int(min(elapsed / step, Double(points.count - 1))) }

    /// Whether the time of the last point is over.
    var isFinished: Bool { !loops && elapsed >= step * Double(points.count) }

    mutating func rewind() { elapsed = 0 }

    mutating func advance(seconds: Double) {
        elapsed += seconds
        let whole = step * Double(points.count)
        if loops, elapsed >= whole { elapsed = whole > 0 ? elapsed.truncatingRemainder(dividingBy: whole) : 0 }
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
        // Points a hair apart in time ask for speeds beyond all limits, which would cut them anyway.
        let way = b.position - a.position
        let speed = way.length > 1e-9 ? min(1 / step, Self.greatestSpeed / way.length) : 0
        return (
            Trajectory.Point(
                position: a.position + way * share, headingRadians: a.headingRadians + turn * share), way * speed
        )
    }
}
