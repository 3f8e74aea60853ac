import FlightVolume
import RouteFlight
import RouteKit
import Testing
import TextScreen
import Trajectories
import UAVLink

@Suite("A trajectory drawn from above")
struct TrajectoryDrawingTests {
    private let size = ScreenSize(rows: 10, columns: 40)

    private func square(_ metres: Double) -> [SIMD2<Double>] {
        [SIMD2(-metres, -metres), SIMD2(metres, -metres), SIMD2(metres, metres), SIMD2(-metres, metres)]
    }

    private func drawing(
        to end: Vector3 = Vector3(x: 20, y: 0, z: 5), in volume: FlyableVolume? = nil
    ) throws -> [String] {
        let points = [Vector3(x: 0, y: 0, z: 5), end].map { PlannedPoint(position: $0) }
        let plan = try TrajectoryPlan(through: points, FlightConditions(volume: volume))
        return TrajectoryDrawing(plan, size).lines
    }

    @Test func `the points are numbered from west to east, and the bar has a round length`() throws {
        let lines = try drawing()
        #expect(lines.count == size.rows + 1)
        let row = try #require(lines.first { $0.contains("1") && $0.contains("2") })
        let (first, second) = (try #require(row.firstIndex(of: "1")), try #require(row.firstIndex(of: "2")))
        #expect(first < second)
        let bar = try #require(lines.last)
        #expect(bar.hasPrefix("|-") && bar.hasSuffix("| 5 m, north is up"))
        #expect(lines.dropLast().allSatisfy { $0.count <= size.columns })
    }

    @Test func `where it may fly is dashed, and what lies beyond the drawing is said`() throws {
        func volume(_ metres: Double) -> FlyableVolume {
            FlyableVolume(corners: square(metres), minimumZMetres: 1, maximumZMetres: 15)
        }
        #expect(try drawing(in: volume(30)).last == "dashed: where it may fly")
        #expect(
            try drawing(in: volume(5000)).last == "dashed: where it may fly, which extends beyond the drawing")
        #expect(try drawing(in: nil).last?.hasPrefix("dashed") == false)
    }

    @Test func `a trajectory that only climbs is drawn, too`() throws {
        let lines = try drawing(to: Vector3(x: 0, y: 0, z: 8))
        #expect(lines.contains { $0.contains("2") })
    }
}
