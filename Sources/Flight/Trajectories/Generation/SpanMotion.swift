internal import UAVLink

/// Motion in time from one stop to the next: lines and rounded corners.
struct SpanMotion {
    enum Section {
        case line(start: Vector3, direction: Vector3, profile: LineProfile)
        case corner(start: Vector3, blend: CornerBlend, speed: Double, duration: Double)

        var duration: Double {
            switch self {
            case .line(_, _, let profile): profile.duration
            case .corner(_, _, _, let duration): duration
            }
        }

        func position(at time: Double) -> Vector3 {
            switch self {
            case .line(let start, let direction, let profile):
                return start + direction * profile.distance(at: time)
            case .corner(let start, let blend, let speed, let duration):
                return start + blend.offset(at: min(max(time / duration, 0), 1), speed: speed, duration: duration)
            }
        }
    }

    private(set) var sections: [Section] = []
    /// When each section begins, seconds from the span's start.
    private(set) var starts: [Double] = []
    /// When each node of the span is passed, seconds from its start.
    private(set) var nodeTimes: [Double] = [0]
    private(set) var duration = 0.0
    private(set) var peakSpeed = 0.0

    /// Plans the span from node `first` to node `last`, at rest at both.
    init(_ path: PathSkeleton, from first: Int, to last: Int, deviation: Double) {
        let speeds = Self.cornerSpeeds(path, from: first, to: last, deviation: deviation)
        for index in first..<last {
            let leg = path.legs[index]
            let begin = path.reach(at: index, speed: speeds[index - first])
            let end = path.reach(at: index + 1, speed: speeds[index + 1 - first])
            let profile = LineProfile(
                distance: max(0, leg.length - begin - end), from: speeds[index - first],
                to: speeds[index + 1 - first], limits: leg.limits)
            append(.line(start: leg.start + leg.direction * begin, direction: leg.direction, profile: profile))
            peakSpeed = max(peakSpeed, profile.peakSpeed)
            guard index + 1 < last, let corner = path.corners[index + 1] else { continue }
            let speed = speeds[index + 1 - first]
            let time = corner.duration(at: speed)
            nodeTimes.append(duration + time / 2)
            if time > 0 {
                let start = path.nodes[index + 1].position - leg.direction * end
                append(.corner(start: start, blend: corner, speed: speed, duration: time))
            }
        }
        nodeTimes.append(duration)
    }

    private mutating func append(_ section: Section) {
        sections.append(section)
        starts.append(duration)
        duration += section.duration
    }

    /// Position at a time; `cursor` is the section of the previous call, and calls must be in order of time.
    func position(at time: Double, cursor: inout Int) -> Vector3 {
        while cursor + 1 < sections.count, starts[cursor + 1] <= time { cursor += 1 }
        return sections[cursor].position(at: time - starts[cursor])
    }

    /// Speed at each node: what the corner allows and what the legs before and after it can reach.
    private static func cornerSpeeds(
        _ path: PathSkeleton, from first: Int, to last: Int, deviation: Double
    ) -> [Double] {
        var speeds = [Double](repeating: 0, count: last - first + 1)
        for index in first + 1..<max(first + 1, last) {
            guard let corner = path.corners[index] else { continue }
            let (before, after) = (path.legs[index - 1], path.legs[index])
            speeds[index - first] = corner.greatestSpeed(
                upTo: min(before.limits.speed, after.limits.speed), reach: min(before.length, after.length) / 2,
                deviation: deviation)
        }
        for index in first..<last {
            speeds[index + 1 - first] = path.reachable(
                along: path.legs[index], from: (index, speeds[index - first]),
                to: (index + 1, speeds[index + 1 - first]))
        }
        for index in (first..<last).reversed() {
            speeds[index - first] = path.reachable(
                along: path.legs[index], from: (index + 1, speeds[index + 1 - first]),
                to: (index, speeds[index - first]))
        }
        return speeds
    }
}

extension PathSkeleton {
    /// Distance from a node at which its corner begins at a speed.
    func reach(at node: Int, speed: Double) -> Double {
        guard !nodes[node].isStop, let corner = corners[node] else { return 0 }
        return corner.reach(at: speed)
    }

    /// The speed at one end of a leg that its length and the speed at its other end allow.
    fileprivate func reachable(
        along leg: PathLeg, from near: (node: Int, speed: Double), to far: (node: Int, speed: Double)
    ) -> Double {
        guard far.speed > near.speed else { return far.speed }
        let available = leg.length - reach(at: near.node, speed: near.speed)
        return SpeedRamp.greatestSpeed(from: near.speed, upTo: far.speed) { speed in
            SpeedRamp(from: near.speed, to: speed, limits: leg.limits).distance
                + reach(at: far.node, speed: speed) <= available
        }
    }
}
