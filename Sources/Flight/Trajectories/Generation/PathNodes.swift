#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif
internal import UAVLink

/// A node of the path: one point of the route, or several at the same position.
struct PathNode {
    /// An action at a node; a node's actions run in order.
    struct Action {
        /// The route's point, counted from 0.
        let index: Int
        let heading: PlannedPoint.Heading
        let holdSeconds: Double
    }

    let position: Vector3
    var actions: [Action]
    /// Whether the vehicle stops there.
    var isStop: Bool
}

/// The straight leg from one node to the next.
struct PathLeg {
    let start: Vector3
    let direction: Vector3
    let length: Double
    /// Limits along the leg; the speed is at most the cruise speed.
    let limits: MotionLimits.Limits
    /// The heading along the leg.
    let heading: PlannedPoint.Heading

    /// Azimuth of the leg; `nil` if the leg is vertical.
    var azimuth: Double? {
        // Less than a thousandth of the length horizontally counts as vertical.
        direction.x.magnitude + direction.y.magnitude < 1e-3 ? nil : atan2(direction.y, direction.x)
    }
}

/// Nodes and legs of a route.
struct PathSkeleton {
    var nodes: [PathNode]
    let legs: [PathLeg]
    /// The corner at each inner node; `nil` at the first and the last.
    let corners: [CornerBlend?]

    /// Points closer to each other than this are one node, metres.
    static let coincidenceTolerance = 1e-6

    init(points: [PlannedPoint], limits: MotionLimits, options: TrajectoryOptions, cruise: Double) {
        var nodes: [PathNode] = []
        for (index, point) in points.enumerated() {
            let action = PathNode.Action(index: index, heading: point.heading, holdSeconds: point.holdSeconds)
            let stops = point.holdSeconds > 0 || point.takesSnapshot
            if let last = nodes.last, (point.position - last.position).length <= Self.coincidenceTolerance {
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
            if legs[index - 1].heading.requiresStop(legs[index].heading) { nodes[index].isStop = true }
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
    /// A heading towards a place is exact along the whole leg, so turns to and from it are made at rest.
    fileprivate func requiresStop(_ next: Self) -> Bool {
        switch (self, next) {
        case (.towards, _), (_, .towards): self != next
        default: false
        }
    }
}
