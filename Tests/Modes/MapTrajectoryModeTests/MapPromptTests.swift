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

@MainActor
@Suite("Map trajectory: prompts and files")
struct MapPromptTests {
    @Test(arguments: [MapPromptKind.open, .background, .world])
    func `a file that cannot be opened stays in the prompt, as it was typed`(_ kind: MapPromptKind) async {
        let bench = MapBench()
        await bench.open()
        bench.do(.ask(kind), .answer("none.kml"))
        #expect(await becomesTrue { bench.view.shown.prompt?.note.contains("No such file") == true })
        #expect(bench.view.shown.prompt?.kind == kind && bench.view.shown.prompt?.text == "none.kml")
        #expect(bench.stage.notices.last?.weight == .error)
        bench.close()
    }

    @Test(arguments: ["1e308", "-1e308", "10000.5", "-20000 world"])
    func `a height beyond 10 km is refused, with the range`(_ text: String) async {
        let bench = MapBench()
        await bench.open()
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer(text))
        #expect(bench.view.shown.prompt?.note == "expected a height from -10000 to 10000 m")
        #expect(bench.view.shown.route.points.isEmpty)
        bench.do(.answer("-10000"), .place(MapPlace(east: 9, north: 0)))
        #expect(bench.view.shown.route.points.map(\.position.z) == [-10000, -10000])
        bench.close()
    }

    private static let flat = """
        {"type":"Feature","properties":{},"geometry":{"type":"LineString",
        "coordinates":[[8.545594,47.397743],[8.5457,47.3978]]}}
        """

    @Test func `a file without altitudes is not given up for an altitude above an unknown ground`() async {
        let bench = MapBench(files: ["flat.geojson": Self.flat])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.ask(.open), .answer("flat.geojson"))
        #expect(await becomesTrue { bench.view.shown.prompt?.kind == .missingAltitude })
        bench.do(.answer("12 ground"))
        await settle()
        #expect(bench.view.shown.prompt?.kind == .missingAltitude && bench.view.shown.prompt?.text == "12 ground")
        #expect(
            bench.view.shown.prompt?.note
                == "z of the ground is not known here: type '12 ground at Z', Z in world_origin")
        bench.do(.answer("400 ellipsoid"))
        #expect(
            bench.view.shown.prompt?.note
                == "the altitude is above the ellipsoid, but the height of the geoid is unknown")
        bench.do(.answer("12 ground at -1.5"))
        #expect(await becomesTrue { bench.view.shown.route.points.map(\.position.z) == [10.5, 10.5] })
        bench.close()
    }

    @Test(
        arguments: [
            (
                "[8.545594,47.397743],[8.5457,47.3978,5],[8.5458,47.3979,6]",
                "altitude where the file has none (first: point 1)"
            ),
            (
                "[8.545594,47.397743],[8.5457,47.3978],[8.5458,47.3979]",
                "altitude where the file has none (first: point 1)"
            ),
        ]) func `of a file with some altitudes it is said which point has none`(_ points: String, _ title: String) async
    {
        let file = """
            {"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[\(points)]}}
            """
        let bench = MapBench(files: ["some.geojson": file])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.ask(.open), .answer("some.geojson"))
        #expect(await becomesTrue { bench.view.shown.prompt?.kind == .missingAltitude })
        #expect(bench.view.shown.prompt?.title == title)
        bench.close()
    }

    private static let aboveGround = """
        <?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Weg</name>
        <LineString><altitudeMode>relativeToGround</altitudeMode>
        <coordinates>8.545594,47.397743,5 8.5457,47.3978,6</coordinates></LineString></Placemark></Document></kml>
        """

    @Test func `of a file with heights above an unknown ground its z is asked, by default where the vehicle stood`()
        async
    {
        let bench = MapBench(files: ["way.kml": Self.aboveGround])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.tell(Vector3(x: 1, y: 2, z: 0.5), state: .disarmed)
        await bench.timeSource.beat()
        bench.do(.ask(.open), .answer("way.kml"))
        #expect(await becomesTrue { bench.view.shown.prompt?.title.hasPrefix("z of the ground") == true })
        #expect(bench.view.shown.prompt?.text == "0.50")
        #expect(bench.desk.setup.groundZMetres == nil)
        bench.do(.answer("0.5 m"))
        #expect(bench.view.shown.prompt?.note == "expected a height from -10000 to 10000 m")
        bench.do(.answer("0.50"))
        #expect(await becomesTrue { bench.view.shown.route.points.map(\.position.z) == [5.5, 6.5] })
        #expect(bench.desk.setup.groundZMetres == 0.5 && bench.view.shown.prompt == nil)
        bench.close()
    }

    @Test func `home is known in flight where the map was opened only then`() async {
        let bench = MapBench()
        try? await bench.link.connect(within: .seconds(1))
        bench.link.setVehicleSilent(true)
        bench.tell(Vector3(x: 1, y: 2, z: 0.5), state: .disarmed)
        await settle()
        bench.tell(Vector3(x: 5, y: 5, z: 8))
        await settle()
        await bench.open()
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5 home"))
        #expect(bench.view.shown.route.points.map(\.position.z) == [5.5])
        bench.close()
    }

    @Test func `speed and corners beyond their range are refused, with the range`() async {
        let bench = MapBench()
        await bench.open()
        bench.do(.ask(.speed), .answer("100"))
        #expect(bench.view.shown.prompt?.note.contains("above 0 and up to 50") == true)
        bench.do(.cancelPrompt, .ask(.deviation), .answer("101"))
        #expect(bench.view.shown.prompt?.note.contains("above 0 and up to 100") == true)
        bench.close()
    }

    @Test func `a file replaces an unsaved route only after a question, and undo brings the route back`() async {
        let bench = MapBench(files: ["far.csv": "50,2,5,0\n60,2,5,90\n70,2,5,90\n", "bad.csv": "x\n"])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5"), .place(MapPlace(east: 9, north: 0)))
        let drawn = bench.desk.editor.points
        func open() { bench.do(.ask(.open), .answer("far.csv")) }
        func answerFrame() async {
            #expect(await becomesTrue { bench.view.shown.prompt?.kind == .missingFrame })
            bench.do(.answer("world_origin"))
            #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        }
        // What cannot be read is not asked about.
        bench.do(.ask(.open), .answer("bad.csv"))
        #expect(await becomesTrue { bench.view.shown.prompt?.note.isEmpty == false })
        #expect(bench.view.shown.confirmation == nil)
        bench.do(.cancelPrompt)
        open()
        await answerFrame()
        let question = bench.view.shown.confirmation
        #expect(question?.title == "Replace the route?" && question?.isDangerous == false)
        #expect(question?.facts.map(\.value) == ["2 points, not saved; u brings it back", "far.csv"])
        bench.do(.decline)
        #expect(bench.view.shown.confirmation == nil && bench.view.shown.prompt == nil)
        #expect(bench.desk.editor.points == drawn && bench.desk.hasUnsavedPoints)
        open()
        await answerFrame()
        bench.do(.confirm)
        #expect(await becomesTrue { bench.view.shown.route.points.count == 3 })
        #expect(!bench.desk.hasUnsavedPoints && bench.view.shown.confirmation == nil)
        bench.do(.route(.undo))
        #expect(bench.desk.editor.points == drawn)
        bench.close()
    }

    /// A plan with points at these latitudes, and a jump between the first two if one is asked for.
    private static func plan(_ latitudes: [Double], jumps: Bool) -> String {
        func item(_ command: Int, _ latitude: Double) -> String {
            "{\"type\":\"SimpleItem\",\"command\":\(command),\"frame\":0,\"params\":[0,0,0,0,\(latitude),8.5456,500]}"
        }
        var items = latitudes.map { item(16, $0) }
        if jumps { items.insert(item(177, 0), at: 1) }
        return "{\"fileType\":\"Plan\",\"version\":1,\"mission\":{\"items\":[\(items.joined(separator: ","))]}}"
    }

    @Test func `what a file loses is found once, whatever its name, and only while the route is of that file`() async {
        let jump = Self.plan([47.3977, 47.3978], jumps: true)
        let bench = MapBench(files: [
            "jump.plan": jump, "/other/jump.plan": jump,
            "plain.plan": Self.plan([47.3977, 47.3978, 47.3979], jumps: false),
        ])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        func found() -> Int { bench.view.shown.route.findings.count { $0.text.contains("DO_JUMP") } }
        for name in ["jump.plan", "/other/jump.plan"] {
            bench.do(.ask(.open), .answer(name))
            #expect(await becomesTrue { bench.stage.notices.last?.text.contains(" \(name)") == true })
            await bench.timeSource.beat()
            #expect(await becomesTrue { bench.view.shown.route.isPathCurrent && found() == 1 })
        }
        // Three points, of which two are those of the other file.
        bench.do(.ask(.open), .answer("plain.plan"))
        #expect(await becomesTrue { bench.view.shown.route.points.count == 3 })
        await bench.timeSource.beat()
        #expect(await becomesTrue { bench.view.shown.route.isPathCurrent && found() == 0 })
        bench.do(.route(.undo))
        #expect(await becomesTrue { bench.view.shown.route.points.count == 2 && found() == 1 })
        bench.do(.route(.clear))
        let place = bench.desk.cursor
        bench.do(.place(place), .answer("5"), .place(MapPlace(east: place.east + 9, north: place.north)))
        #expect(await bench.planned())
        #expect(found() == 0)
        bench.close()
    }
}
