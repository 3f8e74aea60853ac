import FlightControl
import IndoorMode
import MapTrajectoryMode
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import Testing
import UAVLink
import UAVTestKit

@MainActor
@Suite("Map trajectory: what the vehicle holds and does")
struct MapRouteFlightTests {
    /// A bench whose vehicle holds a route of two points, 3 m away from the first.
    private func sent() async -> MapBench {
        let bench = MapBench()
        await bench.open()
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5"), .place(MapPlace(east: 20, north: 0)))
        bench.tell(Vector3(x: 0, y: 0.9, z: 5))
        #expect(await bench.planned())
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        bench.do(.confirm)
        await settle()
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .sent)
        return bench
    }

    private func reopen(_ bench: MapBench) async {
        bench.close()
        bench.view = FakeMapView()
        await bench.open()
        await bench.timeSource.beat()
    }

    @Test("the way to the start is drawn until the route is flown")
    func wayToStart() async {
        let bench = await sent()
        #expect(bench.view.shown.wayToStart == [MapPlace(east: 0, north: 0.9), MapPlace(east: 0, north: 0)])
        bench.do(.route(.act(.goToStart)), .confirm)
        bench.tell(Vector3(x: 0, y: 1, z: 5), goal: true)
        await bench.timeSource.beat()
        #expect(bench.view.shown.wayToStart.first == MapPlace(east: 0, north: 1))
        bench.do(.route(.act(.start)), .confirm)
        await settle()
        await bench.timeSource.beat()
        // Accepted, and not followed yet.
        #expect(bench.view.shown.route.stage == .sent)
        #expect(bench.view.shown.route.progress == nil)
        #expect(bench.view.shown.wayToStart.isEmpty)
        bench.tell(Vector3(x: 0, y: 0, z: 5), index: 1, of: 500)
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .flying)
        #expect(bench.view.shown.wayToStart.isEmpty)
        bench.close()
    }

    @Test(arguments: [
        (FlightState.disarmed, "the vehicle is not flying: take off first; "),
        (.landing, "the vehicle is landing: it accepts no trajectory now; "),
        (.emergency, "the vehicle is in an emergency: it accepts no trajectory; "),
    ])
    func `what the vehicle does comes before its distance from the start`(_ state: FlightState, _ first: String) async {
        let bench = await sent()
        bench.tell(Vector3(x: 0, y: 8, z: 5), state: state)
        bench.do(.route(.act(.start)))
        let said = bench.stage.notices.last?.text ?? ""
        #expect(said.hasPrefix(first + "the vehicle is 8.0 m from the start, ") && said.hasSuffix("(g)"), "\(said)")
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.refusals[.start] == said)
        bench.link.setQuality(LinkQuality(isConnected: false))
        bench.do(.route(.act(.start)))
        #expect(bench.stage.notices.last?.text == "link lost: it would not reach the vehicle")
        bench.close()
    }

    @Test("the arrival at the start is said once; not after a stop, nor where the way ended elsewhere")
    func arrival() async {
        let bench = await sent()
        func arrivals() -> [String] {
            bench.stage.notices.map(\.text).filter { $0.hasPrefix("arrived at ") }
        }
        func flyToStart(from place: Vector3) async {
            bench.do(.route(.act(.goToStart)), .confirm)
            await settle()
            bench.tell(place, goal: true)
            await bench.timeSource.beat()
        }
        await flyToStart(from: Vector3(x: 0, y: 0.9, z: 5))
        #expect(arrivals().isEmpty)
        for _ in 0..<2 {
            bench.tell(Vector3(x: 0, y: 0.1, z: 5))
            await bench.timeSource.beat()
            #expect(arrivals().count == 1)
        }
        #expect(arrivals().first?.hasPrefix("arrived at 0.0 0.1 5.0 after ") == true)
        // Stopped near the start.
        await flyToStart(from: Vector3(x: 0, y: 0.8, z: 5))
        bench.do(.route(.act(.stop)))
        await settle()
        bench.tell(Vector3(x: 0, y: 0.7, z: 5))
        await bench.timeSource.beat()
        #expect(arrivals().count == 1)
        // Its goal was replaced on the way.
        await flyToStart(from: Vector3(x: 0, y: 8, z: 5))
        bench.tell(Vector3(x: 0, y: 7, z: 5))
        await bench.timeSource.beat()
        #expect(arrivals().count == 1)
        #expect(bench.link.commands.filter { $0 == .goToTrajectoryStart }.count == 3)
        bench.close()
    }

    @Test("a route that was changed since is warned about before the older one is flown")
    func older() async {
        let bench = await sent()
        let warning = "the route has changed; the vehicle has the version that was sent"
        bench.do(.route(.act(.start)))
        #expect(bench.view.shown.confirmation?.findings.contains { $0.text == warning } == false)
        bench.do(.decline, .route(.raise(metres: 1)))
        #expect(await bench.planned())
        #expect(bench.view.shown.route.stage == .ready)
        for action in [RouteAction.goToStart, .start, .resume] {
            bench.do(.route(.act(action)))
            #expect(bench.view.shown.confirmation?.findings.first == FindingLine(text: warning, isFailure: false))
            bench.do(.decline)
        }
        bench.do(.route(.undo))
        #expect(bench.view.shown.route.stage == .sent)
        bench.close()
    }

    @Test("what was stopped is still stopped when the map is opened again, and what was flown is flown")
    func reopening() async {
        let bench = await sent()
        bench.do(.route(.act(.start)), .confirm)
        await settle()
        bench.tell(Vector3(x: 5, y: 0, z: 5), index: 50, of: 500)
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .flying)
        // Left at once: the stop is commanded anyway.
        bench.do(.route(.act(.stop)))
        bench.close()
        await settle()
        #expect(bench.link.commands.last == .stopTrajectory)
        bench.tell(Vector3(x: 6, y: 0, z: 5))
        await reopen(bench)
        #expect(bench.view.shown.route.stage == .stopped)
        bench.do(.route(.act(.resume)))
        #expect(bench.view.shown.confirmation?.title == "Resume the trajectory on uav1?")
        bench.do(.confirm)
        await settle()
        bench.tell(Vector3(x: 19, y: 0, z: 5), index: 499, of: 500)
        await bench.timeSource.beat()
        bench.tell(Vector3(x: 20, y: 0, z: 5))
        await reopen(bench)
        #expect(bench.view.shown.route.stage == .flown)
        bench.close()
    }

    @Test("a flight along another trajectory is not shown as one along the route, and how far away it was is said once")
    func astray() async {
        let bench = await sent()
        bench.do(.route(.act(.start)), .confirm)
        await settle()
        for step in 0...10 {
            bench.tell(Vector3(x: Double(2 * step), y: 6, z: 5), index: min(499, 50 * step), of: 500)
            await bench.timeSource.beat()
        }
        bench.tell(Vector3(x: 20, y: 6, z: 5))
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .astray)
        let words =
            "the vehicle did not fly along this trajectory: it was 6.0 m away from it; another one may be loaded"
        #expect(bench.stage.notices.filter { $0.text == words }.map(\.weight) == [.warning])
        // It is said once, and shown as long as nothing else is done with the route.
        bench.tell(Vector3(x: 20, y: 6, z: 5))
        await bench.timeSource.beat()
        #expect(bench.stage.notices.filter { $0.text == words }.count == 1)
        #expect(bench.view.shown.route.stage == .astray)
        bench.close()
    }

    @Test("a hover key on another screen stops the trajectory: it may be resumed")
    func stoppedByOthers() async {
        let bench = await sent()
        bench.do(.route(.act(.start)), .confirm)
        await settle()
        bench.tell(Vector3(x: 5, y: 0, z: 5), index: 50, of: 500)
        await bench.timeSource.beat()
        bench.tell(Vector3(x: 6, y: 0, z: 5))
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .stopped)
        bench.close()
    }

    /// The indoor screen as a test sees it.
    private final class IndoorScreen: IndoorView {
        var state = IndoorScreenState()
        /// A view holds its presenter, and nothing else does.
        var presenter: IndoorPresenter?
        func show(_ state: IndoorScreenState) { self.state = state }
    }

    @Test("opening the indoor mode takes nothing from a flight: where its frames lie stays known")
    func keptSession() async {
        let bench = await sent()
        #expect(bench.flights.all.count == 1 && bench.flights.all.allSatisfy { $0.flight.session != nil })
        bench.close()
        // The vehicle tells its origin no more.
        bench.link.survey.failure = LinkError(.timedOut, "no answer")
        let indoor = IndoorScreen()
        let opened = IndoorBuilder(
            .init(fleet: bench.fleet, desk: IndoorDocument(flights: bench.flights), timeSource: bench.timeSource)
        ).build(on: bench.stage) { presenter in
            indoor.presenter = presenter
            return indoor
        }
        indoor.presenter?.look()
        #expect(bench.flights.all.allSatisfy { $0.flight.session != nil })
        await settle()
        #expect(bench.flights.all.allSatisfy { $0.flight.session != nil })
        opened.detach()
    }

    @Test("a route that was sent from the map is known to the indoor mode")
    func shared() async {
        let bench = await sent()
        bench.close()
        let indoor = IndoorScreen()
        let opened = IndoorBuilder(
            .init(fleet: bench.fleet, desk: IndoorDocument(flights: bench.flights), timeSource: bench.timeSource)
        ).build(on: bench.stage) { presenter in
            indoor.presenter = presenter
            return indoor
        }
        indoor.presenter?.handle(.resize(columns: 60, rows: 20))
        await settle()
        #expect(indoor.state.route.stage == .nothing)
        #expect(indoor.state.wayToStart == [Vector3(x: 0, y: 0.9, z: 5), Vector3(x: 0, y: 0, z: 5)])
        indoor.presenter?.handle(.route(.act(.start)))
        #expect(
            indoor.state.confirmation?.findings.first?.text
                == "the vehicle has the route that was sent from the map, not this one")
        indoor.presenter?.handle(.confirm)
        await settle()
        #expect(bench.link.commands.last == .startTrajectory)
        bench.tell(Vector3(x: 5, y: 0, z: 5), index: 50, of: 500)
        await bench.timeSource.beat()
        #expect(indoor.state.route.stage == .flying)
        opened.detach()
        await reopen(bench)
        #expect(bench.view.shown.route.stage == .flying)
        bench.close()
    }
}
