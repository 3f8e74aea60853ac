internal import Foundation
package import IntegrationKit

/// Where the vehicle was, as a rospy node saw it, for judging a flight.
package struct FlightTrack: Sendable {
    /// Its points, the oldest first.
    package let points: [FlightWitness.TrackPoint]

    /// Seconds since 1970, as the track has them.
    package static var now: Double { Date().timeIntervalSince1970 }

    /// Takes the track since it was last taken, and keeps it beside the build under that name.
    package init(_ witness: FlightWitness, named name: String) async throws {
        points = try await witness.track()
        let folder = BuiltPrograms.repository + "/.build/tracks"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let lines = points.map { point in
            ([point.at] + point.position + [point.speed]).map { String(format: "%.3f", $0) }.joined(separator: ",")
        }
        let text = "seconds,x,y,z,metres_per_second\n" + lines.joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name).csv"))
    }

    private init(points: [FlightWitness.TrackPoint]) { self.points = points }

    /// What came after an instant, seconds since 1970.
    package func after(_ instant: Double) -> Self { Self(points: points.filter { $0.at >= instant }) }

    /// The greatest height, metres.
    package var highest: Double { points.map { $0.position[2] }.max() ?? -.infinity }

    /// The first height, metres.
    package var firstHeight: Double { points.first?.position[2] ?? .infinity }

    /// The last height, metres.
    package var lastHeight: Double { points.last?.position[2] ?? .infinity }

    /// How far it went from its first point at most, in the plane, metres.
    package var widest: Double {
        guard let first = points.first?.position else { return 0 }
        return points.map { hypot($0.position[0] - first[0], $0.position[1] - first[1]) }.max() ?? 0
    }

    /// How far its last point is from a place in the plane, metres.
    package func end(from x: Double, _ y: Double) -> Double {
        guard let last = points.last?.position else { return .infinity }
        return hypot(last[0] - x, last[1] - y)
    }

    /// By how much it rose above a height that it had before, at most, metres.
    package var greatestRise: Double {
        var lowest = Double.infinity
        var rise = 0.0
        for point in points {
            lowest = min(lowest, point.position[2])
            rise = max(rise, point.position[2] - lowest)
        }
        return rise
    }

    /// The longest time without odometry, seconds.
    package var longestGap: Double { zip(points, points.dropFirst()).map { $1.at - $0.at }.max() ?? .infinity }

    /// The greatest speed, metres per second.
    package var fastest: Double { points.map(\.speed).max() ?? 0 }

    /// The length of the way, metres, up to the first point that is slower than that, metres per second.
    package func way(untilSlowerThan slow: Double) -> Double {
        var way = 0.0
        for (before, point) in zip(points, points.dropFirst()) {
            let step = zip(point.position, before.position).map { $0 - $1 }
            way += (step.map { $0 * $0 }.reduce(0, +)).squareRoot()
            if point.speed < slow { break }
        }
        return way
    }
}
