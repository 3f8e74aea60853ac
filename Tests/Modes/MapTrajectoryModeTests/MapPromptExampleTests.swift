import FlightControl
import MapTrajectoryMode
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import Testing
import UAVLink
import UAVTestKit

@MainActor
@Suite("Map trajectory: examples in prompts")
struct MapPromptExampleTests {
    @Test(arguments: [false, true]) func `every example of a prompt is accepted, whatever is known`(
        hasWorld: Bool
    ) async {
        let bench = MapBench(files: ["world.yaml": MapBench.world], loggedIn: false)
        await bench.open()
        if hasWorld {
            bench.do(.ask(.world), .answer("world.yaml"))
            #expect(await becomesTrue { bench.stage.notices.last?.text == "world file world.yaml loaded" })
        }
        bench.do(.place(MapPlace(east: 0, north: 0)))
        // Neither the ground nor the height of the origin is known.
        #expect(bench.view.shown.prompt?.hint == "5")
        bench.do(.answer("5"), .ask(.goToPlace))
        #expect(bench.view.shown.prompt?.hint.hasPrefix("49.3622 14.2614") == hasWorld)
        let kinds: [MapPromptKind] = [
            .altitude, .hold, .heading, .cameraPitch, .speed, .deviation, .goToPlace, .missingAltitude, .missingFrame,
            .missingGround,
            .origin,
        ]
        for kind in kinds {
            bench.do(.cancelPrompt, .ask(kind))
            let hint = bench.view.shown.prompt?.hint ?? ""
            #expect(!hint.isEmpty, "\(kind)")
            for example in hint.split(separator: ", ") {
                bench.do(.cancelPrompt, .ask(kind), .answer(String(example)))
                #expect(bench.view.shown.prompt == nil, "\(kind) \(example): \(bench.view.shown.prompt?.note ?? "")")
            }
        }
        bench.close()
    }
}
