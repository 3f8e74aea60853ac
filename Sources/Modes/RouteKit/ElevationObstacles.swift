package import FlightVolume
internal import ReportKit
package import UAVLink

/// An obstacle under, over or in a route: where along it, and how high.
package struct ElevationObstacle: Hashable, Sendable {
    /// The metres along the route between which it is in the way, or nearer to it than the margin.
    package var metres: ClosedRange<Double>
    /// Its lowest height; may be minus infinity.
    package var lowest: Double
    /// Its greatest height; may be infinity.
    package var highest: Double
}

/// The obstacles along a route, computed when the route or the obstacles change.
@MainActor
package struct ElevationObstacles {
    private struct Key: Equatable {
        var points: [Vector3]
        var volumes: [FlyableVolume]
    }

    private var key: Key?
    /// The obstacles, one for each part of the route that is in its reach.
    package private(set) var all: [ElevationObstacle] = []

    package init() {}

    /// At so many places of the route, at equal distances, and at its points where it has no more of them: a route may have 100,000.
    private static let samples = 400
    /// The most obstacles of which the view is made.
    private static let mostObstacles = 500

    /// Finds the obstacles of volumes along the straight lines between points.
    package mutating func update(_ points: [Vector3], _ volumes: [FlyableVolume]) {
        let now = Key(points: points, volumes: volumes.filter { $0.isEnabled && !$0.obstacles.isEmpty })
        guard now != key else { return }
        key = now
        all = now.volumes.isEmpty ? [] : Self.find(along: points, now.volumes)
    }

    private static func find(along points: [Vector3], _ volumes: [FlyableVolume]) -> [ElevationObstacle] {
        let samples = sampled(points)
        var found: [ElevationObstacle] = []
        for volume in volumes {
            for obstacle in volume.obstacles.prefix(mostObstacles) {
                // Without heights: as it is seen from above.
                let footprint = FlightObstacle(name: obstacle.name, shape: obstacle.shape)
                var range: ClosedRange<Double>?
                func end() {
                    if let range {
                        found.append(
                            .init(metres: range, lowest: obstacle.minimumZMetres, highest: obstacle.maximumZMetres))
                    }
                    range = nil
                }
                for sample in samples {
                    if footprint.distance(sample.place) <= volume.obstacleMarginMetres {
                        range = (range?.lowerBound ?? sample.metres)...sample.metres
                    } else {
                        end()
                    }
                }
                end()
            }
        }
        return found
    }

    static func sampled(_ points: [Vector3]) -> [(metres: Double, place: Vector3)] {
        let length = zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
        guard length > 1e-9, length.isFinite else { return [] }
        let spacing = length / Double(Self.samples)
        let takesPoints = points.count <= Self.samples
        var samples: [(metres: Double, place: Vector3)] = []
        var (flown, next) = (0.0, 0.0)
        for (from, to) in zip(points, points.dropFirst()) {
            let part = (to - from).length
            if takesPoints { samples.append((flown, from)) }
            while next <= flown + part, samples.count <= 2 * Self.samples {
                if part > 0, next >= flown { samples.append((next, from + (to - from) * ((next - flown) / part))) }
                next += spacing
            }
            flown += part
        }
        if let last = points.last { samples.append((length, last)) }
        return samples
    }
}
