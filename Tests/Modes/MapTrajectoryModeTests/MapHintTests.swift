import FlightControl
import MapTrajectoryMode
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import Testing
import UAVLink
import UAVTestKit

/// Hints lead to what can be done: no next step that is refused in its turn, and no option of the command line.
@MainActor
@Suite("Map trajectory: hints that lead on")
struct MapHintTests {
    @Test func `without waypoints every key that edits one says how the first one is added`() async {
        let bench = MapBench()
        await bench.open()
        let edits: [RouteIntent] = [
            .insertHalfWay, .deletePoint, .toggleSnapshot, .nextHeadingRule, .turn(degrees: 15), .raise(metres: 1),
            .nudge(columns: 1, rows: 0), .selectNext(1), .reverse, .clear,
        ]
        for (number, edit) in edits.enumerated() {
            bench.do(.route(edit))
            #expect(bench.stage.notices.count == number + 1, "\(edit)")
            #expect(bench.stage.notices.last?.text == "no waypoints: Enter adds one", "\(edit)")
        }
        for kind in [MapPromptKind.altitude, .hold, .heading, .cameraPitch] {
            bench.do(.ask(kind))
            #expect(bench.view.shown.prompt == nil)
            #expect(bench.stage.notices.last?.text == "no waypoints: Enter adds one", "\(kind)")
        }
        bench.do(.route(.undo))
        #expect(bench.stage.notices.last?.text == "nothing to undo")
        bench.close()
    }

    @Test func `on the ground a start says first that the vehicle must take off`() async {
        let bench = MapBench()
        await bench.open()
        bench.tell(Vector3(x: 0, y: 0, z: 0), state: .disarmed)
        bench.do(.route(.act(.start)))
        #expect(
            bench.stage.notices.last?.text
                == "no trajectory was sent yet: add two waypoints or more (Enter), then take off; then e sends it")
        bench.tell(Vector3(x: 0, y: 0, z: 5))
        bench.do(.route(.act(.start)))
        #expect(
            bench.stage.notices.last?.text
                == "no trajectory was sent yet: add two waypoints or more (Enter); then e sends it")
        bench.close()
    }

    @Test func `a frame that cannot be used is not suggested, and its refusal names what can be done here`() async {
        let bench = MapBench(files: ["world.yaml": MapBench.world, "route.csv": "1,2,5,0\n11,2,5,90\n"])
        await bench.open()
        bench.do(.ask(.world), .answer("world.yaml"))
        #expect(await becomesTrue { bench.stage.notices.last?.text == "world file world.yaml loaded" })
        bench.do(.ask(.open), .answer("route.csv"))
        #expect(await becomesTrue { bench.view.shown.prompt?.kind == .missingFrame })
        #expect(bench.view.shown.prompt?.hint == "world_origin")
        bench.do(.answer("local_origin"))
        #expect(await becomesTrue { bench.stage.notices.last?.text.contains("local_origin") == true })
        let text = bench.stage.notices.last?.text ?? ""
        #expect(text.contains("give it (O on the map, then 'local X Y Z')") && !text.contains("--"), "\(text)")
        bench.do(.cancelPrompt, .ask(.origin), .answer("local 10 x"))
        #expect(bench.view.shown.prompt?.note.contains("where the vehicle started") == true)
        bench.do(.answer("local 10 -20 1"))
        #expect(bench.view.shown.prompt == nil)
        bench.do(.ask(.open), .answer("route.csv"))
        #expect(await becomesTrue { bench.view.shown.prompt?.kind == .missingFrame })
        #expect(bench.view.shown.prompt?.hint == "world_origin, local_origin")
        bench.do(.answer("local_origin"))
        #expect(await becomesTrue { bench.view.shown.route.points.count == 2 })
        #expect(bench.view.shown.route.points.first?.position == Vector3(x: 11, y: -18, z: 6))
        bench.close()
    }

    @Test(arguments: [
        ("or give a world file (--world FILE) or an origin (--origin LAT,LON)", "read a world file (W)"),
        ("give the zone (--zone), for example 33N", "give the zone (Z on the map), for example 33N"),
    ])
    func `options of the command line are named by their keys`(_ text: String, _ expected: String) {
        let shown = RouteText.withKeys(text)
        #expect(shown.contains(expected) && !shown.contains("--"), "\(shown)")
    }
}
