public import UAVLink

extension FlyableVolume {
    /// Where a straight line leaves the volume.
    public struct Exit: Hashable, Sendable {
        /// What it leaves through.
        public enum Border: Hashable, Sendable {
            /// It begins outside.
            case startsOutside
            /// The side from the corner of this index to the next one.
            case side(Int)
            /// The lowest height.
            case floor
            /// The greatest height.
            case ceiling
        }

        /// The last point inside.
        public var position: Vector3
        /// How much of the line lies before it, from 0 to 1.
        public var fraction: Double
        /// What it leaves through.
        public var border: Border
    }

    /// Where the straight line from one point to another first leaves the volume; `nil` when all of it lies inside.
    ///
    /// The whole line counts, not its ends only: one that cuts through a notch is found. A line that only touches the
    /// border does not leave.
    public func firstExit(from start: Vector3, to end: Vector3) -> Exit? {
        guard isEnabled else { return nil }
        guard start.isFinite, end.isFinite else { return Exit(position: start, fraction: 0, border: .startsOutside) }
        let way = end - start
        var crossings = heightCrossings(start, way) + sideCrossings(start, way)
        crossings.sort { $0.fraction < $1.fraction }
        crossings.append((1, .startsOutside))
        var (from, border) = (0.0, Exit.Border.startsOutside)
        for crossing in crossings {
            // Between two crossings a line is inside all the way or outside all the way: the middle tells. What is shorter
            // than its own rounding is a corner, passed in one point.
            if crossing.fraction - from > 1e-12 {
                if !contains(start + way * ((from + crossing.fraction) / 2)) {
                    return Exit(position: start + way * from, fraction: from, border: border)
                }
            }
            (from, border) = (crossing.fraction, crossing.border)
        }
        // A line without length crosses nothing.
        return way.length > 0 || contains(start) ? nil : Exit(position: start, fraction: 0, border: .startsOutside)
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
                // A little beyond the side's ends, so that rounding cannot open a gap at a corner.
                if fraction > 0, fraction < 1, (-1e-9...1 + 1e-9).contains(along) {
                    found.append((fraction, .side(index)))
                }
            } else {
                // Parallel: along the very side both of its ends divide the line.
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
