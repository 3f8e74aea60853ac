internal import UAVLink

/// Plans a route in time.
///
/// The vehicle stops at the first and the last point, where a point requires it (hold, snapshot), and where the motion
/// requires it: at corners of a straight path, where looking at a place begins or ends, and at a point whose fixed heading
/// cannot be reached on the way. At stops it turns in place.
struct TimelinePlanner {
    let limits: MotionLimits
    let options: TrajectoryOptions

    func timeline(_ points: [PlannedPoint]) throws(RouteError) -> Timeline {
        // The time step has a lower bound; the vehicle flies slower instead.
        let cruise = min(
            options.cruiseSpeed ?? limits.horizontal.speed, options.spacingMetres / TrajectoryOptions.shortestTimeStep)
        // The samples are at most the time step apart.
        let longestSeconds = options.timeStepSeconds * Double(Trajectory.maximumPoints)
        var path = PathSkeleton(points: points, limits: limits, options: options, cruise: cruise)
        while true {
            var attempt = Attempt(
                path: path, limits: limits, deviation: options.deviationMetres, points: points.count,
                heading: startHeading(path), longestSeconds: longestSeconds)
            try attempt.run()
            if attempt.additionalStops.isEmpty { return attempt.timeline }
            // Each iteration adds at least one stop, so the loop ends.
            for node in attempt.additionalStops { path.nodes[node].isStop = true }
        }
    }

    private func startHeading(_ path: PathSkeleton) -> Double {
        guard let first = path.nodes.first, let action = first.actions.first else {
            return options.initialHeadingRadians
        }
        switch action.heading {
        case .fixed(let radians): return radians
        case .towards(let x, let y): return PlaceHeading(x: x, y: y).heading(from: first.position)
        case .alongPath: return path.legs.lazy.compactMap(\.azimuth).first ?? options.initialHeadingRadians
        }
    }
}

/// One pass over the whole route; collects the nodes at which further stops are needed.
private struct Attempt {
    let path: PathSkeleton
    let limits: MotionLimits
    let deviation: Double
    /// Planning stops when the timeline becomes longer than this, since it could not be sampled.
    let longestSeconds: Double
    private(set) var timeline: Timeline
    private(set) var additionalStops: [Int] = []

    init(
        path: PathSkeleton, limits: MotionLimits, deviation: Double, points: Int, heading: Double,
        longestSeconds: Double
    ) {
        self.path = path
        self.limits = limits
        self.deviation = deviation
        self.longestSeconds = longestSeconds
        timeline = Timeline(points: points, heading: heading, limits: limits.heading)
    }

    mutating func run() throws(RouteError) {
        let stops = path.nodes.indices.filter { path.nodes[$0].isStop }
        for (order, stop) in stops.enumerated() {
            try stay(at: stop)
            guard timeline.duration <= longestSeconds else {
                throw RouteError(
                    .tooLong,
                    "it would take more than \(Trajectory.maximumPoints) samples: \(TrajectoryGenerator.shorter)")
            }
            if order + 1 < stops.count { try fly(from: stop, to: stops[order + 1]) }
        }
    }

    private mutating func stay(at node: Int) throws(RouteError) {
        let place = path.nodes[node]
        for action in place.actions {
            switch action.heading {
            case .fixed(let radians): timeline.turn(at: place.position, to: radians)
            case .towards(let x, let y): try look(at: PlaceHeading(x: x, y: y), from: place, index: action.index)
            case .alongPath: break
            }
            timeline.pointTimes[action.index] = timeline.duration
            timeline.rest(at: place.position, for: action.holdSeconds)
        }
        guard path.legs.indices.contains(node) else { return }
        let leg = path.legs[node]
        switch leg.heading {
        case .fixed: break
        case .alongPath: if let azimuth = leg.azimuth { timeline.turn(at: place.position, to: azimuth) }
        case .towards(let x, let y):
            let next = path.nodes[node + 1].actions.first?.index ?? 0
            try look(at: PlaceHeading(x: x, y: y), from: place, index: next)
        }
    }

    private mutating func look(at target: PlaceHeading, from node: PathNode, index: Int) throws(RouteError) {
        guard target.distance(from: node.position) >= PlaceHeading.nearest else { throw passesOver(index) }
        timeline.turn(at: node.position, to: target.heading(from: node.position))
    }

    private func passesOver(_ index: Int) -> RouteError {
        RouteError(
            .heading, point: index,
            "the path to it passes over the place that the heading points to; change the heading or the path")
    }

    private mutating func fly(from first: Int, to last: Int) throws(RouteError) {
        let motion = SpanMotion(path, from: first, to: last, deviation: deviation)
        let begin = timeline.duration
        var slowdownFactor = 1.0
        if case .towards(let x, let y) = path.legs[first].heading {
            guard let followed = PlaceHeading(x: x, y: y).follow(motion, limits: limits.heading) else {
                throw passesOver(path.nodes[last].actions.first?.index ?? 0)
            }
            slowdownFactor = followed.slowdownFactor
            timeline.fly(motion, slowdownFactor: slowdownFactor)
            timeline.point(
                .place(x: x, y: y), from: begin, endingAt: timeline.heading + followed.turned)
        } else {
            timeline.fly(motion, slowdownFactor: 1)
            planHeading(from: first, to: last, motion, begin)
        }
        for node in first + 1..<max(first + 1, last) {
            for action in path.nodes[node].actions {
                timeline.pointTimes[action.index] = begin + motion.nodeTimes[node - first] * slowdownFactor
            }
        }
    }

    /// Turns during the span; a turn that does not fit is completed in place at the end of the span, or adds a stop.
    private mutating func planHeading(from first: Int, to last: Int, _ motion: SpanMotion, _ begin: Double) {
        var node = first
        var settled = begin
        while node < last {
            let start = begin + motion.nodeTimes[node - first]
            var end = node + 1
            let from = timeline.heading
            var heading = from
            var steps: [PathHeading.Step] = []
            if case .fixed(let radians) = path.legs[node].heading {
                heading += Heading.wrapped(radians - from)
            } else {
                while end < last, path.legs[end].heading == .alongPath { end += 1 }
                for leg in node..<end {
                    guard let azimuth = path.legs[leg].azimuth else { continue }
                    heading += Heading.wrapped(azimuth - heading)
                    steps.append(.init(time: begin + motion.nodeTimes[leg - first], heading: heading))
                }
            }
            let time = begin + motion.nodeTimes[end - first]
            let turn = HeadingTurn(
                from: from, angle: heading - from, start: start, duration: time - start, limits: limits.heading)
            if turn.duration > time - start + 1e-9, end < last { additionalStops.append(end) }
            let follows = steps.contains { ($0.heading - from).magnitude > 1e-9 }
            let nose: Timeline.HeadingPhase =
                follows
                ? .path(PathHeading(start: start, end: time, turn: turn, to: heading, steps: steps)) : .turn(turn)
            timeline.point(nose, from: start, endingAt: heading)
            settled = start + turn.duration
            node = end
        }
        timeline.wait(at: path.nodes[last].position, until: settled)
    }
}
