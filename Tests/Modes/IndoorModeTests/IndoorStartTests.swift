import FlightControl
import IndoorMode
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import Testing
import UAVLink
import UAVTestKit

/// Finds no way from beyond x = 4 m, or one whose check fails.
private struct StartPlanner: IndoorPlanning {
    var isFound = false

    func plan(
        _ request: IndoorPlanRequest, _ conditions: FlightConditions
    ) async throws(IndoorPlanProblem) -> IndoorPlan {
        if let start = request.start, start.x > 4 {
            guard isFound else {
                throw IndoorPlanProblem("the vehicle cannot be at the start: it is outside the map")
            }
            return try await FakeIndoorPlanner(failure: "outside the map").plan(request, conditions)
        }
        return try await FakeIndoorPlanner().plan(request, conditions)
    }
}

@MainActor
@Suite("Indoor: a plan that depends on where the vehicle is")
struct IndoorStartTests {
    private func tell(_ bench: IndoorBench, x: Double) {
        let now = bench.timeSource.clock.now
        var telemetry = bench.link.vehicle.telemetry(name: "uav1", now: now)
        telemetry.pose = Sample(
            Pose(
                frame: FrameName("uav1/gps_garmin_origin"), positionMetres: Vector3(x: x, y: 0, z: 1), headingRadians: 0
            ),
            at: now)
        telemetry.flight = Sample(
            FlightStatus(
                state: .flying, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true), at: now
        )
        bench.link.publish(telemetry)
    }

    @Test(arguments: [false, true])
    func `a vehicle that comes into the map is found there without an edit`(_ isFound: Bool) async throws {
        let bench = try IndoorBench(planner: StartPlanner(isFound: isFound))
        bench.link.setVehicleSilent(true)
        try await bench.link.connect(within: .seconds(5))
        try await bench.open()
        tell(bench, x: 9)
        bench.send(.route(.placeAtCursor), .route(.moveCursor(columns: 8, rows: 0)), .route(.placeAtCursor))
        func isOutside() -> Bool { bench.view.state.route.findings.contains { $0.text.contains("outside the map") } }
        #expect(await bench.reaches { isOutside() })
        tell(bench, x: 1)
        let isIn = await bench.reaches {
            bench.view.presenter?.look()
            return bench.view.state.route.stage == .ready
        }
        #expect(isIn && !isOutside())
        bench.instance.detach()
    }
}
