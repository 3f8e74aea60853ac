import FlightControl
import MapTrajectoryMode
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
@Suite("Map trajectory: which vehicle, and what it can do")
struct MapVehicleTests {
    /// A bench with a planned route of two points.
    private func planned(_ state: FlightState = .flying) async -> MapBench {
        let bench = MapBench()
        await bench.open()
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5"), .place(MapPlace(east: 20, north: 0)))
        bench.tell(Vector3(x: 0, y: 0.9, z: 5), state: state)
        #expect(await bench.planned())
        return bench
    }

    /// Logs in to a second vehicle, which is selected then.
    private func second(_ bench: MapBench, failure: LinkError? = nil) async throws -> FakeLink {
        let link = FakeLink(clock: bench.timeSource.fake)
        link.setVehicleSilent(true)
        link.survey.failure = failure
        try await link.connect(within: .seconds(1))
        bench.fleet.add(profile: VehicleProfile(name: "other"), link: link)
        return link
    }

    @Test func `for another vehicle a route is unchecked until it was checked with what that one answers`() async throws
    {
        let bench = await planned()
        #expect(bench.view.shown.route.stage == .ready)
        #expect(!bench.view.shown.route.findings.contains { $0.text.contains("motion limits") })
        _ = try await second(bench, failure: LinkError(.timedOut, "no answer"))
        bench.view.presenter?.look()
        #expect(bench.view.shown.route.stage == .planning)
        #expect(await becomesTrue { bench.view.shown.route.stage == .ready })
        #expect(bench.view.shown.route.findings.contains { $0.text.contains("did not report its motion limits") })
        // Nor is the origin of the first one's world taken for its.
        #expect(bench.view.shown.sessionLine.contains("origin not known"))
        bench.close()
    }

    @Test func `what was sent to one vehicle counts as sent to that one only`() async throws {
        let bench = await planned()
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        bench.do(.confirm)
        #expect(await becomesTrue { bench.view.shown.route.stage == .sent })
        _ = try await second(bench)
        bench.view.presenter?.look()
        #expect(bench.view.shown.route.stage == .planning)
        #expect(await becomesTrue { bench.view.shown.route.stage == .ready })
        #expect(bench.view.shown.route.actions == [.send])
        bench.do(.route(.act(.start)))
        #expect(bench.stage.notices.last?.text.contains("no trajectory was sent") == true)
        bench.fleet.select(bench.fleet.vehicles[0].id)
        bench.view.presenter?.look()
        #expect(bench.view.shown.route.stage == .sent)
        bench.close()
    }

    @Test func `without a vehicle a route that passed the checks is not ready to send`() async throws {
        let bench = await planned()
        await bench.fleet.removeAll()
        bench.view.presenter?.look()
        #expect(await becomesTrue { bench.view.shown.route.stage == .checked })
        #expect(!bench.view.shown.route.actions.contains(.send))
        bench.close()
    }

    @Test func `a question about one vehicle is not answered for another`() async throws {
        let bench = await planned()
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation?.title == "Send this trajectory to uav1?" })
        let other = try await second(bench)
        bench.do(.confirm)
        await settle()
        #expect(bench.view.shown.confirmation == nil)
        #expect(bench.link.commands == [] && other.commands == [])
        bench.close()
    }

    @Test func `on the ground nothing is asked: the vehicle would refuse it`() async {
        let bench = await planned(.disarmed)
        bench.do(.route(.act(.send)))
        await settle()
        #expect(bench.view.shown.confirmation == nil)
        #expect(bench.view.shown.route.actions == [])
        #expect(bench.view.shown.route.stage == .onGround)
        #expect(bench.view.shown.route.exceptions.contains("safety area"))
        #expect(bench.view.shown.route.exceptions.hasSuffix(" not checked"))
        #expect(bench.stage.notices.last?.text == "the vehicle is not flying: take off first")
        // The palette says the same.
        #expect(bench.view.shown.route.refusals[.send] == "the vehicle is not flying: take off first")
        #expect(
            bench.view.shown.route.refusals[.start]
                == "no trajectory was sent yet: take off; then e sends it")
        bench.tell(Vector3(x: 0, y: 3, z: 1), state: .takingOff)
        bench.do(.route(.act(.send)))
        #expect(bench.view.shown.route.stage == .notInFlight)
        #expect(bench.stage.notices.last?.text == "the vehicle is taking off: wait until it flies")
        bench.tell(Vector3(x: 0, y: 0.9, z: 5))
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        #expect(bench.view.shown.route.actions == [.send])
        #expect(bench.view.shown.route.stage == .ready)
        bench.close()
    }

    @Test func `each question names the vehicle, what is done, and what stays`() async {
        let bench = await planned()
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        // It moves nothing: Enter confirms.
        #expect(bench.view.shown.confirmation?.isDangerous == false)
        #expect(bench.view.shown.confirmation?.action == "send it")
        #expect(bench.view.shown.confirmation?.otherwise == "nothing is sent")
        bench.do(.confirm)
        #expect(await becomesTrue { bench.view.shown.route.stage == .sent })
        let questions: [(RouteAction, String, String)] = [
            (.goToStart, "Fly uav1 to the start of its trajectory?", "it does not fly there"),
            (.start, "Start the trajectory on uav1?", "it is not started"),
            (.resume, "Resume the trajectory on uav1?", "it is not resumed"),
        ]
        for (action, title, otherwise) in questions {
            bench.do(.route(.act(action)))
            #expect(bench.view.shown.confirmation?.title == title)
            #expect(bench.view.shown.confirmation?.otherwise == otherwise)
            #expect(bench.view.shown.confirmation?.isDangerous == true)
            bench.do(.decline)
        }
        // While it flies one, another one stops it.
        bench.do(.route(.act(.start)), .confirm)
        await settle()
        bench.tell(Vector3(x: 5, y: 0, z: 5), index: 50, of: 500)
        await bench.timeSource.beat()
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation?.isDangerous == true })
        #expect(
            bench.view.shown.confirmation?.findings.first?.text
                == "uav1 flies a trajectory now; sending another one stops it")
        bench.close()
    }

    @Test func `what has nothing to act on is refused before anything is asked`() async {
        let bench = MapBench()
        await bench.open()
        bench.do(.ask(.save))
        #expect(bench.view.shown.prompt == nil)
        #expect(bench.stage.notices.last?.text == "the route has no points to write")
        bench.do(.route(.act(.send)))
        #expect(
            bench.stage.notices.last?.text
                == "a trajectory needs at least two points; the vehicle is not flying: take off first")
        bench.do(.toggleBackground)
        #expect(bench.stage.notices.last?.text == "no background is open: b opens one")
        #expect(bench.desk.showsBackground)
        bench.close()
    }
}
