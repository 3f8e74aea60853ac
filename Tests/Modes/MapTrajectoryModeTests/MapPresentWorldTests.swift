import FlightControl
import MapTrajectoryMode
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import Testing
import Trajectories
import UAVLink
import UAVTestKit
import VehicleAccess

/// What was sent, in a world that came after it.
extension MapWorldTests {
    /// Sends a route of two points, which passes its check; the vehicle is near its start.
    private func send(on bench: MapBench) async {
        bench.tell(Vector3(x: 0, y: 0.9, z: 5))
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5"), .place(MapPlace(east: 20, north: 0)))
        #expect(await bench.planned())
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        bench.do(.confirm)
        #expect(await becomesTrue { bench.view.shown.route.stage == .sent })
        #expect(bench.view.shown.route.actions == [.start, .goToStart, .send])
    }

    /// The route that was sent leads through an obstacle of the present world: it is flown by force only.
    private func needsForce(on bench: MapBench, world: String) async {
        bench.view.presenter?.look()
        #expect(await becomesTrue { bench.view.shown.route.stage == .sentFailing })
        #expect(bench.view.shown.route.actions == [.send])
        let reason = bench.view.shown.route.refusals[.start] ?? ""
        #expect(reason.hasPrefix("a check fails: ") && reason.hasSuffix("; s asks, F forces it"), "\(reason)")
        let commands: [(RouteAction, Command)] = [(.goToStart, .goToTrajectoryStart), (.start, .startTrajectory)]
        for (action, command) in commands {
            bench.do(.route(.act(action)))
            let asked = bench.view.shown.confirmation
            #expect(asked?.needsForce == true)
            #expect(asked?.facts.contains(LabeledValue("world", world)) == true, "\(String(describing: asked?.facts))")
            #expect(asked?.findings.contains { $0.isFailure && $0.text.contains("obstacle_0") } == true)
            bench.do(.confirm)
            await settle()
            #expect(bench.link.commands.last != command)
            bench.do(.route(.force))
            #expect(await becomesTrue { bench.link.commands.last == command })
        }
    }

    @Test func `a world that is read after sending counts before the vehicle moves`() async {
        let bench = MapBench(files: ["near.yaml": Self.obstacle])
        await bench.open()
        await send(on: bench)
        bench.do(.ask(.world), .answer("near.yaml"))
        #expect(await becomesTrue { bench.view.shown.obstacles.count == 1 })
        await needsForce(on: bench, world: "near.yaml, 1 obstacle")
        bench.close()
    }

    @Test func `so does an obstacle that the vehicle reports after sending`() async {
        let bench = MapBench()
        bench.link.survey.world = world(MapBench.world)
        await bench.open()
        #expect(await becomesTrue { edges(bench).count == 4 })
        await send(on: bench)
        bench.view.presenter?.look()
        bench.link.setQuality(LinkQuality(isConnected: false))
        bench.view.presenter?.look()
        bench.link.survey.world = world(Self.obstacle)
        bench.link.setQuality(LinkQuality(isConnected: true))
        bench.view.presenter?.look()
        #expect(await becomesTrue { bench.view.shown.obstacles.count == 1 })
        await needsForce(on: bench, world: "vehicle's world.yaml, 1 obstacle")
        bench.close()
    }

    @Test func `while the route that is shown fails, the start of an earlier one is said to be asked about`() async {
        let bench = MapBench(files: ["near.yaml": Self.obstacle])
        await bench.open()
        await send(on: bench)
        bench.do(.ask(.world), .answer("near.yaml"))
        #expect(await becomesTrue { bench.view.shown.obstacles.count == 1 })
        bench.do(.place(MapPlace(east: 30, north: 0)))
        #expect(
            await becomesTrue {
                bench.view.presenter?.look()
                return bench.view.shown.route.stage == .failed && bench.view.shown.route.actions == [.send]
            }, "\(bench.view.shown.route.stage) \(bench.view.shown.route.actions)")
        let reasons = bench.view.shown.route.refusals
        #expect(reasons[.start] == "the vehicle has an earlier route (s asks)")
        #expect(reasons[.goToStart] == "the vehicle has an earlier route (g asks)")
        bench.do(.route(.act(.start)))
        #expect(bench.view.shown.confirmation != nil)
        bench.close()
    }

    @Test func `a route that was sent by force is on the vehicle and fails, and is offered`() async {
        let bench = MapBench(files: ["near.yaml": Self.obstacle])
        await bench.open()
        bench.do(.ask(.world), .answer("near.yaml"))
        #expect(await becomesTrue { bench.view.shown.obstacles.count == 1 })
        bench.tell(Vector3(x: 0, y: 0.9, z: 5))
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5"), .place(MapPlace(east: 20, north: 0)))
        #expect(await becomesTrue { bench.view.shown.route.isPathCurrent && bench.view.shown.route.stage == .failed })
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation?.needsForce == true })
        bench.do(.route(.force))
        #expect(await becomesTrue { bench.view.shown.route.stage == .sentFailing })
        #expect(bench.view.shown.route.actions == [.start, .goToStart, .send])
        // Where it is refused, too, the check is named.
        bench.tell(Vector3(x: 0, y: 0.9, z: 5), state: .landing)
        bench.do(.route(.act(.start)))
        let said = bench.stage.notices.last?.text ?? ""
        #expect(said.hasPrefix("the vehicle is landing: it accepts no trajectory now; a check fails, too: "), "\(said)")
        bench.close()
    }

    @Test func `how the worlds differ is known on each screen once they were compared on one`() async throws {
        let bench = MapBench(files: ["near.yaml": MapBench.world])
        bench.link.survey.world = world(Self.obstacle)
        try await bench.link.connect(within: .seconds(1))
        bench.link.setVehicleSilent(true)
        func screen() -> MapTrajectoryInteractor {
            MapTrajectoryInteractor(
                fleet: bench.fleet, desk: RouteDocument(flights: bench.flights), clock: bench.timeSource.fake,
                files: bench.files)
        }
        let first = screen()
        _ = first.look()
        try await first.askVehicle()
        try await first.openWorld("near.yaml")
        #expect(first.presentWorld?.findings.findings.isEmpty == true)
        let points = [0.0, 20.0].map { PlannedPoint(position: Vector3(x: $0, y: 0, z: 5)) }
        first.desk.editor.replace(with: points)
        await first.replan()
        let found = try #require(first.plan?.world)
        #expect(found.findings.contains { $0.text.hasPrefix("the vehicle's own world has 1 obstacle") })
        // Nothing is planned there.
        let other = screen()
        _ = other.look()
        #expect(other.presentWorld?.findings == found)
    }

    @Test func `places by the origin of another vehicle are not those of the selected one`() async throws {
        let bench = MapBench()
        bench.link.survey.world = world(Self.obstacle)
        try await bench.link.connect(within: .seconds(1))
        bench.link.setVehicleSilent(true)
        let first = try #require(bench.fleet.selectedID)
        let interactor = MapTrajectoryInteractor(
            fleet: bench.fleet, desk: bench.desk, clock: bench.timeSource.fake, files: bench.files)
        _ = interactor.look()
        #expect(interactor.presentWorld == nil && !interactor.isVehicleRead)
        try await interactor.askVehicle()
        let world = try #require(interactor.presentWorld)
        #expect(world.volume != nil && interactor.isVehicleRead)
        let link = FakeLink(clock: bench.timeSource.fake)
        try await link.connect(within: .seconds(1))
        let second = bench.fleet.add(profile: VehicleProfile(name: "other"), link: link).id
        _ = interactor.look()
        #expect(interactor.presentWorld == nil)
        // Meanwhile the first one is selected again: what it has reported is known, and counts.
        bench.fleet.select(first)
        _ = interactor.look()
        #expect(interactor.presentWorld == world && interactor.isVehicleRead)
        bench.fleet.select(second)
        _ = interactor.look()
        try await interactor.askVehicle()
        #expect(interactor.presentWorld != nil && interactor.presentWorld != world)
        // By the origin of another one nothing is checked.
        bench.flights.originVehicle = first
        #expect(interactor.presentWorld == nil && !interactor.isVehicleRead)
    }

    @Test func `and before what was stopped is resumed`() async {
        let bench = MapBench(files: ["near.yaml": Self.obstacle])
        await bench.open()
        await send(on: bench)
        bench.do(.route(.act(.start)), .confirm)
        await settle()
        bench.tell(Vector3(x: 5, y: 0, z: 5), index: 125, of: 500)
        await bench.timeSource.beat()
        bench.do(.route(.act(.stop)))
        await settle()
        bench.tell(Vector3(x: 5, y: 0, z: 5))
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .stopped)
        bench.do(.ask(.world), .answer("near.yaml"))
        #expect(await becomesTrue { bench.view.shown.obstacles.count == 1 })
        bench.view.presenter?.look()
        #expect(await becomesTrue { bench.view.shown.route.stage == .stoppedFailing })
        #expect(!bench.view.shown.route.actions.contains(.resume))
        bench.do(.route(.act(.resume)))
        let asked = bench.view.shown.confirmation
        #expect(asked?.needsForce == true)
        #expect(asked?.facts.last == LabeledValue("world", "near.yaml, 1 obstacle"))
        bench.close()
    }
}
