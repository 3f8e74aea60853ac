internal import UAVLink

/// The whole flight in time, before it is sampled: position and heading.
struct Timeline {
    /// Position during an interval.
    enum Place {
        case rest(Vector3)
        /// A span, slowed down by the factor `slowdownFactor`.
        case span(SpanMotion, slowdownFactor: Double)
    }

    /// Heading during an interval.
    enum HeadingPhase {
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
    private(set) var headingPhases: [Stretch<HeadingPhase>] = []
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

    /// Stays at a position.
    mutating func rest(at position: Vector3, for seconds: Double) {
        guard seconds > 0 else { return }
        places.append(Stretch(start: duration, content: .rest(position)))
        headingPhases.append(Stretch(start: duration, content: .still(heading)))
        duration += seconds
    }

    /// Turns in place, by the smaller angle.
    mutating func turn(at position: Vector3, to target: Double) {
        let angle = Heading.wrapped(target - heading)
        guard angle.magnitude > 1e-9 else { return }
        let turn = HeadingTurn(from: heading, angle: angle, start: duration, limits: limits)
        places.append(Stretch(start: duration, content: .rest(position)))
        headingPhases.append(Stretch(start: duration, content: .turn(turn)))
        heading += angle
        duration += turn.duration
    }

    /// Flies a span; its heading, up to ``duration``, is added with ``point(_:from:endingAt:)``.
    mutating func fly(_ motion: SpanMotion, slowdownFactor: Double) {
        places.append(Stretch(start: duration, content: .span(motion, slowdownFactor: slowdownFactor)))
        duration += motion.duration * slowdownFactor
        peakSpeed = max(peakSpeed, motion.peakSpeed / slowdownFactor)
    }

    /// Sets the heading from a time on, and its final value.
    mutating func point(_ nose: HeadingPhase, from start: Double, endingAt heading: Double) {
        headingPhases.append(Stretch(start: start, content: nose))
        self.heading = heading
    }

    /// Waits at a position until a time; does nothing if that has passed.
    mutating func wait(at position: Vector3, until time: Double) {
        guard time > duration else { return }
        places.append(Stretch(start: duration, content: .rest(position)))
        duration = time
    }
}
