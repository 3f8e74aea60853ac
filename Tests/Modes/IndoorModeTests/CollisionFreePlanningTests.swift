import ModeKit
import IndoorMode
import RouteFlight
import PointCloud
import Testing
import Trajectories
import UAVLink

@Suite("Indoor: the way through a map")
struct CollisionFreePlanningTests {
    /// An open box of 12 by 8 by 4 m, seen from its middle, with a wall across the middle that leaves a door at one end.
    private static func hall() throws -> PlacedIndoorMap {
        var points: [SIMD3<Float>] = []
        func wall(_ from: SIMD3<Float>, _ right: SIMD3<Float>, _ up: SIMD3<Float>) {
            for across in 0...60 {
                let start = from + right * (Float(across) / 60)
                for along in 0...60 { points.append(start + up * (Float(along) / 60)) }
            }
        }
        let (x, y, z) = (SIMD3<Float>(12, 0, 0), SIMD3<Float>(0, 8, 0), SIMD3<Float>(0, 0, 4))
        let corner = SIMD3<Float>(-6, -4, 0)
        wall(corner, x, y)
        wall(corner + z, x, y)
        wall(corner, x, z)
        wall(corner + y, x, z)
        wall(corner, y, z)
        wall(corner + x, y, z)
        wall(corner + SIMD3(6, 0, 0), y * 0.7, z)
        return PlacedIndoorMap(id: 1, layers: try HeightLayers(PointCloud(offsets: points)))
    }

    private func request(_ places: Vector3..., map: PlacedIndoorMap?) -> IndoorPlanRequest {
        var request = IndoorPlanRequest(points: places.map { PlannedPoint(position: $0) }, map: map)
        request.settings.inspection.unknownIsOpen = true
        return request
    }

    @Test("the way goes around a wall and tells its clearance; as it is drawn, it would hit the wall, and says so")
    func around() async throws {
        let map = try Self.hall()
        var request = request(Vector3(x: -3, y: -2, z: 2), Vector3(x: 3, y: -2, z: 2), map: map)
        let planner = CollisionFreePlanning()
        let plan = try await planner.plan(request, FlightConditions())
        let least = try #require(plan.leastClearanceMetres)
        #expect(least >= 0.55 - 1e-9)
        // By brute force, at some of the samples.
        let samples = plan.trajectory.generated.trajectory.points.map(\.position)
        var nearest = Double.infinity
        for index in stride(from: 0, to: samples.count, by: max(1, samples.count / 20)) {
            for offset in map.layers.cloud.offsets {
                let way = Vector3(x: Double(offset.x), y: Double(offset.y), z: Double(offset.z)) - samples[index]
                nearest = min(nearest, way.length)
            }
        }
        #expect(nearest >= 0.55 - 1e-6)
        #expect(plan.path.count > 2)
        #expect(plan.facts.map(\.label) == ["path to 2"])
        #expect(plan.trajectory.report.findings.contains { $0.text.contains("is treated as free (O changes it)") })
        request.settings.avoidsObstacles = false
        var problem: IndoorPlanProblem?
        do throws(IndoorPlanProblem) { _ = try await planner.plan(request, FlightConditions()) } catch {
            problem = error
        }
        #expect(problem?.text.contains("not safe between its points 1 and 2") == true)
        #expect(abs(problem?.place?.x ?? 9) < 0.7)
    }

    @Test("a point in a wall has no path, and the place is reported")
    func blocked() async throws {
        let request = request(
            Vector3(x: -3, y: -2, z: 2), Vector3(x: 0, y: -2, z: 2), map: try Self.hall())
        var problem: IndoorPlanProblem?
        do throws(IndoorPlanProblem) { _ = try await CollisionFreePlanning().plan(request, FlightConditions()) } catch {
            problem = error
        }
        #expect(problem?.text.contains("the vehicle cannot be at point 2") == true)
        #expect(problem?.place != nil)
    }

    @Test("without a map the path is straight, and no clearance is claimed")
    func noMap() async throws {
        let request = request(.zero, Vector3(x: 2, y: 0, z: 0), map: nil)
        let plan = try await CollisionFreePlanning().plan(request, FlightConditions())
        #expect(plan.leastClearanceMetres == nil)
        #expect(plan.trajectory.report.findings.contains { $0.text.contains("no map is open") })
    }
}
