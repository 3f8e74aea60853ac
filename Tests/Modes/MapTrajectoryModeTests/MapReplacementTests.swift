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
}
