import FlightControl
import Foundation
import IntegrationKit
import RouteFlight
import RouteKit
import MapTrajectoryMode
import Trajectories
import UAVLink
import ModeKit
import ModeTestKit
import Geodesy
import Testing
import UAVTestKit

/// Files, and what is typed.
extension MapTrajectoryTests {
    @Test("Tab completes paths, and numbers are not completed")
    func completion() async throws {
        let bench = MapBench(files: [:])
        await bench.open()
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path + "/field_north.csv"))
        try Data().write(to: URL(fileURLWithPath: folder.path + "/field_south.csv"))
        bench.do(.ask(.open), .complete(folder.path + "/fi"))
        #expect(await becomesTrue { bench.view.shown.prompt?.text.hasSuffix("/field_") == true })
        #expect(bench.view.shown.prompt?.note == "field_north.csv  field_south.csv")
        bench.do(.complete(folder.path + "/field_s"))
        #expect(await becomesTrue { bench.view.shown.prompt?.text.hasSuffix("/field_south.csv") == true })
        bench.do(.cancelPrompt, .ask(.speed), .complete("2"))
        await settle()
        #expect(bench.view.shown.prompt?.text == "auto")
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
        #expect(!bench.desk.hasUnsavedPoints)
        bench.do(.route(.turn(degrees: 15)))
        #expect(bench.desk.hasUnsavedPoints)
        bench.do(.ask(.save), .answer("there.csv"))
        #expect(await becomesTrue { bench.view.shown.confirmation?.facts.first?.value == "there.csv" })
        bench.do(.decline)
        #expect(bench.view.shown.confirmation == nil && bench.view.shown.prompt?.text == "there.csv")
        #expect(bench.files["there.csv"] == "1,2,3,4\n")
        // What cannot be written stays in the line.
        bench.do(.answer("there.xyz"))
        #expect(await becomesTrue { bench.view.shown.prompt?.note.contains("unknown file type") == true })
        #expect(bench.view.shown.prompt?.text == "there.xyz" && bench.desk.hasUnsavedPoints)
        bench.do(.answer("there.csv"))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        // A question before a flight comes first: its answer is not one about the file.
        bench.tell(Vector3(x: 0, y: 0, z: 5))
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation?.title != "Replace this file?" })
        bench.do(.decline)
        #expect(bench.view.shown.confirmation?.title == "Replace this file?")
        #expect(bench.files["there.csv"] == "1,2,3,4\n")
        bench.do(.confirm)
        #expect(await becomesTrue { bench.files["there.csv"]?.hasPrefix("1,2,3,4") == false })
        #expect(await becomesTrue { !bench.desk.hasUnsavedPoints })
        bench.do(.route(.turn(degrees: 15)))
        bench.do(.ask(.save), .answer("new.geojson"))
        #expect(
            await becomesTrue {
                bench.files["new.geojson"]?.contains("LineString") == true
                    || bench.files["new.geojson"] != nil
            })
        #expect(await becomesTrue { !bench.desk.hasUnsavedPoints })
        bench.do(.route(.undo))
        #expect(bench.desk.hasUnsavedPoints)
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
        // The last edit is in no file.
        #expect(await becomesTrue { bench.view.shown.confirmation?.title == "Replace the route?" })
        #expect(bench.view.shown.route.points.first?.place == MapPlace(east: 1, north: 2))
        bench.do(.confirm)
        #expect(
            await becomesTrue { bench.view.shown.route.points.first.map { $0.place.east.magnitude < 0.01 } == true })
        #expect(bench.view.shown.route.points.map(\.position.z) == [5, 5])
        bench.do(.route(.undo))
        #expect(bench.view.shown.route.points.first?.place == MapPlace(east: 1, north: 2))
        bench.close()
    }

    @Test func `a jump that a plan file loses is a failing finding while its points are there`() async {
        func item(_ command: Int, _ latitude: Double) -> String {
            "{\"type\":\"SimpleItem\",\"command\":\(command),\"frame\":0,\"params\":[0,0,0,0,\(latitude),8.5456,500]}"
        }
        let items = [item(16, 47.3977), item(177, 0), item(16, 47.3978)].joined(separator: ",")
        let bench = MapBench(files: [
            "jump.plan": "{\"fileType\":\"Plan\",\"version\":1,\"mission\":{\"items\":[\(items)]}}"
        ])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.ask(.open), .answer("jump.plan"))
        #expect(await becomesTrue { bench.view.shown.route.points.count == 2 })
        #expect(await becomesTrue { bench.stage.notices.last?.weight == .warning })
        func isFound() -> Bool {
            bench.view.shown.route.findings.contains { $0.isFailure && $0.text.contains("DO_JUMP") }
        }
        bench.do(.route(.deletePoint), .route(.deletePoint))
        #expect(await becomesTrue { bench.view.shown.route.findings.isEmpty })
        bench.do(.route(.undo), .route(.undo))
        #expect(await becomesTrue { isFound() })
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
}
