import FlightVolume
import ModeKit
import Testing
import UAVLink

@testable import RouteKit
@testable import TextScreen

@MainActor
@Suite("A route from the side")
struct RouteElevationTests {
    private let points = [Vector3(x: 0, y: 0, z: 5), Vector3(x: 20, y: 0, z: 5), Vector3(x: 20, y: 20, z: 5)]

    private func volume(_ obstacle: FlightObstacle, isEnabled: Bool = true) -> FlyableVolume {
        FlyableVolume(
            isEnabled: isEnabled, corners: [], minimumZMetres: 0, maximumZMetres: 50, obstacles: [obstacle],
            obstacleMarginMetres: 1)
    }

    private let tower = FlightObstacle(
        name: "tower", shape: .circle(centre: SIMD2(10, 2.5), radiusMetres: 2), minimumZMetres: 0, maximumZMetres: 8)

    @Test func `of a long route with many points it takes no more samples than of a short one`() throws {
        let long = (0...100_000).map { Vector3(x: Double($0) * 0.001, y: 0, z: 5) }
        #expect(ElevationObstacles.sampled(long).count <= 402)
        var obstacles = ElevationObstacles()
        obstacles.update(long, [volume(tower)])
        let found = try #require(obstacles.all.first)
        #expect(found.metres.lowerBound > 7 && found.metres.upperBound < 13)
        // Of few points none is left out: an obstacle at a corner is seen.
        let samples = ElevationObstacles.sampled(points)
        #expect(samples.count >= 400 && points.allSatisfy { point in samples.contains { $0.place == point } })
        #expect(samples.last?.metres == 40 && zip(samples, samples.dropFirst()).allSatisfy { $0.metres <= $1.metres })
    }

    @Test func `an obstacle that the route passes within the margin is found, with its place along the route`() throws {
        var obstacles = ElevationObstacles()
        obstacles.update(points, [volume(tower)])
        let found = try #require(obstacles.all.first)
        #expect(obstacles.all.count == 1 && found.lowest == 0 && found.highest == 8)
        #expect(found.metres.lowerBound > 7 && found.metres.upperBound < 13 && found.metres.contains(10))
        // Beside it, and where limits are switched off, there is none.
        obstacles.update(points.map { $0 + Vector3(x: 0, y: -3, z: 0) }, [volume(tower)])
        #expect(obstacles.all.isEmpty)
        obstacles.update(points, [volume(tower, isEnabled: false)])
        #expect(obstacles.all.isEmpty)
        // Twice along the route it is there twice.
        obstacles.update([points[0], points[1], points[0]], [volume(tower)])
        #expect(obstacles.all.count == 2)
    }

    @Test(arguments: [8.0, 200, .infinity]) func `it is drawn, and the route stays readable below a high one`(
        height: Double
    ) {
        var obstacle = tower
        obstacle.maximumZMetres = height
        var obstacles = ElevationObstacles()
        obstacles.update(points, [volume(obstacle)])
        func drawn(_ obstacles: [ElevationObstacle]) -> Canvas {
            var canvas = Canvas(ScreenSize(rows: 12, columns: 60))
            let markers = points.enumerated().map { RouteMarker(position: $1, label: "\($0 + 1)") }
            RouteElevation(markers, obstacles).draw(on: &canvas, in: canvas.area)
            return canvas
        }
        let lines = drawn(obstacles.all).lines
        #expect(lines != drawn([]).lines)
        func dots(_ lines: [String]) -> Int { lines.joined().count { ("\u{2801}"..."\u{28FF}").contains($0) } }
        #expect(dots(lines) > dots(drawn([]).lines) + 5)
        let row = lines.firstIndex { $0.contains("1") && $0.contains("2") && $0.contains("3") } ?? 0
        #expect((2..<9).contains(row), "\(lines)")
    }

    @Test func `that a trajectory was sent is said once`() {
        func words(_ message: String) -> String {
            RouteFlightWords.sent(CommandReply(accepted: true, message: message))
        }
        #expect(words("trajectory loaded") == "trajectory loaded")
        #expect(words("") == "trajectory sent" && words("fine") == "trajectory sent: fine")
    }
}
