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

    @Test func `on the ground a route that fails a check says both, and so does the key that sends`() async {
        let bench = await planned()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.tell(.zero, state: .disarmed)
        bench.do(.ask(.origin), .answer("47 8"))
        #expect(await becomesTrue { bench.view.shown.route.stage == .failed })
        #expect(bench.view.shown.route.missing == "take off to send")
        bench.do(.route(.act(.send)))
        let said = bench.stage.notices.last?.text ?? ""
        #expect(said.hasPrefix("the vehicle is not flying: take off first; a check fails, too: "), "\(said)")
        #expect(bench.view.shown.route.refusals[.send] == said)
        // So do those that fly what was sent.
        let check = said.dropFirst("the vehicle is not flying: take off first; a check fails, too: ".count)
        for action in [RouteAction.start, .goToStart, .resume] {
            let expected =
                "no trajectory was sent yet: take off; then e asks, F forces it; a check fails, too: \(check)"
            #expect(bench.view.shown.route.refusals[action] == expected, "\(action)")
            bench.do(.route(.act(action)))
            #expect(bench.stage.notices.last?.text == expected, "\(action)")
        }
        // In flight only the check is missing.
        bench.tell(Vector3(x: 0, y: 0.9, z: 5))
        await bench.timeSource.beat()
        #expect(
            await becomesTrue {
                bench.view.shown.route.stage == .failed && bench.view.shown.route.missing.isEmpty
            })
        let asks = bench.view.shown.route.refusals[.send] ?? ""
        #expect(asks.hasPrefix("a check fails: ") && asks.hasSuffix("; e asks, F forces it"), "\(asks)")
        bench.do(.route(.act(.start)))
        let inFlight = bench.stage.notices.last?.text ?? ""
        #expect(
            inFlight.hasPrefix("no trajectory was sent yet; e asks, F forces it; a check fails, too: "), "\(inFlight)")
        bench.close()
    }

    @Test func `without points it says that two are needed, and that the vehicle must fly`() async {
        let bench = MapBench()
        await bench.open()
        bench.tell(.zero, state: .disarmed)
        bench.do(.route(.act(.send)))
        #expect(
            bench.stage.notices.last?.text
                == "a trajectory needs at least two points; the vehicle is not flying: take off first")
        bench.close()
    }

    @Test func `what an emergency, a lost link or another pilot refuses is neither offered nor said to be ready`() async
    {
        let bench = await planned()
        bench.tell(Vector3(x: 0, y: 0.9, z: 5))
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.actions == [.send] && bench.view.shown.route.stage == .ready)
        bench.tell(Vector3(x: 0, y: 0.9, z: 5), state: .emergency)
        bench.do(.route(.act(.send)))
        #expect(bench.stage.notices.last?.text == "the vehicle is in an emergency: it accepts no trajectory")
        #expect(bench.view.shown.route.actions == [] && bench.view.shown.route.stage == .inEmergency)
        bench.tell(Vector3(x: 0, y: 0.9, z: 5))
        bench.link.setQuality(LinkQuality(isConnected: false))
        bench.do(.route(.act(.goToStart)))
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.actions == [] && bench.view.shown.route.stage == .linkLost)
        bench.link.setQuality(LinkQuality(isConnected: true))
        bench.link.setKnownStops(0)
        if var telemetry = bench.link.latestTelemetry {
            let now = bench.timeSource.clock.now
            telemetry.control = Sample(
                ControlStatus(pilot: .init(name: "anna", since: now, isYou: false), isSteering: false), at: now)
            bench.link.publish(telemetry)
        }
        bench.do(.route(.act(.send)))
        await bench.timeSource.beat()
        #expect(bench.stage.notices.last?.text == "anna has control of uav1; F12 takes over")
        #expect(bench.view.shown.route.actions == [] && bench.view.shown.confirmation == nil)
        #expect(bench.view.shown.route.stage == .byOther)
        bench.close()
    }

    @Test func `on the ground another pilot's control and the take-off are both said to be missing`() async {
        let bench = await planned()
        bench.tell(.zero, state: .disarmed)
        bench.link.setKnownStops(0)
        if var telemetry = bench.link.latestTelemetry {
            let now = bench.timeSource.clock.now
            telemetry.control = Sample(
                ControlStatus(pilot: .init(name: "anna", since: now, isYou: false), isSteering: false), at: now)
            bench.link.publish(telemetry)
        }
        let other = "anna has control of uav1; F12 takes over; "
        for (action, rest) in [
            (RouteAction.send, "the vehicle is not flying: take off first"),
            (.start, "no trajectory was sent yet: take off; then e sends it"),
        ] {
            bench.do(.route(.act(action)))
            #expect(bench.stage.notices.last?.text == other + rest)
        }
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .notFlyingByOther)
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
