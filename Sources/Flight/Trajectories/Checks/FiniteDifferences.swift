internal import UAVLink

/// Computes finite differences along the samples and keeps the worst excess of each kind.
struct FiniteDifferences {
    struct Kind: Hashable {
        let axis: MotionAudit.Axis
        let quantity: MotionAudit.Quantity
    }

    /// Magnitudes of the first three differences.
    private typealias Sizes = (first: Double, second: Double, third: Double)

    private(set) var widest = 0.0
    private(set) var widestSample = 0
    private(set) var length = 0.0
    private(set) var worst: [Kind: MotionAudit.Excess] = [:]
    private let points: [Trajectory.Point]
    private let timeStep: Double
    private let limits: MotionLimits
    /// Differences up to this can be rounding of coordinates, metres.
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
        // Previous first and second differences of x, y, z and heading.
        var (first, second) = (SIMD4(0.0, 0, 0, 0), SIMD4(0.0, 0, 0, 0))
        // The last three vertical differences, which a third difference spans.
        var climbs = SIMD3(0.0, 0, 0)
        // Three more steps after the end, where the vehicle is at rest.
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
            judgeVertical(climbs, (now.z.magnitude, change.z.magnitude, bend.z.magnitude), sample)
            judge(.heading, limits.heading, (now.w.magnitude, change.w.magnitude, bend.w.magnitude), sample)
            (first, second) = (now, change)
        }
    }

    /// Ascending limits apply upwards, descending limits downwards; at a reversal the larger of both, since each half is
    /// within its own.
    private mutating func judgeVertical(_ climbs: SIMD3<Double>, _ asked: Sizes, _ sample: Int) {
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
        // Tolerates a millionth of the limit and the rounding of coordinates.
        guard difference > limit * scale * (1 + 1e-6) + noise else { return }
        let kind = Kind(axis: axis, quantity: quantity)
        let value = difference / scale
        if value > worst[kind]?.value ?? 0 {
            worst[kind] = .init(axis: axis, quantity: quantity, sample: sample, value: value, limit: limit)
        }
    }
}

extension SIMD4<Double> {
    /// Length of the horizontal part.
    fileprivate var flat: Double { (x * x + y * y).squareRoot() }
}
