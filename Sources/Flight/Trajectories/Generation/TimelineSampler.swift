internal import ReportKit
internal import UAVLink

/// Samples a timeline at a fixed time step.
struct TimelineSampler {
    private let timeline: Timeline
    private let timeStep: Double
    private let limits: MotionLimits.Limits
    private var place = 0
    private var section = 0
    private var nose = 0
    /// Headings of the current path-following interval, from sample `first` on.
    private var followed: (first: Int, headings: [Double])?

    init(_ timeline: Timeline, timeStep: Double, limits: MotionLimits.Limits) {
        self.timeline = timeline
        self.timeStep = timeStep
        self.limits = limits
    }

    mutating func samples(_ count: Int) -> [Trajectory.Point] {
        var samples: [Trajectory.Point] = []
        samples.reserveCapacity(count)
        for index in 0..<count {
            let position = position(at: Double(index) * timeStep)
            samples.append(
                .init(position: position, headingRadians: Heading.wrapped(heading(at: index, position))))
        }
        return samples
    }

    private mutating func position(at time: Double) -> Vector3 {
        while place + 1 < timeline.places.count, timeline.places[place + 1].start <= time {
            place += 1
            section = 0
        }
        guard timeline.places.indices.contains(place) else { return .zero }
        let stretch = timeline.places[place]
        switch stretch.content {
        case .rest(let position): return position
        case .span(let motion, let slowdownFactor):
            return motion.position(at: (time - stretch.start) / slowdownFactor, cursor: &section)
        }
    }

    private mutating func heading(at index: Int, _ position: Vector3) -> Double {
        let time = Double(index) * timeStep
        while nose + 1 < timeline.headingPhases.count, timeline.headingPhases[nose + 1].start <= time {
            nose += 1
            followed = nil
        }
        guard timeline.headingPhases.indices.contains(nose) else { return timeline.heading }
        switch timeline.headingPhases[nose].content {
        case .still(let heading): return heading
        case .turn(let turn): return turn.heading(at: time)
        case .place(let x, let y): return PlaceHeading(x: x, y: y).heading(from: position)
        case .path(let path): return heading(at: index, along: path)
        }
    }

    private mutating func heading(at index: Int, along path: PathHeading) -> Double {
        if followed == nil {
            let count = Int(saturating: ((path.end - Double(index) * timeStep) / timeStep).rounded(.down)) + 1
            let headings = path.samples(
                firstTime: Double(index) * timeStep, count: max(0, count), timeStep: timeStep, limits: limits)
            followed = (index, headings ?? [])
        }
        guard let followed, !followed.headings.isEmpty else {
            return path.turn.heading(at: Double(index) * timeStep)
        }
        let offset = index - followed.first
        return followed.headings.indices.contains(offset) ? followed.headings[offset] : path.to
    }
}
