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

/// Whose world the map shows and checks against.
@MainActor
@Suite("Map trajectory: the vehicle's own world")
struct MapWorldTests {
    static let obstacle =
        MapBench.world + """

                  obstacles:
                    present: true
                    obstacle_0:
                      horizontal: {frame_name: "world_origin", points: [8, -3, 12, -3, 12, 3, 8, 3]}
                      vertical: {frame_name: "world_origin", min_z: 0.0, max_z: 10.0}
            """

    func world(_ text: String) -> VehicleWorld {
        VehicleWorld(path: "/home/mrs/world.yaml", .document(.file, Array(text.utf8)))
    }

    func edges(_ bench: MapBench) -> [Double] { bench.view.shown.safetyArea.map(\.east.magnitude) }

    @Test func `its border and obstacles are shown without a file, and a route through one fails`() async {
        let bench = MapBench()
        bench.link.survey.world = world(Self.obstacle)
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.obstacles.count == 1 })
        #expect(edges(bench).count == 4 && edges(bench).allSatisfy { abs($0 - 50) < 0.01 })
        #expect(bench.view.shown.sessionLine.contains("vehicle's safety area with 1 obstacle"))
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5"), .place(MapPlace(east: 20, north: 0)))
        #expect(
            await becomesTrue {
                bench.view.shown.route.isPathCurrent && bench.view.shown.route.stage == .failed
                    && bench.view.shown.route.findings.contains { $0.isFailure && $0.text.contains("obstacle_0") }
            }, "\(bench.view.shown.route.findings)")
        bench.close()
    }

    @Test func `a route that is opened fills the view, not the area around it, which f shows`() async {
        let bench = MapBench(files: ["route.csv": "1,2,5,0\n11,2,5,90\n"])
        bench.link.survey.world = world(MapBench.world)
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.safetyArea.count == 4 })
        bench.do(.ask(.open), .answer("route.csv"))
        #expect(await becomesTrue { bench.view.shown.prompt?.kind == .missingFrame })
        bench.do(.answer("world_origin"))
        #expect(await becomesTrue { bench.view.shown.route.points.count == 2 })
        var scale: Double { bench.view.shown.viewport.metresPerColumn }
        // Some eleven metres, with the vehicle; the area is 100 m high.
        #expect(await becomesTrue { scale < 0.5 }, "\(scale)")
        #expect(bench.view.shown.safetyArea.count == 4)
        bench.do(.route(.fit))
        #expect(scale > 2)
        // A larger map shows the same of it.
        bench.do(.resize(columns: 160, rows: 40))
        #expect(scale > 1)
        bench.do(.route(.fit))
        #expect(scale < 0.5)
        // A vehicle that is far away does not make the route a dot.
        bench.tell(Vector3(x: 5000, y: 0, z: 5))
        await bench.timeSource.beat()
        bench.do(.route(.fit))
        #expect(scale > 10)
        bench.do(.route(.fit))
        #expect(scale < 0.5)
        bench.close()
    }

    @Test
    func `a route that was seen whole is seen whole in a smaller terminal, a part that was chosen keeps its scale`()
        async
    {
        let bench = MapBench()
        await bench.open()
        var view: MapViewport { bench.view.shown.viewport }
        func seesRoute(_ columns: Double, _ rows: Double) -> Bool {
            bench.view.shown.route.points.allSatisfy {
                abs($0.position.x - view.centre.east) <= columns / 2 * view.metresPerColumn
                    && abs($0.position.y - view.centre.north) <= rows / 2 * view.metresPerRow
            }
        }
        bench.do(.resize(columns: 120, rows: 36), .zoom(steps: -1, around: nil))
        let (east, north) = (55 * view.metresPerColumn, 15 * view.metresPerRow)
        let (x, y) = (view.centre.east, view.centre.north)
        bench.do(.place(MapPlace(east: x + east, north: y + north)), .answer("5"))
        bench.do(.place(MapPlace(east: x + east / 2, north: y + north)))
        let before = view
        #expect(seesRoute(120, 36))
        bench.do(.resize(columns: 118, rows: 36))
        #expect(view == before)
        bench.do(.resize(columns: 60, rows: 11))
        #expect(view != before && seesRoute(60, 11))
        // Not all of it is seen: what is stays.
        bench.do(
            .zoom(
                steps: 12,
                around: bench.view.shown.route.points.first.map { $0.position }.map {
                    MapPlace(east: $0.x, north: $0.y)
                }))
        let part = view
        #expect(!seesRoute(60, 11))
        bench.do(.resize(columns: 40, rows: 9))
        #expect(view == part)
        bench.close()
    }

    @Test func `a world that the user opens has precedence, and differs with a warning, until he goes back`() async {
        let bench = MapBench(files: ["field.yaml": MapBench.world])
        bench.link.survey.world = world(Self.obstacle)
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.obstacles.count == 1 })
        bench.do(.ask(.world), .answer("field.yaml"))
        #expect(await becomesTrue { bench.view.shown.obstacles.isEmpty })
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5"), .place(MapPlace(east: 20, north: 0)))
        let words = "the vehicle's own world has 1 obstacle that the world used here lacks"
        #expect(
            await becomesTrue {
                bench.view.shown.route.findings.contains { !$0.isFailure && $0.text == words }
            }, "\(bench.view.shown.route.findings)")
        bench.do(.ask(.world), .answer("auto"))
        #expect(await becomesTrue { bench.view.shown.obstacles.count == 1 })
        #expect(await becomesTrue { bench.stage.notices.last?.text == "world: of the vehicle, /home/mrs/world.yaml" })
        bench.close()
    }

    @Test func `the world that the profile names has precedence over it, for that vehicle only`() async throws {
        let bench = MapBench(files: ["/fields/kn.yaml": MapBench.world], loggedIn: false)
        bench.link.survey.world = world(Self.obstacle)
        await bench.open()
        var profile = VehicleProfile(name: "hexa1")
        profile.world = "/fields/kn.yaml"
        bench.fleet.add(profile: profile, link: bench.link)
        bench.view.presenter?.look()
        #expect(
            await becomesTrue {
                bench.view.shown.sessionLine.contains("profile's safety area") && bench.view.shown.obstacles.isEmpty
            }, "\(bench.view.shown.sessionLine)")
        // Another vehicle, whose profile names none.
        let link = FakeLink(clock: bench.timeSource.fake)
        link.setVehicleSilent(true)
        link.survey.world = world(Self.obstacle)
        try await link.connect(within: .seconds(1))
        bench.fleet.add(profile: VehicleProfile(name: "other"), link: link)
        bench.view.presenter?.look()
        #expect(
            await becomesTrue {
                bench.view.shown.sessionLine.contains("vehicle's safety area")
                    && bench.view.shown.obstacles.count == 1
            }, "\(bench.view.shown.sessionLine)")
        bench.close()
    }

    @Test func `another vehicle gets none of the first one's world`() async throws {
        let bench = MapBench()
        bench.link.survey.world = world(Self.obstacle)
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.obstacles.count == 1 })
        let link = FakeLink(clock: bench.timeSource.fake)
        link.setVehicleSilent(true)
        try await link.connect(within: .seconds(1))
        bench.fleet.add(profile: VehicleProfile(name: "other"), link: link)
        bench.view.presenter?.look()
        #expect(bench.view.shown.obstacles.isEmpty && bench.view.shown.safetyArea.isEmpty)
        bench.close()
    }

    @Test func `an earlier world is kept with a warning when the vehicle does not answer again`() async {
        let bench = MapBench()
        bench.link.survey.world = world(MapBench.world)
        await bench.open()
        #expect(await becomesTrue { edges(bench).count == 4 })
        bench.view.presenter?.look()
        bench.link.setQuality(LinkQuality(isConnected: false))
        bench.view.presenter?.look()
        bench.link.survey.failure = LinkError(.timedOut, "no answer")
        bench.link.setQuality(LinkQuality(isConnected: true))
        bench.view.presenter?.look()
        let words = "the vehicle's own world is known only as it was"
        #expect(
            await becomesTrue {
                bench.stage.notices.contains { $0.weight == .warning && $0.text.hasPrefix(words) }
            }, "\(bench.stage.notices)")
        #expect(edges(bench).count == 4)
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5"), .place(MapPlace(east: 20, north: 0)))
        #expect(
            await becomesTrue {
                bench.view.shown.route.findings.contains { !$0.isFailure && $0.text.hasPrefix(words) }
            }, "\(bench.view.shown.route.findings)")
        bench.close()
    }

    @Test func `it is asked for again when a lost link is open again`() async {
        let bench = MapBench()
        bench.link.survey.world = world(MapBench.world)
        await bench.open()
        #expect(await becomesTrue { edges(bench).count == 4 })
        bench.view.presenter?.look()
        #expect(bench.link.survey.worldsKnown == [0])
        bench.link.setQuality(LinkQuality(isConnected: false))
        bench.view.presenter?.look()
        bench.link.survey.world = world(MapBench.world.replacing("50", with: "20"))
        bench.link.setQuality(LinkQuality(isConnected: true))
        bench.view.presenter?.look()
        #expect(await becomesTrue { edges(bench).allSatisfy { abs($0 - 20) < 0.01 } }, "\(edges(bench))")
        #expect(bench.link.survey.worldsKnown.count == 2 && bench.link.survey.worldsKnown.last != 0)
        bench.close()
    }
}
