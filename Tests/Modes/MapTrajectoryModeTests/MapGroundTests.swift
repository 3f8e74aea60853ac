import FlightControl
import MapTrajectoryMode
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import Testing
import UAVLink
import UAVTestKit

/// What the map says of a vehicle that stands on the ground, and what a stop ends.
@MainActor
@Suite("Map trajectory: a vehicle that does not fly")
struct MapGroundTests {
    private func tell(_ bench: MapBench, _ state: FlightState, hasOutput: Bool = true) {
        var telemetry = Telemetry(vehicle: "uav1")
        let now = bench.timeSource.clock.now
        telemetry.pose = Sample(
            Pose(frame: FrameName("uav1/gps_garmin_origin"), positionMetres: .zero, headingRadians: 0.5), at: now)
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state != .disarmed, isOffboard: true, isOutputEnabled: hasOutput,
                isFlyingNormally: state == .flying), at: now)
        bench.link.publish(telemetry)
    }

    private func planned() async -> MapBench {
        let bench = MapBench()
        await bench.open()
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5"), .place(MapPlace(east: 20, north: 0)))
        #expect(await bench.planned())
        return bench
    }

    @Test(arguments: [FlightState.disarmed, .armed])
    func `after an emergency landing it says what has to be done, and not to take off`(_ state: FlightState) async {
        let bench = await planned()
        for landing in [FlightState.flying, .emergency] { tell(bench, landing) }
        tell(bench, state, hasOutput: false)
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .grounded)
        for action in [RouteAction.send, .start] {
            bench.do(.route(.act(action)))
            await settle()
            let said = bench.stage.notices.last?.text ?? ""
            #expect(said.contains("restart the flight stack") && !said.contains("take off"), "\(action): \(said)")
        }
        #expect(bench.view.shown.confirmation == nil)
        // Of one that landed otherwise it says so.
        tell(bench, .flying)
        tell(bench, .landing)
        tell(bench, .disarmed)
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .onGround)
        bench.do(.route(.act(.send)))
        #expect(bench.stage.notices.last?.text == "the vehicle is not flying: take off first")
        bench.close()
    }

    @Test func `a stop ends a goto that was begun elsewhere, and what is said of it`() async {
        let bench = await planned()
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        bench.tell(.zero, goal: true)
        await bench.timeSource.beat()
        var isStopped = false
        bench.fleet.beginCommand { isStopped = true }
        bench.do(.route(.act(.stop)))
        #expect(isStopped)
        #expect(await becomesTrue { bench.link.commands.last == .hover })
        #expect(await becomesTrue { bench.stage.notices.last?.text == "stopped" })
        bench.close()
    }
}
