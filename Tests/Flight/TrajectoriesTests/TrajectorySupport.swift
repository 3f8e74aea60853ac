import Statistics
import Testing
import Trajectories
import UAVLink

/// Random polylines with everything that is unpleasant in them.
struct RandomRoutes {
    var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func points() -> [PlannedPoint] {
        var position = Vector3(
            x: .random(in: -500...500, using: &random), y: .random(in: -500...500, using: &random),
            z: .random(in: 1...20, using: &random))
        var last = Vector3(x: 1, y: 0, z: 0)
        var points = [point(position)]
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let length = pow10(.random(in: -4...1.5, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: break  // the same place again
            case 1: position = position + last * length  // straight on
            case 2: position = position - last * length  // back
            case 3: position.z += length
            case 4: position.z -= length
            default:
                let direction = Vector3(
                    x: .random(in: -1...1, using: &random), y: .random(in: -1...1, using: &random),
                    z: .random(in: -0.5...0.5, using: &random))
                last = direction * (1 / max(direction.length, 1e-3))
                position = position + last * length
            }
            points.append(point(position))
        }
        return points
    }

    private mutating func point(_ position: Vector3) -> PlannedPoint {
        let heading: PlannedPoint.Heading =
            switch Int.random(in: 0..<5, using: &random) {
            case 0: .fixed(radians: .random(in: -4...4, using: &random))
            default: .alongPath
            }
        let hold = Int.random(in: 0..<6, using: &random) == 0 ? Double.random(in: 0...3, using: &random) : 0
        return PlannedPoint(
            position: position, heading: heading, holdSeconds: hold,
            takesSnapshot: Int.random(in: 0..<10, using: &random) == 0)
    }

    mutating func limits() -> MotionLimits {
        func some(_ speed: ClosedRange<Double>) -> MotionLimits.Limits {
            .init(
                speed: .random(in: speed, using: &random), acceleration: .random(in: 0.5...4, using: &random),
                jerk: .random(in: 2...40, using: &random))
        }
        return Bool.random(using: &random)
            ? .medium
            : MotionLimits(
                horizontal: some(1...8), ascending: some(0.5...4), descending: some(0.5...3), heading: some(0.3...2))
    }

    private func pow10(_ exponent: Double) -> Double {
        var (value, left) = (1.0, exponent)
        while left >= 1 { (value, left) = (value * 10, left - 1) }
        while left <= -1 { (value, left) = (value / 10, left + 1) }
        // Good enough between: the lengths are to be spread, no more.
        return value * (left >= 0 ? 1 + 9 * left : 1 / (1 - 9 * left))
    }
}

/// The distance to a polyline, the slow way.
func distance(from position: Vector3, toPolyline line: [Vector3]) -> Double {
    guard line.count > 1 else { return line.first.map { (position - $0).length } ?? .infinity }
    return zip(line, line.dropFirst()).reduce(Double.infinity) { best, piece in
        let way = piece.1 - piece.0
        let length = way.dot(way)
        let share = length > 0 ? min(max((position - piece.0).dot(way) / length, 0), 1) : 0
        return min(best, (position - (piece.0 + way * share)).length)
    }
}

/// The greatest differences of samples, without anything of the code under test.
struct Differences {
    var spacing = 0.0
    var horizontal = (speed: 0.0, acceleration: 0.0, jerk: 0.0)
    var up = (speed: 0.0, acceleration: 0.0, jerk: 0.0)
    var down = (speed: 0.0, acceleration: 0.0, jerk: 0.0)
    var heading = (speed: 0.0, acceleration: 0.0, jerk: 0.0)

    init(_ trajectory: Trajectory) {
        let rest = { (point: Trajectory.Point) in [point, point, point] }
        guard let first = trajectory.points.first, let last = trajectory.points.last else { return }
        let points = rest(first) + trajectory.points + rest(last)
        let step = trajectory.timeStepSeconds
        for index in points.indices.dropFirst(3) {
            let (a, b, c, d) = (points[index - 3], points[index - 2], points[index - 1], points[index])
            let v = [b.position - a.position, c.position - b.position, d.position - c.position].map { $0 * (1 / step) }
            let accelerations = [v[1] - v[0], v[2] - v[1]].map { $0 * (1 / step) }
            let jerk = (accelerations[1] - accelerations[0]) * (1 / step)
            func flat(_ vector: Vector3) -> Double { (vector.x * vector.x + vector.y * vector.y).squareRoot() }
            spacing = max(spacing, (d.position - c.position).length)
            horizontal.speed = max(horizontal.speed, flat(v[2]))
            horizontal.acceleration = max(horizontal.acceleration, flat(accelerations[1]))
            horizontal.jerk = max(horizontal.jerk, flat(jerk))
            let climbs = v.map(\.z)
            up.speed = max(up.speed, v[2].z)
            down.speed = max(down.speed, -v[2].z)
            // Where the climb turns round both directions have their part in the difference.
            let noise = 1e-9
            if climbs.allSatisfy({ $0 >= -noise }) {
                up.acceleration = max(up.acceleration, accelerations[1].z.magnitude)
                up.jerk = max(up.jerk, jerk.z.magnitude)
            }
            if climbs.allSatisfy({ $0 <= noise }) {
                down.acceleration = max(down.acceleration, accelerations[1].z.magnitude)
                down.jerk = max(down.jerk, jerk.z.magnitude)
            }
            let w = [(a, b), (b, c), (c, d)].map { Heading.wrapped($0.1.headingRadians - $0.0.headingRadians) / step }
            let turning = [w[1] - w[0], w[2] - w[1]].map { $0 / step }
            heading.speed = max(heading.speed, w[2].magnitude)
            heading.acceleration = max(heading.acceleration, turning[1].magnitude)
            heading.jerk = max(heading.jerk, ((turning[1] - turning[0]) / step).magnitude)
        }
    }

    /// What is more than the limits allow, with the rounding of coordinates of some hundred metres.
    func excesses(_ limits: MotionLimits, step: Double) -> [String] {
        var found: [String] = []
        func compare(
            _ name: String, _ asked: (speed: Double, acceleration: Double, jerk: Double), _ allowed: MotionLimits.Limits
        ) {
            let noise = 4e-12
            if asked.speed > allowed.speed * (1 + 1e-6) + noise / step { found.append("\(name) speed \(asked.speed)") }
            if asked.acceleration > allowed.acceleration * (1 + 1e-6) + noise / step / step {
                found.append("\(name) acceleration \(asked.acceleration) > \(allowed.acceleration)")
            }
            if asked.jerk > allowed.jerk * (1 + 1e-6) + noise / step / step / step {
                found.append("\(name) jerk \(asked.jerk) > \(allowed.jerk)")
            }
        }
        compare("horizontal", horizontal, limits.horizontal)
        compare("up", up, limits.ascending)
        compare("down", down, limits.descending)
        compare("heading", heading, limits.heading)
        return found
    }
}
