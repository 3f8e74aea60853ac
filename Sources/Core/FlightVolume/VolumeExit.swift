public import UAVLink

extension FlyableVolume {
    /// Where a straight line leaves the volume.
    public struct Exit: Hashable, Sendable {
        /// The border that the line crosses.
        public enum Border: Hashable, Sendable {
            /// The line starts outside.
            case startsOutside
            /// The side from the corner of this index to the next one.
            case side(Int)
            /// The lowest height.
            case floor
            /// The greatest height.
            case ceiling
            /// The margin of the obstacle of this index.
            case obstacle(Int)
        }

        /// The last point inside.
        public var position: Vector3
        /// The fraction of the line up to that point, from 0 to 1.
        public var fraction: Double
        /// The border that the line crosses.
        public var border: Border
    }

    /// Where the straight line from one point to another first leaves the volume; `nil` if all of it lies inside.
    ///
    /// The whole line is checked, not only its ends: a line that cuts through a concave corner is found. A line that only
    /// touches the border does not leave.
    public func firstExit(from start: Vector3, to end: Vector3) -> Exit? {
        guard isEnabled else { return nil }
        let outline = firstOutlineExit(from: start, to: end)
        guard let obstacle = firstObstacle(from: start, to: end) else { return outline }
        guard let outline, outline.fraction <= obstacle.fraction else { return obstacle }
        return outline
    }

    /// Where the straight line first comes closer to an obstacle than the margin, to ``obstacleStepMetres``; `nil` if it stays away
    /// from all of them. Its border is ``Exit/Border/obstacle(_:)``, also where it starts there.
    public func firstObstacle(from start: Vector3, to end: Vector3) -> Exit? {
        guard isEnabled, start.isFinite, end.isFinite else { return nil }
        var first: Exit?
        for index in obstacles.indices {
            let most = first?.fraction ?? 1
            guard let fraction = firstFraction(from: start, to: end, in: obstacles[index], most: most),
                first == nil || fraction < most
            else { continue }
            first = Exit(
                position: start + (end - start) * fraction, fraction: fraction, border: .obstacle(index))
        }
        return first
    }

    /// The step along the margin of an obstacle: so much of a line may lie closer to it and not be found.
    static let obstacleStepMetres = 0.01

    /// Goes along the line by the distance to the obstacle, within which nothing of it can be.
    private func firstFraction(
        from start: Vector3, to end: Vector3, in obstacle: FlightObstacle, most: Double
    ) -> Double? {
        let way = end - start
        let length = way.length
        // Longer than any flight, and too long to be added up in steps of centimetres.
        guard length < 1e9 else { return 0 }
        var travelled = 0.0
        while true {
            let fraction = length > 0 ? min(travelled / length, most) : 0
            let free = obstacle.distance(start + way * fraction) - obstacleMarginMetres
            if free < -Self.roundingMetres { return fraction }
            if length == 0 || fraction >= most { return nil }
            travelled += max(free, Self.obstacleStepMetres)
        }
    }

    /// As ``firstExit(from:to:)``, whatever the obstacles.
    public func firstOutlineExit(from start: Vector3, to end: Vector3) -> Exit? {
        guard isEnabled else { return nil }
        guard start.isFinite, end.isFinite else { return Exit(position: start, fraction: 0, border: .startsOutside) }
        let way = end - start
        var crossings = heightCrossings(start, way) + sideCrossings(start, way)
        crossings.sort { $0.fraction < $1.fraction }
        crossings.append((1, .startsOutside))
        var (from, border) = (0.0, Exit.Border.startsOutside)
        for crossing in crossings {
            // Between two crossings the line is entirely inside or entirely outside: testing its midpoint is enough.
            // A segment shorter than the rounding error is a corner crossed at a single point.
            if crossing.fraction - from > 1e-12 {
                if !isInsideOutline(start + way * ((from + crossing.fraction) / 2)) {
                    return Exit(position: start + way * from, fraction: from, border: border)
                }
            }
            (from, border) = (crossing.fraction, crossing.border)
        }
        // A line of zero length crosses nothing.
        return way.length > 0 || isInsideOutline(start)
            ? nil : Exit(position: start, fraction: 0, border: .startsOutside)
    }

    private typealias Crossing = (fraction: Double, border: Exit.Border)

    private func heightCrossings(_ start: Vector3, _ way: Vector3) -> [Crossing] {
        guard way.z != 0 else { return [] }
        let heights: [(Double, Exit.Border)] = [(minimumZMetres, .floor), (maximumZMetres, .ceiling)]
        return heights.compactMap { height, border in
            let fraction = (height - start.z) / way.z
            return fraction > 0 && fraction < 1 ? (fraction, border) : nil
        }
    }

    private func sideCrossings(_ start: Vector3, _ way: Vector3) -> [Crossing] {
        let (origin, direction) = (SIMD2(start.x, start.y), SIMD2(way.x, way.y))
        var found: [Crossing] = []
        for index in corners.indices {
            let (first, second) = (corners[index], corners[(index + 1) % corners.count])
            let (side, offset) = (second - first, first - origin)
            let across = direction.x * side.y - direction.y * side.x
            if across != 0 {
                let fraction = (offset.x * side.y - offset.y * side.x) / across
                let along = (offset.x * direction.y - offset.y * direction.x) / across
                // Tolerance beyond the side's ends, so that rounding cannot open a gap at a corner.
                if fraction > 0, fraction < 1, (-1e-9...1 + 1e-9).contains(along) {
                    found.append((fraction, .side(index)))
                }
            } else {
                // Parallel: if the line runs along the side, both ends of the side split it.
                let length = (direction * direction).sum()
                let apart = offset.x * direction.y - offset.y * direction.x
                guard length > 0, apart * apart <= 1e-18 * length else { continue }
                for corner in [first, second] {
                    let fraction = ((corner - origin) * direction).sum() / length
                    if fraction > 0, fraction < 1 { found.append((fraction, .side(index))) }
                }
            }
        }
        return found
    }
}
