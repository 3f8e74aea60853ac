public import UAVLink

/// Distance from a position to the nearest point of a path, by a tree of bounding boxes around runs of segments.
public struct PathDistance: Sendable {
    private struct Box {
        var low: SIMD3<Double>
        var high: SIMD3<Double>

        /// Squared distance from a point to the box.
        func distance(to point: SIMD3<Double>) -> Double {
            let off = pointwiseMax(pointwiseMax(low - point, point - high), SIMD3(0, 0, 0))
            return (off * off).sum()
        }

        func joined(with other: Self) -> Self {
            Self(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
        }
    }

    /// Segments per leaf.
    private static let leaf = 16
    private let path: [SIMD3<Double>]
    /// Levels of boxes: the lowest has one per `leaf` segments, each other one per two boxes of the level below.
    private let floors: [[Box]]

    /// - Returns: `nil` for an empty path, or one with a position that is not finite.
    public init?(_ positions: [Vector3]) {
        guard !positions.isEmpty, positions.allSatisfy(\.isFinite) else { return nil }
        let path = positions.map { SIMD3($0.x, $0.y, $0.z) }
        let pieces = max(1, path.count - 1)
        var floor = stride(from: 0, to: pieces, by: Self.leaf).map { first in
            var box = Box(low: path[first], high: path[first])
            for index in first...min(first + Self.leaf, path.count - 1) {
                box = box.joined(with: Box(low: path[index], high: path[index]))
            }
            return box
        }
        var floors = [floor]
        while floor.count > 1 {
            floor = stride(from: 0, to: floor.count, by: 2).map {
                $0 + 1 < floor.count ? floor[$0].joined(with: floor[$0 + 1]) : floor[$0]
            }
            floors.append(floor)
        }
        self.path = path
        self.floors = floors
    }

    /// Distance from a position to the path, metres.
    public func distance(to position: Vector3) -> Double {
        let point = SIMD3(position.x, position.y, position.z)
        var best = Double.infinity
        search(floors.count - 1, 0, point, &best)
        return best.squareRoot()
    }

    /// Searches a box, the nearer half first.
    private func search(_ floor: Int, _ index: Int, _ point: SIMD3<Double>, _ best: inout Double) {
        guard floor > 0 else {
            let first = index * Self.leaf
            for piece in first..<min(first + Self.leaf, max(1, path.count - 1)) {
                best = min(best, distance(from: point, piece: piece))
            }
            return
        }
        let below = floors[floor - 1]
        let halves = (2 * index..<min(2 * index + 2, below.count)).map { ($0, below[$0].distance(to: point)) }
        for (half, distance) in halves.sorted(by: { $0.1 < $1.1 }) where distance < best {
            search(floor - 1, half, point, &best)
        }
    }

    /// Squared distance to a segment.
    private func distance(from point: SIMD3<Double>, piece: Int) -> Double {
        let from = path[piece]
        let way = path[min(piece + 1, path.count - 1)] - from
        let length = (way * way).sum()
        let share = length > 0 ? min(max(((point - from) * way).sum() / length, 0), 1) : 0
        let off = point - (from + way * share)
        return (off * off).sum()
    }
}
