import FlightControl
import RouteFlight
import RouteKit
import Trajectories
import MapTrajectoryMode
import ModeKit
import ModeTestKit
import Testing
import UAVLink
import UAVTestKit

@MainActor
@Suite("Map trajectory")
struct MapTrajectoryTests {
    let origin = MapPlace(east: 0, north: 0)

    /// A bench with two points at 5 m.
    func withRoute(_ bench: MapBench) async {
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
        #expect(bench.view.shown.prompt?.note.hasPrefix("z of the ground is not known here") == true)
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

    @Test("No second point is put where its neighbour is, and that is said")
    func stacking() async {
        let bench = MapBench()
        await withRoute(bench)
        bench.do(.place(MapPlace(east: 20, north: 0)))
        #expect(bench.view.shown.route.points.count == 2)
        #expect(bench.stage.notices.last?.text.hasPrefix("point 2 is here already") == true)
        bench.do(.place(MapPlace(east: 0, north: 0)))
        #expect(bench.view.shown.route.points.count == 3)
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
        // On a small screen the panel cuts it; in the list of messages it is whole.
        #expect(bench.stage.notices.last?.text == bench.view.shown.route.findings.first?.text)
        #expect(bench.stage.notices.last?.weight == .error)
        bench.tell(Vector3(x: 0, y: 0, z: 5))
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
            let instance = MapTrajectoryBuilder(
                .init(
                    fleet: .withFake(FakeLink(), timeSource: timeSource), desk: desk, files: MemoryFiles(),
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
            instance.detach()
        }
        #expect(await becomesTrue { presenter == nil && view == nil && interactor == nil })
        #expect(timeSource.pauses == 0)
    }
}
