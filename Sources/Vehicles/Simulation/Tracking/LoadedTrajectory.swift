internal import UAVLink

/// A trajectory in the tracker's frame, and the progress along it.
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

    /// The current sample. (The quotient may exceed any `Int`: a peer chooses the step.)
    var index: Int { Int(min(elapsed / step, Double(points.count - 1))) }

    /// Whether the time of the last point is over.
    var isFinished: Bool { !loops && elapsed >= step * Double(points.count) }

    mutating func rewind() { elapsed = 0 }

    mutating func advance(seconds: Double) {
        elapsed += seconds
        let whole = step * Double(points.count)
        if loops, elapsed >= whole { elapsed = whole > 0 ? elapsed.truncatingRemainder(dividingBy: whole) : 0 }
    }

    /// The reference position and its motion.
    struct Target {
        var point: Trajectory.Point
        var velocity = Vector3.zero
        var acceleration = Vector3.zero
    }

    /// The current target. The real tracker looks ahead along the trajectory; here the acceleration provides the
    /// look-ahead.
    var target: Target {
        let place = elapsed / step
        let first = index
        guard let second = following(first) else { return Target(point: points[first]) }
        let (a, b) = (points[first], points[second])
        let share = min(1, place - Double(first))
        let turn = Heading.wrapped(b.headingRadians - a.headingRadians)
        // Points very close in time ask for speeds beyond all limits, where they would be cut anyway.
        let way = b.position - a.position
        let speed = way.length > 1e-9 ? min(1 / step, Self.greatestSpeed / way.length) : 0
        return Target(
            point: Trajectory.Point(
                position: a.position + way * share, headingRadians: a.headingRadians + turn * share),
            velocity: way * speed, acceleration: bend(first) * (1 - share) + bend(second) * share)
    }

    private func following(_ index: Int) -> Int? {
        if index + 1 < points.count { return index + 1 }
        return loops && points.count > 1 ? 0 : nil
    }

    /// The acceleration at a sample; zero at the ends.
    private func bend(_ index: Int) -> Vector3 {
        let before = index > 0 ? index - 1 : loops ? points.count - 1 : nil
        guard let before, let after = following(index) else { return .zero }
        let change =
            points[after].position - points[index].position - (points[index].position - points[before].position)
        let size = change.length
        return size > 0 ? change * min(1 / (step * step), Self.greatestSpeed / size) : .zero
    }
}
