import FlightVolume
import RouteFlight
import Geodesy
import Planning
import PointCloud
import ReportKit
import Testing
import Trajectories
import UAVLink

extension InspectionTests {
    @Test func `planning that is not wanted any more ends`() async throws {
        let task = Task {
            let interactor = InspectionInteractor(map: Self.room(), settings: Self.settings)
            return try await interactor.plan(
                past: [Self.point(5, 3.2)], from: Vector3(x: 1, y: 0.8, z: 1.2), FlightConditions())
        }
        task.cancel()
        let failure = await #expect(throws: InspectionFailure.self) { _ = try await task.value }
        #expect(failure == .cancelled)
    }

    @Test func `an inspection without a point is refused`() async {
        let interactor = InspectionInteractor(map: Self.room(), settings: Self.settings)
        await #expect(throws: InspectionFailure.self) { try await interactor.plan(past: [], FlightConditions()) }
    }

    @Test func `points outside a map are the reason, and not that it is too large`() async throws {
        // A part of another survey far away makes too many cells.
        var map = Self.room()
        map.offsets.append(SIMD3(3000, 2000, 100))
        var settings = Self.settings
        settings.unknownIsOpen = false
        let interactor = InspectionInteractor(map: map, settings: settings)
        let inside = Vector3(x: 1, y: 0.8, z: 1.2)
        let far = Vector3(x: -40, y: 2, z: 1.2)
        let cases: [(Vector3?, [PlannedPoint], String)] = [
            (nil, [Self.point(-40, 2), Self.point(-44, 2)], "point 1"),
            (inside, [Self.point(5, 2), Self.point(-44, 2)], "point 2"), (far, [Self.point(5, 2)], "the start"),
        ]
        for (start, points, name) in cases {
            let thrown = await #expect(throws: InspectionFailure.self) {
                _ = try await interactor.plan(past: points, from: start, FlightConditions(limits: .medium))
            }
            let failure = try #require(thrown)
            #expect(failure.isOutsideMap, "\(failure)")
            #expect(InspectionText.line(failure) == "the vehicle cannot be at \(name): it is outside the map")
        }
    }
    /// 10 cm more than the clearance, which is tried first, does not fit.
    @Test func `a region that is hardly wider than the vehicle is enough`() async throws {
        func plan(_ height: Double) async throws -> InspectionPlan {
            var settings = Self.settings
            settings.region = MapOptions.Box(
                low: Vector3(x: 0, y: 0, z: 1.2 - height / 2), high: Vector3(x: 6, y: 4, z: 1.2 + height / 2))
            return try await InspectionInteractor(map: Self.room(), settings: settings).plan(
                past: [Self.point(5, 3.2)], from: Vector3(x: 1, y: 0.8, z: 1.2), FlightConditions())
        }
        let heights = try await plan(1.1).trajectory.generated.trajectory.points.map(\.position.z)
        #expect(heights.allSatisfy { abs($0 - 1.2) <= 0.05 + 1e-6 }, "\(heights)")
        let failure = await #expect(throws: InspectionFailure.self) { _ = try await plan(0.98) }
        let words = "the region leaves no space: its border is closed, and the vehicle keeps 0.5 m from it"
        #expect(failure == .request(words))
    }
}
