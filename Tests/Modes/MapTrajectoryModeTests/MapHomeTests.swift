import FlightControl
import MapTrajectoryMode
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import Testing
import UAVLink
import UAVTestKit

/// The planned home of a plan that the map writes.
@MainActor
@Suite("Map trajectory: the home of a written plan")
struct MapHomeTests {
    @Test func `it is that of the file that was read`() async {
        let items = [47.3977, 47.3978].map {
            "{\"type\":\"SimpleItem\",\"command\":16,\"frame\":0,\"params\":[0,0,0,null,\($0),8.5456,500]}"
        }
        let mission = "{\"items\":[\(items.joined(separator: ","))],\"plannedHomePosition\":[47.3975,8.5455,402]}"
        let bench = MapBench(files: ["home.plan": "{\"fileType\":\"Plan\",\"version\":1,\"mission\":\(mission)}"])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.ask(.open), .answer("home.plan"))
        #expect(await becomesTrue { bench.view.shown.route.points.count == 2 })
        bench.do(.route(.raise(metres: 1)), .ask(.save), .answer("new.plan"))
        let home = "\"plannedHomePosition\": [47.3975, 8.5455, 402]"
        #expect(await becomesTrue { bench.files["new.plan"]?.contains(home) == true })
        #expect(bench.stage.notices.allSatisfy { !$0.text.contains("assumed") })
        bench.close()
    }

    @Test func `it is where the vehicle stands`() async {
        let bench = MapBench()
        try? await bench.link.connect(within: .seconds(1))
        bench.link.setVehicleSilent(true)
        bench.tell(Vector3(x: 1, y: 2, z: 0.5), state: .disarmed)
        await settle()
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.place(MapPlace(east: 50, north: 0)), .answer("5"), .ask(.save), .answer("new.plan"))
        #expect(await becomesTrue { bench.files["new.plan"] != nil })
        #expect(await becomesTrue { bench.stage.notices.last?.text.hasPrefix("points written to new.plan") == true })
        #expect(bench.stage.notices.last?.text.contains("assumed") == false)
        bench.close()
    }

    @Test func `without a vehicle it is assumed below point 1, on the ground if that was given`() async {
        let bench = MapBench(loggedIn: false)
        await bench.open()
        bench.do(.ask(.origin), .answer("49.36225 14.26143 445"))
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5"), .ask(.save), .answer("new.plan"))
        let unknown = "the planned home is assumed below point 1, without an altitude: the ground is not known"
        #expect(await becomesTrue { bench.stage.notices.last?.text.hasSuffix(unknown) == true })
        #expect(bench.files["new.plan"]?.contains(", null],\n\"vehicleType\"") == true)
        bench.do(.ask(.altitude), .answer("12 ground at -1.5"), .ask(.save), .answer("new.plan"))
        let ground = "the planned home is assumed below point 1, on the ground"
        #expect(await becomesTrue { bench.stage.notices.last?.text.hasSuffix(ground) == true })
        #expect(bench.files["new.plan"]?.contains(", 443.5],\n\"vehicleType\"") == true)
        bench.close()
    }
}
