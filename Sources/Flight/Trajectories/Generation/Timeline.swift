internal import UAVLink

/// The whole flight in time, before it is sampled: where the vehicle is and where its nose points.
struct Timeline {
    /// A stretch of the way.
    enum Place {
        case rest(Vector3)
        /// A span, flown `slowness` times slower than it could be.
        case span(SpanMotion, slowness: Double)
    }

    /// A stretch of the heading.
    enum Nose {
        case still(Double)
        case turn(HeadingTurn)
        case path(PathHeading)
        /// Towards a place.
        case place(x: Double, y: Double)
    }

    struct Stretch<Content> {
        let start: Double
        let content: Content
    }

    private(set) var duration = 0.0
    private(set) var places: [Stretch<Place>] = []
    private(set) var noses: [Stretch<Nose>] = []
    /// When each point of the route is reached, seconds.
    var pointTimes: [Double]
    /// The heading reached so far, unwrapped.
    private(set) var heading: Double
    private(set) var peakSpeed = 0.0
    private let limits: MotionLimits.Limits

    init(points: Int, heading: Double, limits: MotionLimits.Limits) {
        pointTimes = Array(repeating: 0, count: points)
        self.heading = heading
        self.limits = limits
    }

    /// Stays somewhere.
    mutating func rest(at position: Vector3, for seconds: Double) {
        guard seconds > 0 else { return }
        places.append(Stretch(start: duration, content: .rest(position)))
        noses.append(Stretch(start: duration, content: .still(heading)))
        duration += seconds
    }

    /// Turns where it is, the shortest way.
    mutating func turn(at position: Vector3, to target: Double) {
        let angle = Heading.wrapped(target - heading)
        guard angle.magnitude > 1e-9 else { return }
        let turn = HeadingTurn(from: heading, angle: angle, start: duration, limits: limits)
        places.append(Stretch(start: duration, content: .rest(position)))
        noses.append(Stretch(start: duration, content: .turn(turn)))
        heading += angle
        duration += turn.duration
    }

    /// Flies a span; the nose is added by itself, up to ``duration``.
    mutating func fly(_ motion: SpanMotion, slowness: Double) {
        places.append(Stretch(start: duration, content: .span(motion, slowness: slowness)))
        duration += motion.duration * slowness
        peakSpeed = max(peakSpeed, motion.peakSpeed / slowness)
    }

    /// What the nose does from a time on, and where it then points.
    mutating func point(_ nose: Nose, from start: Double, endingAt heading: Double) {
        noses.append(Stretch(start: start, content: nose))
        self.heading = heading
    }

    /// Stays where it is until a time, when that is still to come.
    mutating func wait(at position: Vector3, until time: Double) {
        guard time > duration else { return }
        places.append(Stretch(start: duration, content: .rest(position)))
        duration = time
    }
}
