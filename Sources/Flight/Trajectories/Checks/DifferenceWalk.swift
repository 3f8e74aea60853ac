internal import UAVLink

/// Walks along the samples with the last differences in its hands.
struct DifferenceWalk {
    struct Kind: Hashable {
        let axis: MotionAudit.Axis
        let quantity: MotionAudit.Quantity
    }

    /// The sizes of the first three differences.
    private typealias Sizes = (first: Double, second: Double, third: Double)

    private(set) var widest = 0.0
    private(set) var widestSample = 0
    private(set) var length = 0.0
    private(set) var worst: [Kind: MotionAudit.Excess] = [:]
    private let points: [Trajectory.Point]
    private let timeStep: Double
    private let limits: MotionLimits
    /// What the rounding of coordinates can look like, metres.
    private let noise: Double

    init(trajectory: Trajectory, limits: MotionLimits) {
        points = trajectory.points
        timeStep = trajectory.timeStepSeconds
        self.limits = limits
        var farthest = 1.0
        for point in trajectory.points {
            farthest = max(farthest, point.position.x.magnitude, point.position.y.magnitude, point.position.z.magnitude)
        }
        noise = 16 * farthest.ulp
    }

    mutating func run() {
        // First and second differences so far: along x, y, z and the heading.
        var (first, second) = (SIMD4(0.0, 0, 0, 0), SIMD4(0.0, 0, 0, 0))
        // The last climbs: a third difference spans three.
        var climbs = SIMD3(0.0, 0, 0)
        // Three more after the end, where it is at rest.
        for index in 1..<points.count + 3 {
            let sample = min(index, points.count - 1)
            let before = points[min(index - 1, points.count - 1)]
            let way = points[sample].position - before.position
            let distance = way.length
            length += distance
            if distance > widest { (widest, widestSample) = (distance, index - 1) }
            let now = SIMD4(
                way.x, way.y, way.z, Heading.wrapped(points[sample].headingRadians - before.headingRadians))
            let change = now - first
            let bend = change - second
            climbs = SIMD3(climbs[1], climbs[2], way.z)
            judge(.horizontal, limits.horizontal, (now.flat, change.flat, bend.flat), sample)
            judgeClimb(climbs, (now.z.magnitude, change.z.magnitude, bend.z.magnitude), sample)
            judge(.heading, limits.heading, (now.w.magnitude, change.w.magnitude, bend.w.magnitude), sample)
            (first, second) = (now, change)
        }
    }

    /// Upwards the limits of ascending count, downwards those of descending; where it turns round, the greater of both,
    /// since each half keeps its own.
    private mutating func judgeClimb(_ climbs: SIMD3<Double>, _ asked: Sizes, _ sample: Int) {
        let (up, down) = (limits.ascending, limits.descending)
        let rises = climbs.max() > noise
        let falls = climbs.min() < -noise
        let acceleration =
            rises == falls
            ? max(up.acceleration, down.acceleration) : rises ? up.acceleration : down.acceleration
        let jerk = rises == falls ? max(up.jerk, down.jerk) : rises ? up.jerk : down.jerk
        let isFalling = climbs[2] < 0
        judge(
            isFalling ? .descending : .ascending,
            .init(speed: isFalling ? down.speed : up.speed, acceleration: acceleration, jerk: jerk), asked, sample)
    }

    private mutating func judge(
        _ axis: MotionAudit.Axis, _ limits: MotionLimits.Limits, _ asked: Sizes, _ sample: Int
    ) {
        note(axis, .speed, asked.first, limits.speed, timeStep, sample)
        note(axis, .acceleration, asked.second, limits.acceleration, timeStep * timeStep, sample)
        note(axis, .jerk, asked.third, limits.jerk, timeStep * timeStep * timeStep, sample)
    }

    private mutating func note(
        _ axis: MotionAudit.Axis, _ quantity: MotionAudit.Quantity, _ difference: Double, _ limit: Double,
        _ scale: Double, _ sample: Int
    ) {
        // A millionth of the limit and the coordinates' rounding are no excess.
        guard difference > limit * scale * (1 + 1e-6) + noise else { return }
        let kind = Kind(axis: axis, quantity: quantity)
        let value = difference / scale
        if value > worst[kind]?.value ?? 0 {
            worst[kind] = .init(axis: axis, quantity: quantity, sample: sample, value: value, limit: limit)
        }
    }
}

extension SIMD4<Double> {
    /// The length of the part along x and y.
    fileprivate var flat: Double { (x * x + y * y).squareRoot() }
}
