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
@Suite("Map trajectory: what is checked before the vehicle moves")
struct MapCheckTests {
    private static let moves: [RouteAction] = [.goToStart, .start, .resume]

    /// A bench with a planned route of two points, 3 m away from the vehicle.
    private func planned(battery: Double = 0.9) async -> MapBench {
        let bench = MapBench()
        bench.desk.settings.enduranceSeconds = 600
        await bench.open()
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5"), .place(MapPlace(east: 20, north: 0)))
        bench.tell(Vector3(x: 0, y: 0.9, z: 5), battery: battery)
        #expect(await bench.planned())
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        return bench
    }

    /// Sends it, also if a check failed.
    private func send(_ bench: MapBench) async {
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        bench.do(bench.view.shown.confirmation?.needsForce == true ? .route(.force) : .confirm)
        #expect(await becomesTrue { [.sent, .sentFailing].contains(bench.view.shown.route.stage) })
    }

    /// The question before an action.
    private func question(_ action: RouteAction, _ bench: MapBench) -> ConfirmationRequest? {
        bench.do(.route(.act(action)))
        return bench.view.shown.confirmation
    }

    @Test func `the questions before the vehicle moves have the present battery, and a low one needs force`() async {
        let bench = await planned(battery: 0.32)
        await send(bench)
        #expect(question(.start, bench)?.needsForce == false)
        bench.do(.decline)
        bench.tell(Vector3(x: 0, y: 0.8, z: 5), battery: 0.17)
        for action in Self.moves {
            let asked = question(action, bench)
            let battery = asked?.facts.first { $0.label == "battery" }
            #expect(battery?.value.hasSuffix("left 17 %") == true && battery?.isWarning == true)
            #expect(asked?.findings.contains { $0.isFailure && $0.text.contains("17 % remain") } == true)
            #expect(asked?.needsForce == true)
            bench.do(.decline)
        }
        #expect(question(.start, bench)?.facts.contains(LabeledValue("to the start", "0.8 m, straight")) == true)
        bench.do(.confirm)
        await settle()
        #expect(bench.link.commands.count == 1)
        #expect(bench.stage.notices.last?.text.hasPrefix("it is not started: it needs ") == true)
        bench.do(.route(.force))
        #expect(await becomesTrue { bench.link.commands.last == .startTrajectory })
        bench.close()
    }

    @Test func `what is left of the battery is as new as the battery above it, and the check follows it`() async {
        let bench = await planned(battery: 0.9)
        func left() -> String? { bench.view.shown.route.plan.first { $0.label == "battery" }?.value }
        #expect(left()?.hasSuffix("left 90 %") == true)
        bench.tell(Vector3(x: 0, y: 0.9, z: 5), battery: 0.87)
        await bench.timeSource.beat()
        #expect(left()?.hasSuffix("left 87 %") == true, "\(left() ?? "")")
        bench.tell(Vector3(x: 0, y: 0.9, z: 5), battery: 0.17)
        await bench.timeSource.beat(.seconds(3))
        #expect(
            await becomesTrue { bench.view.shown.route.findings.contains { $0.text.contains("17 % remain") } },
            "\(bench.view.shown.route.findings)")
        bench.close()
    }

    @Test func `the battery may fall while the question is open`() async {
        let bench = await planned()
        await send(bench)
        #expect(question(.start, bench)?.needsForce == false)
        bench.tell(Vector3(x: 0, y: 0.9, z: 5), battery: 0.17)
        bench.do(.confirm)
        await settle()
        #expect(bench.link.commands.count == 1 && bench.view.shown.confirmation?.needsForce == true)
        bench.close()
    }

    @Test func `what failed a check when it was sent needs force before each motion, too`() async {
        let bench = await planned()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.ask(.origin), .answer("47 8"))
        #expect(await becomesTrue { bench.view.shown.route.stage == .failed })
        await send(bench)
        for action in Self.moves {
            let asked = question(action, bench)
            #expect(asked?.needsForce == true)
            #expect(asked?.findings.contains { $0.isFailure && $0.text.contains("world_origin is") } == true)
            bench.do(.confirm)
            await settle()
            #expect(bench.link.commands.count == 1)
            bench.do(.decline)
        }
        _ = question(.goToStart, bench)
        bench.do(.route(.force))
        #expect(await becomesTrue { bench.link.commands.last == .goToTrajectoryStart })
        bench.close()
    }

    @Test func `an origin far from the vehicle's is a failed check of the route, and not only of the question`() async {
        let bench = await planned()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        #expect(await becomesTrue { bench.view.shown.route.stage == .ready })
        bench.do(.ask(.origin), .answer("47 8"))
        #expect(await becomesTrue { bench.view.shown.route.stage == .failed })
        let found = bench.view.shown.route.findings.filter { $0.text.contains("the vehicle's world_origin is") }
        #expect(found.count == 1 && found.first?.isFailure == true)
        bench.do(.ask(.origin), .answer("auto"))
        #expect(await becomesTrue { bench.view.shown.route.stage == .ready })
        bench.close()
    }

    @Test func `a path below the ground is shown with the key that gives the ground, and that key removes the finding`()
        async
    {
        let bench = MapBench()
        await bench.open()
        bench.tell(.zero, state: .disarmed)
        await bench.timeSource.beat()
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("-5"), .place(MapPlace(east: 20, north: 0)))
        func found() -> [String] {
            bench.view.shown.route.findings.map(\.text).filter { $0.contains("below the ground under the vehicle") }
        }
        #expect(await becomesTrue { bench.view.shown.route.isPathCurrent && !found().isEmpty })
        let way = "give its z (key a on the map: 'METRES ground at Z')"
        #expect(found().allSatisfy { $0.hasSuffix(way) }, "\(found())")
        // The height itself stays as it was.
        bench.do(.ask(.altitude), .answer("5 ground at -10"))
        #expect(await becomesTrue { bench.view.shown.route.isPathCurrent && found().isEmpty }, "\(found())")
        bench.close()
    }

    @Test func `a stop before the start leaves the route on the vehicle, to be started`() async {
        let bench = await planned()
        await send(bench)
        bench.do(.route(.act(.stop)))
        #expect(await becomesTrue { bench.link.commands.last == .stopTrajectory })
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .sent)
        #expect(bench.view.shown.route.actions.first == .start && !bench.view.shown.route.actions.contains(.resume))
        // Requested anyway, it is not said to continue somewhere.
        #expect(question(.resume, bench)?.findings.contains { $0.text.contains("may fly the whole route") } == true)
        bench.close()
    }

    @Test func `the question before resuming says what remains`() async {
        let bench = await planned()
        await send(bench)
        bench.do(.route(.act(.start)), .confirm)
        await settle()
        bench.tell(Vector3(x: 10, y: 0, z: 5), index: 250, of: 501)
        await bench.timeSource.beat()
        bench.do(.route(.act(.stop)))
        await settle()
        bench.tell(Vector3(x: 10, y: 0, z: 5))
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .stopped)
        let asked = question(.resume, bench)
        #expect(asked?.facts.first == LabeledValue("continues", "where it was stopped, after 50 %"))
        #expect(asked?.facts.map(\.label) == ["continues", "remaining", "to that place", "battery", "world"])
        let remaining = asked?.facts.first { $0.label == "remaining" }?.value ?? ""
        let metres = remaining.split(separator: " ").first.flatMap { Double($0) } ?? 0
        #expect(abs(metres - 10) < 0.2 && remaining.hasSuffix(" s"), "\(remaining)")
        #expect(asked?.findings.contains { $0.text.contains("may fly the whole route") } == false)
        bench.close()
    }
}
