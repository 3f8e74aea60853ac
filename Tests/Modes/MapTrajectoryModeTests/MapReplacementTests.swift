import FlightControl
import MapTrajectoryMode
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import Testing
import UAVLink
import UAVTestKit

/// A file that the points were read from is not written over unasked where something else in it would be lost.
@MainActor
@Suite("Map trajectory: a file with more than points")
struct MapReplacementTests {
    private static func plan(fenced: Bool) -> String {
        let items = [47.3977, 47.3978].map {
            "{\"type\":\"SimpleItem\",\"command\":16,\"frame\":0,\"params\":[0,0,0,null,\($0),8.5456,500]}"
        }
        let takeOff = "{\"type\":\"SimpleItem\",\"command\":22,\"frame\":0,\"params\":[0,0,0,null,47.3977,8.5456,500]}"
        let circle = "{\"circle\":{\"center\":[47.3990,8.5456],\"radius\":20},\"inclusion\":false}"
        let fence = fenced ? "\"geoFence\":{\"circles\":[\(circle)],\"polygons\":[]}," : ""
        let mission = ((fenced ? [takeOff] : []) + items).joined(separator: ",")
        return "{\"fileType\":\"Plan\",\"version\":1,\(fence)\"mission\":{\"items\":[\(mission)]}}"
    }

    @Test func `it is asked, with what is lost, and the geofence stays in force`() async {
        let text = Self.plan(fenced: true)
        let bench = MapBench(files: ["field.plan": text])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.ask(.open), .answer("field.plan"))
        #expect(await becomesTrue { bench.view.shown.obstacles.count == 1 })
        bench.do(.route(.raise(metres: 1)), .ask(.save))
        #expect(bench.view.shown.prompt?.text == "field.plan")
        bench.do(.answer("field.plan"))
        #expect(await becomesTrue { bench.view.shown.confirmation?.title == "Replace this file?" })
        let facts = bench.view.shown.confirmation?.facts ?? []
        #expect(facts.map(\.label) == ["file", "lost"] && facts.last?.value == "the take-off, the geofence")
        bench.do(.decline)
        #expect(bench.files["field.plan"] == text && bench.desk.hasUnsavedPoints)
        bench.do(.answer("field.plan"))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        bench.do(.confirm)
        #expect(await becomesTrue { !bench.desk.hasUnsavedPoints })
        #expect(bench.files["field.plan"]?.contains("\"groundStation\": \"uavlink\"") == true)
        #expect(bench.view.shown.obstacles.count == 1)
        // Now it has points only.
        bench.do(.route(.raise(metres: 1)), .ask(.save), .answer("field.plan"))
        #expect(await becomesTrue { !bench.desk.hasUnsavedPoints })
        #expect(bench.view.shown.confirmation == nil && bench.view.shown.obstacles.count == 1)
        bench.close()
    }

    @Test func `a file of points alone is written over without a question`() async {
        let bench = MapBench(files: ["field.plan": Self.plan(fenced: false)])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.ask(.open), .answer("field.plan"))
        #expect(await becomesTrue { bench.view.shown.route.points.count == 2 })
        bench.do(.route(.raise(metres: 1)), .ask(.save), .answer("field.plan"))
        #expect(await becomesTrue { !bench.desk.hasUnsavedPoints })
        #expect(bench.view.shown.confirmation == nil)
        bench.close()
    }

    @Test func `undo brings back a route with its file: it is saved, and no other file is written over by it`() async {
        let other = "# frame: world_origin\nx,y,z\n9,9,5\n8,8,5\n"
        let bench = MapBench(files: ["a.csv": "# frame: world_origin\nx,y,z\n0,0,5\n20,0,5\n", "b.csv": other])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        func first() -> MapPlace? { bench.view.shown.route.points.first?.place }
        bench.do(.ask(.open), .answer("a.csv"))
        #expect(await becomesTrue { first() == MapPlace(east: 0, north: 0) })
        bench.do(.ask(.open), .answer("b.csv"))
        #expect(await becomesTrue { first() == MapPlace(east: 9, north: 9) })
        bench.do(.route(.undo))
        #expect(first() == MapPlace(east: 0, north: 0) && !bench.desk.hasUnsavedPoints)
        bench.do(.route(.raise(metres: 1)))
        #expect(bench.desk.hasUnsavedPoints)
        bench.do(.ask(.save))
        #expect(bench.view.shown.prompt?.text == "a.csv")
        bench.do(.answer("b.csv"))
        #expect(await becomesTrue { bench.view.shown.confirmation?.title == "Replace this file?" })
        bench.do(.decline)
        #expect(bench.files["b.csv"] == other)
        bench.do(.answer("a.csv"))
        #expect(await becomesTrue { !bench.desk.hasUnsavedPoints })
        #expect(bench.view.shown.confirmation == nil)
        bench.do(.route(.redo))
        #expect(!bench.desk.hasUnsavedPoints)
        bench.close()
    }

    @Test func `a speed that the file demands is held against the one that is flown, as by the command line`() async {
        let table = "# frame: world_origin\nx,y,z,speed\n0,0,5,0.5\n20,0,5,0.5\n"
        let bench = MapBench(files: ["slow.csv": table])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        func demands() -> [FindingLine] { bench.view.shown.route.findings.filter { $0.text.contains("demands") } }
        bench.do(.ask(.open), .answer("slow.csv"))
        #expect(await becomesTrue { bench.view.shown.route.points.count == 2 })
        await bench.timeSource.beat()
        #expect(await bench.planned())
        #expect(await becomesTrue { bench.view.shown.route.stage == .failed }, "\(bench.view.shown.route.findings)")
        #expect(demands().map(\.isFailure) == [true])
        #expect(demands().first?.text.hasPrefix("column 'speed' demands 0.50 m/s, and ") == true)
        #expect(demands().first?.text.hasSuffix(" m/s are flown: fly slower") == true)
        bench.do(.ask(.speed), .answer("0.5"))
        #expect(await becomesTrue { bench.view.shown.route.isPathCurrent && demands().isEmpty }, "\(demands())")
        #expect(bench.view.shown.route.stage != .failed)
        bench.close()
    }

    @Test func `a speed that ground stations write for every plan is a limit, too`() async {
        let text = Self.plan(fenced: false)
            .replacing("\"mission\":{", with: "\"mission\":{\"hoverSpeed\":0.3,")
        let bench = MapBench(files: ["field.plan": text])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.ask(.open), .answer("field.plan"))
        #expect(await becomesTrue { bench.view.shown.route.points.count == 2 })
        await bench.timeSource.beat()
        #expect(await bench.planned())
        #expect(
            await becomesTrue {
                bench.view.shown.route.findings.contains {
                    $0.isFailure && $0.text.hasPrefix("hoverSpeed demands 0.30 m/s, and ")
                }
            }, "\(bench.view.shown.route.findings)")
        bench.close()
    }

    @Test func `headings in doubt are named where the route is said to be ready`() async {
        let bench = MapBench(files: ["turned.csv": "# frame: world_origin\nx,y,z,heading\n0,0,5,90\n20,0,5,90\n"])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.ask(.open), .answer("turned.csv"))
        #expect(await becomesTrue { bench.view.shown.route.points.count == 2 })
        await bench.timeSource.beat()
        #expect(await bench.planned())
        #expect(
            await becomesTrue {
                bench.view.shown.route.exceptions.contains("headings in doubt")
            }, "\(bench.view.shown.route.exceptions)")
        bench.close()
    }
}
