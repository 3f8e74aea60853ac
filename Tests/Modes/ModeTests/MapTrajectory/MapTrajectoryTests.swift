import FlightControl
import RouteFlight
import RouteKit
import MapTrajectoryMode
import ModeKit
import Geodesy
import Testing
import Trajectories
import UAVLink
import UAVTestKit

@MainActor
@Suite("Map trajectory")
struct MapTrajectoryTests {
    private let origin = MapPlace(east: 0, north: 0)

    /// A bench with two points at 5 m.
    private func withRoute(_ bench: MapBench) async {
        await bench.open()
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5"), .place(MapPlace(east: 20, north: 0)))
    }

    @Test("The first point's height is asked for, the next ones take it")
    func placing() async {
        let bench = MapBench()
        await bench.open()
        bench.do(.place(MapPlace(east: 3, north: 4)))
        #expect(bench.view.shown.prompt?.kind == .altitude)
        #expect(bench.view.shown.route.points.isEmpty)
        bench.do(.answer("high"))
        #expect(bench.view.shown.prompt?.note.contains("expected") == true)
        bench.do(.answer("5 ground"))
        #expect(bench.view.shown.prompt?.note.contains("which is unknown") == true)
        bench.do(.answer("6"), .place(MapPlace(east: 9, north: 4)))
        #expect(bench.view.shown.prompt == nil)
        #expect(bench.view.shown.route.points.map(\.position.z) == [6, 6])
        #expect(bench.view.shown.route.points.map(\.label) == ["1", "2"])
        #expect(bench.view.shown.route.points.map(\.isSelected) == [false, true])
        bench.do(.route(.undo), .route(.undo))
        #expect(bench.view.shown.route.points.isEmpty)
        #expect(bench.view.shown.route.canRedo)
        bench.close()
    }

    @Test("The mouse chooses and drags points, or the view")
    func mouse() async {
        let bench = MapBench()
        await withRoute(bench)
        bench.do(.press(MapPlace(east: 0.4, north: 0.2), withinMetres: 1), .drag(MapPlace(east: 5, north: 6)))
        bench.do(.drag(MapPlace(east: 6, north: 7)), .release)
        #expect(bench.desk.editor.points.first?.position == Vector3(x: 6, y: 7, z: 5))
        bench.do(.route(.undo))
        #expect(bench.desk.editor.points.first?.position == Vector3(x: 0, y: 0, z: 5))
        let before = bench.view.shown.viewport.centre
        bench.do(
            .press(MapPlace(east: 100, north: 100), withinMetres: 1), .drag(MapPlace(east: 90, north: 105)), .release)
        #expect(bench.view.shown.viewport.centre.east == before.east + 10)
        #expect(bench.view.shown.viewport.centre.north == before.north - 5)
        #expect(bench.desk.editor.points.count == 2)
        bench.close()
    }

    @Test("Zoom keeps the place under it, and has ends")
    func zooming() async {
        let bench = MapBench()
        await bench.open()
        let place = MapPlace(east: 7, north: -3)
        let before = bench.view.shown.viewport
        bench.do(.zoom(steps: 3, around: place))
        let after = bench.view.shown.viewport
        let ratio = after.metresPerColumn / before.metresPerColumn
        #expect((ratio - 0.5).magnitude < 0.01)
        #expect(((place.east - after.centre.east) - (place.east - before.centre.east) * ratio).magnitude < 1e-9)
        bench.do(.zoom(steps: 1000, around: nil), .zoom(steps: 100, around: nil))
        #expect(bench.view.shown.viewport.metresPerColumn >= MapViewport.finest)
        bench.do(.zoom(steps: -1000, around: nil), .zoom(steps: -100, around: nil))
        #expect(bench.view.shown.viewport.metresPerColumn <= MapViewport.coarsest)
        bench.close()
    }

    @Test("The cross stays in view, and says where it is")
    func cursor() async {
        let bench = MapBench()
        await bench.open()
        bench.do(.route(.moveCursor(columns: 200, rows: 0)))
        let view = bench.view.shown.viewport
        let cursor = bench.view.shown.cursor
        #expect((cursor.east - view.centre.east) < 40 * view.metresPerColumn)
        #expect(cursor.east > 0)
        #expect(await becomesTrue { bench.view.shown.route.cursorLines.contains { $0.hasPrefix("MGRS") } })
        #expect(bench.view.shown.sessionLine.contains("origin from vehicle, zone 32N"))
        bench.close()
    }

    @Test("A route is planned by itself, and planned anew when it changes")
    func planning() async {
        let bench = MapBench()
        await withRoute(bench)
        #expect(await bench.planned())
        #expect(bench.view.shown.path.count > 10)
        let first = bench.view.shown.route.plan.first
        #expect(first == LabeledValue("length", "20.0 m"))
        bench.do(.route(.nudge(columns: 9, rows: 1)))
        #expect(!bench.view.shown.route.isPathCurrent)
        #expect(await bench.planned())
        #expect(bench.view.shown.route.plan.first != first)
        bench.close()
    }

    @Test("A world file gives the safety area; what leaves it is marked, named and not sent")
    func safetyArea() async {
        let bench = MapBench(files: ["world.yaml": MapBench.world])
        await withRoute(bench)
        bench.do(.ask(.world), .answer("world.yaml"))
        #expect(await becomesTrue { bench.view.shown.safetyArea.count == 4 })
        bench.do(.place(MapPlace(east: 70, north: 0)))
        #expect(
            await becomesTrue {
                bench.view.shown.route.isPathCurrent && bench.view.shown.route.findings.contains { $0.isFailure }
            })
        #expect(bench.view.shown.route.stage == .failed)
        #expect(bench.view.shown.route.findings.first?.text.contains("between point 2 and point 3") == true)
        #expect(bench.view.shown.route.points.map(\.hasFinding) == [false, true, false])
        bench.do(.route(.nextFinding(1)))
        #expect((bench.view.shown.cursor.east - 50).magnitude < 0.1)
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        #expect(bench.view.shown.confirmation?.needsForce == true)
        bench.do(.confirm)
        await settle()
        #expect(bench.link.commands == [])
        #expect(bench.stage.notices.last?.text.contains("nothing was sent") == true)
        bench.do(.route(.force))
        #expect(await becomesTrue { bench.link.commands.count == 1 })
        bench.close()
    }

    @Test("Sent, to the start, flown: each after a yes; stop without one")
    func flying() async {
        let bench = MapBench()
        await withRoute(bench)
        bench.tell(Vector3(x: 0, y: 3, z: 5))
        #expect(await bench.planned())
        bench.do(.route(.act(.start)))
        #expect(bench.stage.notices.last?.text.contains("no trajectory was sent") == true)
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        #expect(
            bench.view.shown.confirmation?.facts.contains(LabeledValue("to the start", "3.0 m, straight")) == true)
        #expect(bench.link.commands == [])
        bench.do(.confirm)
        #expect(await becomesTrue { bench.link.commands.count == 1 })
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .sent)
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        bench.do(.route(.act(.goToStart)))
        #expect(bench.view.shown.confirmation?.title == "fly to the first point?")
        bench.do(.decline)
        #expect(bench.view.shown.confirmation == nil)
        bench.do(.route(.act(.goToStart)), .confirm)
        #expect(await becomesTrue { bench.link.commands.last == .goToTrajectoryStart })
        bench.tell(Vector3(x: 0, y: 1, z: 5), goal: true)
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .toStart)
        bench.do(.route(.act(.start)), .confirm)
        #expect(await becomesTrue { bench.link.commands.last == .startTrajectory })
        let samples =
            bench.link.commands.compactMap { command -> Trajectory? in
                if case .uploadTrajectory(let trajectory) = command { trajectory } else { nil }
            }.first?.points ?? []
        for index in stride(from: 0, to: samples.count, by: 20) {
            bench.tell(samples[index].position + Vector3(x: 0, y: 0.1, z: 0), index: index, of: samples.count)
            await bench.timeSource.beat()
        }
        #expect(bench.view.shown.route.stage == .flying)
        #expect(bench.view.shown.route.progress.map { $0 > 0.9 } == true)
        #expect(bench.view.shown.flown.count > 5)
        #expect(bench.view.shown.route.trackError.first == LabeledValue("cross-track", "mean 0.10 m"))
        bench.do(.route(.act(.stop)))
        #expect(await becomesTrue { bench.link.commands.last == .stopTrajectory })
        bench.tell(Vector3(x: 20, y: 0, z: 5))
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .stopped)
        bench.do(.route(.act(.resume)), .confirm)
        #expect(await becomesTrue { bench.link.commands.last == .resumeTrajectory })
        bench.close()
    }

    @Test("A stop from outside takes the question back")
    func stopped() async {
        let bench = MapBench()
        await withRoute(bench)
        #expect(await bench.planned())
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        bench.module?.stopMotion(.person)
        #expect(bench.view.shown.confirmation == nil)
        bench.do(.confirm)
        await settle()
        #expect(bench.link.commands == [])
        bench.close()
    }

    @Test("Snapshots are taken at the points that ask for them")
    func snapshots() async {
        let bench = MapBench()
        await withRoute(bench)
        bench.do(.route(.toggleSnapshot), .place(MapPlace(east: 30, north: 0)))
        #expect(await bench.planned())
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        bench.do(.confirm)
        #expect(await becomesTrue { bench.link.commands.count == 1 })
        await settle()
        guard case .uploadTrajectory(let trajectory) = bench.link.commands.first else {
            Issue.record("nothing was sent")
            return
        }
        bench.tell(Vector3(x: 29, y: 0, z: 5), index: trajectory.points.count - 1, of: trajectory.points.count)
        await bench.timeSource.beat()
        #expect(await becomesTrue { bench.link.commands.last == .snapshot(service: Command.defaultSnapshotService) })
        await bench.timeSource.beat()
        #expect(bench.link.commands.count == 2)
        bench.close()
    }

    @Test("Files: opened, saved, a missing altitude asked for, nothing overwritten unasked")
    func files() async {
        let bench = MapBench(files: [
            "route.csv": "1,2,5,0\n11,2,5,90\n",
            "flat.geojson": """
            {"type":"Feature","properties":{},"geometry":{"type":"LineString",
            "coordinates":[[8.545594,47.397743],[8.5457,47.3978]]}}
            """, "there.csv": "1,2,3,4\n", "bad.csv": "x\n",
        ])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.ask(.open), .answer("route.csv"))
        #expect(await becomesTrue { bench.view.shown.prompt?.kind == .missingFrame })
        bench.do(.answer("here"))
        #expect(bench.view.shown.prompt?.note.contains("world_origin") == true)
        bench.do(.answer("world_origin"))
        #expect(await becomesTrue { bench.view.shown.route.points.count == 2 })
        bench.do(.ask(.save), .answer("there.csv"))
        #expect(await becomesTrue { bench.stage.notices.last?.text.contains("already exists") == true })
        #expect(bench.files.text("there.csv") == "1,2,3,4\n")
        bench.do(.ask(.save), .answer("new.geojson"))
        #expect(
            await becomesTrue {
                bench.files.text("new.geojson")?.contains("LineString") == true
                    || bench.files.text("new.geojson") != nil
            })
        bench.do(.ask(.open), .answer("missing.csv"))
        #expect(await becomesTrue { bench.stage.notices.last?.text.contains("No such file") == true })
        bench.do(.ask(.open), .answer("bad.csv"))
        #expect(await becomesTrue { bench.stage.notices.last?.text.contains("bad.csv") == true })
        #expect(bench.view.shown.route.points.count == 2)
        bench.do(.ask(.open), .answer("flat.geojson"))
        #expect(await becomesTrue { bench.view.shown.prompt?.kind == .missingAltitude })
        bench.do(.answer("5"))
        #expect(bench.view.shown.prompt?.note.contains("a number and its reference") == true)
        bench.do(.answer("5 world"))
        #expect(
            await becomesTrue { bench.view.shown.route.points.first.map { $0.place.east.magnitude < 0.01 } == true })
        #expect(bench.view.shown.route.points.map(\.position.z) == [5, 5])
        bench.do(.route(.undo))
        #expect(bench.view.shown.route.points.first?.place == MapPlace(east: 1, north: 2))
        bench.close()
    }

    @Test("What a point says is typed and shown")
    func attributes() async {
        let bench = MapBench()
        await withRoute(bench)
        bench.do(.ask(.hold), .answer("3"), .ask(.heading), .answer("to 10 5"), .ask(.cameraPitch), .answer("-45"))
        bench.do(.route(.raise(metres: 0.5)), .route(.toggleSnapshot))
        let point = bench.desk.editor.selected
        #expect(point?.holdSeconds == 3)
        #expect(point?.heading == .towards(xMetres: 10, yMetres: 5))
        for answer in ["to cursor", "cursor"] {
            bench.do(
                .ask(.heading), .answer("path"), .route(.moveCursor(columns: 3, rows: -2)), .ask(.heading),
                .answer(answer))
            let cursor = bench.view.shown.cursor
            #expect(bench.desk.editor.selected?.heading == .towards(xMetres: cursor.east, yMetres: cursor.north))
        }
        #expect(point?.position.z == 5.5)
        #expect(bench.view.shown.route.point.contains(LabeledValue("camera", "-45 deg")))
        bench.do(.ask(.heading), .answer("sideways"))
        #expect(bench.view.shown.prompt?.note.isEmpty == false)
        bench.do(.cancelPrompt, .route(.turn(degrees: 90)))
        #expect(bench.view.shown.route.point.contains(LabeledValue("heading", "90 deg")))
        bench.do(.route(.nextHeadingRule), .route(.nextHeadingRule))
        #expect(bench.view.shown.route.point.contains(LabeledValue("heading", "along the path")))
        bench.do(.route(.reverse))
        #expect(bench.view.shown.route.points.first?.isSelected == true)
        bench.do(.route(.deletePoint), .route(.deletePoint))
        #expect(bench.view.shown.route.points.isEmpty)
        bench.do(.ask(.hold))
        #expect(bench.view.shown.prompt == nil)
        bench.close()
    }

    @Test("Origin, zone, speed and corners can be typed; nonsense changes nothing")
    func settings() async {
        let bench = MapBench()
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.ask(.origin), .answer("95 14"))
        #expect(bench.view.shown.prompt?.note.isEmpty == false)
        bench.do(.answer("49.36225 14.26143 445"), .ask(.zone), .answer("32N"))
        #expect(bench.view.shown.sessionLine.contains("origin from typed, zone 32N forced"))
        // It lies far from where the vehicle says that its world is.
        #expect(bench.view.shown.sessionLine.contains("the vehicle's world_origin is"))
        bench.do(.ask(.zone), .answer("61N"))
        #expect(bench.desk.setup.zone?.number == 32)
        bench.do(.cancelPrompt, .ask(.speed), .answer("2"), .ask(.deviation), .answer("straight"))
        #expect(bench.desk.settings.options.cruiseSpeed == 2)
        #expect(bench.desk.settings.options.shape == .straight)
        bench.do(.ask(.speed), .answer("-2"))
        #expect(bench.desk.settings.options.cruiseSpeed == 2)
        bench.do(.cancelPrompt, .ask(.origin), .answer("auto"), .ask(.zone), .answer("auto"))
        #expect(bench.view.shown.sessionLine.contains("origin from vehicle, zone 32N,"))
        bench.do(.ask(.goToPlace), .answer("47.397743 8.545594"))
        #expect(bench.view.shown.cursor.east.magnitude < 0.01)
        bench.do(.ask(.goToPlace), .answer("12 -7 m"))
        #expect(bench.view.shown.cursor == MapPlace(east: 12, north: -7))
        bench.close()
    }

    @Test("Vehicle, home and trail are drawn; the view can follow")
    func vehicles() async {
        let bench = MapBench()
        await bench.open()
        bench.tell(Vector3(x: 2, y: 1, z: 0), state: .disarmed)
        await bench.timeSource.beat()
        #expect(bench.view.shown.home == MapPlace(east: 2, north: 1))
        bench.tell(Vector3(x: 30, y: 1, z: 5))
        await bench.timeSource.beat()
        let vehicle = bench.view.shown.vehicles.first
        #expect(vehicle?.place == MapPlace(east: 30, north: 1))
        #expect(vehicle?.headingRadians == 0.5)
        #expect(vehicle?.trail.last == MapPlace(east: 30, north: 1))
        #expect(vehicle?.isSelected == true)
        bench.do(.route(.followVehicle))
        #expect(bench.view.shown.viewport.centre == MapPlace(east: 30, north: 1))
        bench.tell(Vector3(x: 40, y: 1, z: 5))
        await bench.timeSource.beat()
        #expect(bench.view.shown.viewport.centre.east == 40)
        bench.do(.route(.pan(columns: 1, rows: 0)))
        #expect(!bench.view.shown.route.followsVehicle)
        bench.close()
    }

    @Test("What was edited is there again when the map is opened anew")
    func comesBack() async {
        let bench = MapBench()
        await withRoute(bench)
        bench.do(.zoom(steps: 2, around: nil))
        let viewport = bench.view.shown.viewport
        bench.do(.leave)
        #expect(bench.stage.wentBack == 1)
        bench.close()
        bench.view = FakeMapView()
        await bench.open()
        #expect(bench.view.shown.route.points.count == 2)
        #expect(bench.view.shown.viewport == viewport)
        bench.close()
    }

    @Test("Without a vehicle one can plan, and nothing is sent")
    func nobody() async {
        let bench = MapBench(loggedIn: false)
        await withRoute(bench)
        #expect(await bench.planned())
        #expect(bench.view.shown.route.findings.contains { $0.text.contains("default limits") })
        bench.do(.route(.act(.send)))
        #expect(bench.stage.notices.last?.text == "not logged in to a vehicle")
        bench.close()
    }

    @Test("a detached map is let go of, and its tasks end")
    func release() async {
        weak var presenter: MapTrajectoryPresenter?
        weak var interactor: MapTrajectoryInteractor?
        weak var view: FakeMapView?
        let timeSource = FakeTimeSource()
        do {
            let desk = RouteDocument()
            let itsView = FakeMapView()
            view = itsView
            let module = MapTrajectoryBuilder(
                .init(
                    fleet: .withFake(FakeLink(), timeSource: timeSource), desk: desk, files: FakeFiles(),
                    timeSource: timeSource)
            ).build(on: FakeStage()) {
                presenter = $0
                itsView.presenter = $0
                return itsView
            }
            await timeSource.beat()
            interactor = presenter?.interactor
            #expect(presenter != nil)
            #expect(interactor != nil)
            module.detach()
        }
        #expect(await becomesTrue { presenter == nil && view == nil && interactor == nil })
        #expect(timeSource.pauses == 0)
    }
}
