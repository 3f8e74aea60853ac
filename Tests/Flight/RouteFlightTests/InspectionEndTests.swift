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
}
