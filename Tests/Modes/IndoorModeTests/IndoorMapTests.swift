import RouteFlight
import RouteKit
import FlightControl
import Foundation
import IndoorMode
import ModeKit
import ModeTestKit
import IntegrationKit
import PointCloud
import Testing
import Trajectories
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
@Suite("Indoor: maps, layers and views")
struct IndoorMapTests {
    @Test("a map that is opened is seen whole, with the cross in its middle")
    func opening() async throws {
        let bench = try IndoorBench()
        #expect(bench.view.state.title.contains("no map"))
        try await bench.open()
        let state = bench.view.state
        #expect(state.title == "room.pcd: 180 points")
        #expect(state.layerText == "all 10 layers")
        #expect((state.cursor - Vector3(x: 0, y: 0, z: 0.5)).length < 1e-6)
        let plot = DotGrid(columns: 60, rows: 20)
        let corner = state.camera.dot(of: Vector3(x: 4, y: 2, z: 0), on: plot)
        #expect(corner.x < 120 && corner.x > 100 && corner.y > 0)
        #expect(state.prompt == nil)
        bench.instance.detach()
    }

    @Test("a file that is none is reported, and the map that was there stays")
    func broken() async throws {
        let bench = try IndoorBench()
        try await bench.open()
        let bad = try bench.folder.write("FIELDS x y z\nWIDTH 1\nDATA ascii\n1 two 3\n", to: "bad.pcd")
        bench.send(.ask(.open), .answer(bad))
        let reported = "line 4: expected a number, found 'two'"
        #expect(await bench.reaches { bench.stage.notices.contains { $0.text.contains(reported) } })
        #expect(bench.view.state.title == "room.pcd: 180 points")
        bench.send(.ask(.open), .answer("  "))
        #expect(bench.view.state.prompt?.note == "expected a name")
        bench.send(.cancelPrompt)
        #expect(bench.view.state.prompt == nil)
        bench.instance.detach()
    }

    /// The lowest point, the altitude of the world's origin, and that which is in the heights.
    private nonisolated static let altitudes: [(lowest: Double, origin: Double?, included: Double)] = [
        (0, 340, 0), (338, 340, 340), (180, 340, 340), (100, 340, 0), (-2, 340, 0), (340, nil, 0), (0, 0, 0),
        (-28, -30, -30),
    ]

    @Test("the heights of a map include the altitude of the world only where they are near it", arguments: altitudes)
    func altitudes(lowest: Double, origin: Double?, included: Double) {
        let bounds = CloudBounds(
            minimum: Vector3(x: 465_710, y: 5_249_465, z: lowest),
            maximum: Vector3(x: 465_720, y: 5_249_475, z: lowest + 3))
        #expect(bounds.isUTM && bounds.altitudeIncluded(of: origin) == included)
    }

    @Test("the slider goes through the layers, takes the cross along, and all of them come back")
    func layers() async throws {
        let bench = try IndoorBench()
        try await bench.open()
        bench.send(.slideTo(0))
        #expect(bench.view.state.layer == 0)
        #expect(bench.view.state.layerText == "layer 1 of 10: -1.00 to -0.70 m, 45 points")
        #expect(abs(bench.view.state.cursor.z + 0.85) < 1e-6)
        bench.send(.moveLayer(2), .moveLayer(-1))
        #expect(bench.view.state.layer == 1)
        bench.send(.moveLayer(-5))
        #expect(bench.view.state.layer == 0)
        bench.send(.slideTo(1), .toggleAllLayers)
        #expect(bench.view.state.layer == nil)
        bench.send(.toggleAllLayers)
        #expect(bench.view.state.layer == 9)
        bench.send(.ask(.layers), .answer("0"))
        #expect(bench.view.state.prompt?.note == "expected 1 to 1000")
        bench.send(.answer("4"))
        #expect(await bench.reaches { bench.view.state.layerText.contains("of 4") })
        #expect(bench.view.state.layer == 3)
        bench.send(.ask(.spacing), .answer("1.5"))
        #expect(await bench.reaches { bench.desk.map?.cloud.count ?? 180 < 180 && bench.view.state.work == nil })
        bench.instance.detach()
    }

    @Test("the view is turned, tilted, zoomed, moved and made whole again")
    func views() async throws {
        let bench = try IndoorBench()
        try await bench.open()
        let whole = bench.view.state.camera
        bench.send(
            .zoom(steps: 2, dot: IndoorDot(x: 10, y: 10)), .route(.pan(columns: 3, rows: 1)), .turnView(degrees: 90))
        #expect(bench.view.state.camera.metresPerDot < whole.metresPerDot)
        #expect(abs(bench.view.state.camera.turnRadians - .pi / 2) < 1e-9)
        bench.send(.turnView(degrees: -90), .route(.fit))
        #expect((bench.view.state.camera.centre - whole.centre).length < 1e-9)
        bench.send(.look(.side))
        #expect(bench.view.state.camera.tiltRadians == 0)
        bench.send(.tiltView(degrees: 15))
        #expect(bench.view.state.view == .free)
        bench.send(.tiltView(degrees: 500))
        #expect(bench.view.state.camera.tiltRadians == 1.4)
        bench.instance.detach()
    }

    @Test("from above the cross moves over the floor, from the side up and down, and the view goes with it")
    func cursor() async throws {
        let bench = try IndoorBench()
        try await bench.open()
        let dots = bench.view.state.camera.metresPerDot
        bench.send(.route(.moveCursor(columns: 2, rows: 1)))
        let moved = bench.view.state.cursor
        #expect((moved - Vector3(x: 4 * dots, y: 4 * dots, z: 0.5)).length < 1e-6)
        bench.send(.look(.side), .route(.moveCursor(columns: 0, rows: 1)))
        #expect((bench.view.state.cursor - moved - Vector3(x: 0, y: 0, z: 4 * dots)).length < 1e-6)
        bench.send(.route(.moveCursor(columns: 500, rows: 0)))
        let at = bench.view.state.camera.dot(of: bench.view.state.cursor, on: DotGrid(columns: 60, rows: 20))
        #expect(at.x > 100 && at.x <= 120)
        bench.instance.detach()
    }

    @Test("a map in UTM coordinates is moved by the vehicle's world origin")
    func grid() async throws {
        var cloud = IndoorBench.room
        cloud.origin = Vector3(x: 465_717, y: 5_249_465, z: 340)
        let link = FakeLink()
        try await link.connect(within: .seconds(5))
        let bench = try IndoorBench(link)
        try await bench.open(cloud)
        // The fake vehicle's world begins at 47.397743 N, 8.545594 E.
        #expect(await bench.reaches { bench.view.state.title.contains("UTM 32") })
        let centre = try #require(bench.view.state.picture?.layers.cloud.bounds).centre
        #expect(abs(centre.x) < 1000 && abs(centre.y) < 1000 && abs(centre.z - 0.5) < 1e-3)
        #expect(bench.view.state.title.contains("340.0 m subtracted from its heights"))
        bench.instance.detach()
    }

    @Test("local heights of a map in UTM coordinates stay: only what includes the world's altitude is lowered")
    func gridWithLocalHeights() async throws {
        var cloud = IndoorBench.room
        cloud.origin = Vector3(x: 465_717, y: 5_249_465, z: 0)
        let link = FakeLink()
        try await link.connect(within: .seconds(5))
        let bench = try IndoorBench(link)
        try await bench.open(cloud)
        #expect(await bench.reaches { bench.view.state.title.contains("UTM 32") })
        let centre = try #require(bench.view.state.picture?.layers.cloud.bounds).centre
        #expect(abs(centre.x) < 1000 && abs(centre.z - 0.5) < 1e-3, "\(centre)")
        #expect(bench.view.state.title.contains("heights kept"))
        bench.instance.detach()
    }

    @Test("a map in UTM coordinates is another map in the world of another vehicle")
    func otherWorld() async throws {
        var cloud = IndoorBench.room
        cloud.origin = Vector3(x: 465_717, y: 5_249_465, z: 340)
        let (first, second) = (FakeLink(), FakeLink())
        second.survey.envelope.worldOrigin?.latitudeDegrees += 0.0001
        for link in [first, second] { try await link.connect(within: .seconds(5)) }
        let bench = try IndoorBench(first)
        try await bench.open(cloud)
        #expect(await bench.reaches { bench.view.state.title.contains("UTM 32") })
        let before = try #require(bench.view.state.picture)
        // It is selected, too.
        bench.fleet.add(profile: VehicleProfile(name: "other"), link: second)
        #expect(await bench.reaches { bench.view.state.picture != before })
        let moved = try #require(bench.view.state.picture?.layers.cloud.bounds).centre
        // 0.0001 degrees of latitude are 11.12 m to the north.
        let difference = try #require(before.layers.cloud.bounds).centre - moved
        #expect(abs(difference.y - 11.12) < 0.02 && abs(difference.x) < 0.5)
        bench.instance.detach()
    }

    @Test("paths are completed as far as they agree")
    func completing() async throws {
        let bench = try IndoorBench()
        _ = try await bench.write(to: "room_one.pcd")
        _ = try await bench.write(to: "room_two.pcd")
        bench.send(.ask(.open), .complete(bench.folder.path + "/ro"))
        #expect(await bench.reaches { bench.view.state.prompt?.text.hasSuffix("/room_") == true })
        #expect(bench.view.state.prompt?.note == "room_one.pcd  room_two.pcd")
        bench.send(.complete(bench.folder.path + "/room_t"))
        #expect(await bench.reaches { bench.view.state.prompt?.text.hasSuffix("/room_two.pcd") == true })
        #expect(bench.view.state.prompt?.revision == 2)
        bench.instance.detach()
    }

    @Test("points are written and read again; another file is not replaced, and what was typed stays")
    func pointFiles() async throws {
        let bench = try IndoorBench()
        let (path, other) = (bench.folder.path + "/walls.csv", bench.folder.path + "/other.csv")
        // Refused before a name is asked for.
        bench.send(.ask(.savePoints))
        #expect(bench.view.state.prompt == nil)
        #expect(bench.stage.notices.last?.text == "the route has no points to write")
        bench.send(.ask(.save))
        #expect(bench.view.state.prompt == nil)
        #expect(bench.stage.notices.last?.text.contains("no map is open") == true)
        bench.desk.editor.place(PlannedPoint(position: Vector3(x: 1, y: 2, z: 0.5)))
        bench.desk.editor.place(PlannedPoint(position: Vector3(x: -1, y: 0, z: 1)))
        #expect(bench.desk.hasUnsavedPoints)
        bench.send(.ask(.savePoints), .answer(path))
        #expect(await bench.reaches { !bench.desk.hasUnsavedPoints })
        let written = bench.desk.editor.points
        try Data("x,y,z\n9,9,9\n8,8,8\n".utf8).write(to: URL(fileURLWithPath: other))
        bench.send(.ask(.savePoints), .answer(other))
        #expect(await bench.reaches { bench.view.state.confirmation?.title == "Replace this file?" })
        bench.send(.route(.decline))
        #expect(bench.view.state.prompt?.kind == .savePoints && bench.view.state.prompt?.text == other)
        bench.send(.cancelPrompt, .route(.clear), .ask(.openPoints), .answer(path))
        #expect(await bench.reaches { bench.desk.editor.points == written })
        bench.send(.ask(.openPoints), .answer(bench.folder.path + "/none.csv"))
        #expect(
            await bench.reaches {
                bench.view.state.prompt?.kind == .openPoints && bench.view.state.prompt?.note.isEmpty == false
            })
        #expect(bench.desk.editor.points == written)
        // A route that is in no file is replaced only after a question, and undo brings it back.
        bench.send(.cancelPrompt, .route(.deletePoint), .ask(.openPoints), .answer(other))
        let edited = bench.desk.editor.points
        #expect(await bench.reaches { bench.view.state.confirmation?.title == "Replace the route?" })
        bench.send(.route(.decline))
        #expect(bench.view.state.confirmation == nil && bench.view.state.prompt == nil)
        #expect(bench.desk.editor.points == edited && bench.desk.hasUnsavedPoints)
        bench.send(.ask(.openPoints), .answer(other))
        #expect(await bench.reaches { bench.view.state.confirmation != nil })
        bench.send(.route(.confirm))
        #expect(await bench.reaches { bench.desk.editor.points.first?.position == Vector3(x: 9, y: 9, z: 9) })
        #expect(!bench.desk.hasUnsavedPoints)
        bench.send(.route(.undo))
        #expect(bench.desk.editor.points == edited)
        bench.instance.detach()
    }

    @Test func `a map that is seen whole fills a larger plot too, and a part that was chosen keeps its scale`()
        async throws
    {
        let bench = try IndoorBench()
        try await bench.open()
        let before = bench.view.state.camera.metresPerDot
        bench.send(.resize(columns: 180, rows: 60))
        #expect(abs(bench.view.state.camera.metresPerDot - before / 3) < 0.05 * before)
        bench.send(.resize(columns: 60, rows: 20))
        #expect(abs(bench.view.state.camera.metresPerDot - before) < 1e-9)
        bench.send(.zoom(steps: 2, dot: nil))
        let chosen = bench.view.state.camera
        bench.send(.resize(columns: 180, rows: 60))
        #expect(bench.view.state.camera.metresPerDot == chosen.metresPerDot)
        bench.send(.route(.fit))
        #expect(bench.view.state.camera.metresPerDot < chosen.metresPerDot)
        bench.instance.detach()
    }

    @Test func `above a vehicle that stands in the map neither floor nor ceiling hides the room`() async throws {
        let timeSource = FakeTimeSource()
        let bench = try IndoorBench(FakeLink(clock: timeSource.fake), timeSource: timeSource)
        bench.link.setVehicleSilent(true)
        try await bench.link.connect(within: .seconds(1))
        bench.tell(.disarmed)
        #expect(await bench.reaches { bench.link.latestTelemetry?.pose != nil })
        let z = bench.link.latestTelemetry?.pose?.value.positionMetres.z ?? .nan
        try await bench.open()
        let layers = try #require(bench.view.state.picture?.layers)
        #expect(bench.view.state.layer == layers.layer(atHeight: z + 1))
        #expect(bench.view.state.layer != 0 && bench.view.state.layer != layers.count - 1)
        bench.instance.detach()
    }

    @Test("a map begins at the layer of a vehicle that flies in it, and with all layers while none is known")
    func startsAtVehicle() async throws {
        let timeSource = FakeTimeSource()
        let bench = try IndoorBench(FakeLink(clock: timeSource.fake), timeSource: timeSource)
        bench.send(.ask(.open), .answer(try await bench.write()))
        #expect(await bench.reaches { bench.view.state.picture != nil })
        #expect(bench.desk.layer == nil)
        try await bench.link.connect(within: .seconds(1))
        for command in [Command.arm(true), .enableOutput(true), .offboard, .takeoff] {
            _ = try await bench.link.perform(command, within: .seconds(1))
        }
        #expect(await bench.timeSource.fake.run { bench.link.latestTelemetry?.pose?.value.positionMetres.z ?? 0 > 1.4 })
        bench.send(.ask(.open), .answer(try await bench.write(to: "again.pcd")))
        #expect(await bench.reaches { bench.desk.layer != nil })
        // Ten layers from -1 to 2 m: 1.5 m is in the ninth.
        #expect(bench.desk.layer == 8)
        bench.instance.detach()
    }
}
