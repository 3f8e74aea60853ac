#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif
internal import UAVLink

/// A place on the way: one point of the route, or several that lie in the same place.
struct PathNode {
    /// What happens there, in order.
    struct Action {
        /// The route's point, counted from 0.
        let index: Int
        let heading: PlannedPoint.Heading
        let holdSeconds: Double
    }

    let position: Vector3
    var actions: [Action]
    /// Whether the vehicle comes to rest there.
    var isStop: Bool
}

/// The straight way from one node to the next.
struct PathLeg {
    let start: Vector3
    let direction: Vector3
    let length: Double
    /// Along the leg, with the speed that is not exceeded.
    let limits: MotionLimits.Limits
    /// Where the nose points on the way.
    let heading: PlannedPoint.Heading

    /// The heading along the leg; absent on one that goes straight up or down.
    var azimuth: Double? {
        // Under a thousandth of the way sideways is as good as vertical.
        direction.x.magnitude + direction.y.magnitude < 1e-3 ? nil : atan2(direction.y, direction.x)
    }
}

/// The places and legs of a route.
struct PathSkeleton {
    var nodes: [PathNode]
    let legs: [PathLeg]
    /// The corner at each inner node; the first and the last have none.
    let corners: [CornerBlend?]

    /// Points nearer to each other than this are one place, metres.
    static let samePlace = 1e-6

    init(points: [PlannedPoint], limits: MotionLimits, options: TrajectoryOptions, cruise: Double) {
        var nodes: [PathNode] = []
        for (index, point) in points.enumerated() {
            let action = PathNode.Action(index: index, heading: point.heading, holdSeconds: point.holdSeconds)
            let stops = point.holdSeconds > 0 || point.takesSnapshot
            if let last = nodes.last, (point.position - last.position).length <= Self.samePlace {
                let before = nodes[nodes.count - 1].actions.last
                nodes[nodes.count - 1].actions.append(action)
                nodes[nodes.count - 1].isStop = last.isStop || stops || before?.heading != action.heading
            } else {
                nodes.append(PathNode(position: point.position, actions: [action], isStop: stops))
            }
        }
        var legs: [PathLeg] = []
        for (from, to) in zip(nodes, nodes.dropFirst()) {
            let way = to.position - from.position
            let length = way.length
            let direction = way * (1 / length)
            var along = limits.along(direction)
            along.speed = min(along.speed, cruise)
            legs.append(
                PathLeg(
                    start: from.position, direction: direction, length: length, limits: along,
                    heading: to.actions.first?.heading ?? .alongPath))
        }
        var corners = [CornerBlend?](repeating: nil, count: nodes.count)
        for index in nodes.indices where index > 0 && index + 1 < nodes.count {
            let corner = CornerBlend(
                inward: legs[index - 1].direction, outward: legs[index].direction, limits: limits)
            corners[index] = corner
            if case .straight = options.shape, !corner.isStraight { nodes[index].isStop = true }
            if legs[index - 1].heading.mustStopBefore(legs[index].heading) { nodes[index].isStop = true }
        }
        if !nodes.isEmpty {
            nodes[0].isStop = true
            nodes[nodes.count - 1].isStop = true
        }
        self.nodes = nodes
        self.legs = legs
        self.corners = corners
    }
}

extension PlannedPoint.Heading {
    /// Looking at a place is exact all the way, so that the turn to it and away from it is made at rest.
    fileprivate func mustStopBefore(_ next: Self) -> Bool {
        switch (self, next) {
        case (.towards, _), (_, .towards): self != next
        default: false
        }
    }
}
