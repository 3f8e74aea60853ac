import FlightControl
import RouteKit
import ReportKit
import IntegrationKit
import ModeKit
import ModeTestKit
import IndoorMode
import RouteFlight
import Planning
import Testing
import Trajectories
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
@Suite("Indoor: the flight")
struct IndoorFlightTests {
    private func uploads(_ bench: IndoorBench) -> Int {
        bench.link.asked.count { if case .command(.uploadTrajectory) = $0 { true } else { false } }
    }

    private func asks(_ command: Command, _ bench: IndoorBench) -> Bool { bench.link.asked.contains(.command(command)) }

    @Test("nothing is sent before a yes, and nothing flies before another")
    func confirming() async throws {
        let bench = try await IndoorBench.withRoute()
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        #expect(bench.view.state.path.count > 10)
        #expect(bench.view.state.route.plan.contains { $0.label == "clearance" && $0.value == "0.40 m" })
        bench.send(.route(.act(.start)))
        #expect(bench.stage.notices.last?.text.contains("no trajectory was sent yet") == true)
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.view.state.confirmation?.title == "Send this trajectory to uav1?" })
        #expect(bench.view.state.confirmation?.facts.contains { $0.value == "0.40 m" } == true)
        bench.send(.decline)
        #expect(bench.view.state.confirmation == nil)
        #expect(uploads(bench) == 0)
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.view.state.confirmation != nil })
        // It needs no force, and a force is no yes.
        bench.send(.route(.force))
        #expect(bench.view.state.confirmation != nil)
        bench.send(.confirm)
        #expect(await bench.reaches { bench.view.state.route.stage == .sent })
        #expect(uploads(bench) == 1)
        bench.send(.route(.act(.goToStart)))
        #expect(bench.view.state.confirmation?.title == "Fly uav1 to the start of its trajectory?")
        #expect(!asks(.goToTrajectoryStart, bench))
        bench.send(.confirm)
        #expect(await bench.reaches { asks(.goToTrajectoryStart, bench) })
        bench.send(.route(.act(.start)), .confirm)
        #expect(await bench.reaches { asks(.startTrajectory, bench) })
        bench.send(.route(.act(.stop)))
        #expect(await bench.reaches { bench.view.state.route.stage == .stopped })
        #expect(asks(.stopTrajectory, bench))
        bench.instance.detach()
    }

    @Test("where a check failed, a plain yes sends nothing")
    func forcing() async throws {
        let bench = try await IndoorBench.withRoute(FakeIndoorPlanner(failure: "too near to the wall"))
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        #expect(await bench.reaches { bench.view.state.route.stage == .failed })
        #expect(bench.view.state.route.findings.first?.text == "too near to the wall")
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.view.state.confirmation?.needsForce == true })
        bench.send(.confirm)
        #expect(bench.view.state.confirmation != nil)
        #expect(uploads(bench) == 0)
        bench.send(.route(.force))
        #expect(await bench.reaches { bench.view.state.route.stage == .sentFailing })
        #expect(uploads(bench) == 1)
        // So it is before it is started.
        bench.send(.route(.act(.start)), .confirm)
        #expect(bench.view.state.confirmation?.needsForce == true)
        #expect(bench.view.state.confirmation?.findings.map(\.text) == ["too near to the wall"])
        await settle()
        #expect(!asks(.startTrajectory, bench))
        bench.send(.route(.force))
        #expect(await bench.reaches { asks(.startTrajectory, bench) })
        bench.instance.detach()
    }

    @Test func `sending and starting are reported in the words of the map`() async throws {
        let bench = try await sent()
        #expect(bench.stage.notices.last?.text == "trajectory sent")
        bench.send(.route(.act(.start)), .confirm)
        #expect(await bench.reaches { bench.stage.notices.last?.text == "trajectory started" })
        bench.instance.detach()
    }

    @Test("a refusal of the vehicle is reported, and nothing counts as sent")
    func refusal() async throws {
        let bench = try await IndoorBench.withRoute()
        bench.link.always(.reply(CommandReply(accepted: false, message: "not flying")))
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.view.state.confirmation != nil })
        bench.send(.confirm)
        #expect(await bench.reaches { bench.stage.notices.last?.text.contains("not flying") == true })
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.instance.detach()
    }

    /// A bench whose vehicle holds the route.
    private func sent(_ planner: FakeIndoorPlanner = .init()) async throws -> IndoorBench {
        let bench = try await IndoorBench.withRoute(planner)
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.view.state.confirmation != nil })
        bench.send(.confirm)
        #expect(await bench.reaches { bench.view.state.route.stage == .sent })
        return bench
    }

    @Test("the way to the start is drawn and its length asked about, before the vehicle flies it")
    func wayToStart() async throws {
        let bench = try await sent()
        let (vehicle, start) = (IndoorBench.place, bench.desk.editor.points[0].position)
        #expect(bench.view.state.wayToStart == [vehicle, start])
        bench.send(.route(.act(.goToStart)))
        let metres = (start - vehicle).length.formatted(decimals: 1)
        #expect(
            bench.view.state.confirmation?.facts.contains(LabeledValue("to the start", "\(metres) m, straight")) == true
        )
        bench.send(.decline, .route(.act(.start)), .confirm)
        #expect(await bench.reaches { bench.view.state.wayToStart.isEmpty })
        #expect(asks(.startTrajectory, bench))
        bench.instance.detach()
    }

    @Test func `what is on the vehicle is shown as it was sent, wherever the vehicle is now`() async throws {
        let bench = try await sent(FakeIndoorPlanner(beginsAtVehicle: true))
        func length() -> String? { bench.view.state.route.plan.first { $0.label == "length" }?.value }
        let held = length()
        bench.tell(.flying, at: Vector3(x: 3.5, y: 1.5, z: 0.5))
        // The question plans again, from where the vehicle is.
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.view.state.confirmation != nil })
        #expect(bench.view.state.confirmation?.facts.first { $0.label == "length" }?.value != held)
        bench.send(.decline)
        #expect(bench.view.state.route.stage == .sent && length() == held && held != nil)
        bench.instance.detach()
    }

    @Test func `what failed its check is not offered, and is offered again when nothing is wrong`() async throws {
        let bench = try await sent()
        #expect(bench.view.state.route.actions.contains(.goToStart))
        bench.tell(.flying, at: Vector3(x: 4, y: 2, z: -0.5))
        await bench.timeSource.beat(.seconds(2))
        #expect(!bench.view.state.route.actions.contains(.goToStart))
        bench.tell(.flying)
        await bench.timeSource.beat(.seconds(2))
        #expect(bench.view.state.route.actions.contains(.goToStart))
        bench.instance.detach()
    }

    @Test func `while the shown route fails, the start of the one on the vehicle is not offered`() async throws {
        let bench = try await sent(FakeIndoorPlanner(mostPoints: 2))
        bench.send(.route(.moveCursor(columns: 3, rows: 2)), .route(.placeAtCursor))
        #expect(await bench.reaches { bench.view.state.route.stage == .failed })
        #expect(!bench.view.state.route.actions.contains(.goToStart))
        #expect(!bench.view.state.route.actions.contains(.start))
        bench.instance.detach()
    }

    @Test func `a straight way to the start that is too near to the map is not flown without force`() async throws {
        let bench = try await sent()
        await bench.timeSource.beat()
        // The point of the map at 2, 1, 0 is in the way.
        bench.tell(.flying, at: Vector3(x: 4, y: 2, z: -0.5))
        bench.send(.route(.act(.goToStart)))
        let found = bench.view.state.confirmation?.findings.first
        #expect(found?.isFailure == true)
        #expect(found?.text.hasPrefix("the straight way there comes within 0.") == true, "\(found?.text ?? "-")")
        #expect(bench.view.state.confirmation?.needsForce == true)
        bench.send(.confirm)
        await settle()
        #expect(!asks(.goToTrajectoryStart, bench))
        // Between the points it is free.
        bench.tell(.flying, at: Vector3(x: 0, y: 0, z: 0.5))
        #expect(await bench.reaches { bench.view.state.confirmation?.needsForce == false })
        bench.send(.confirm)
        #expect(await bench.reaches { asks(.goToTrajectoryStart, bench) })
        bench.instance.detach()
    }

    @Test("a route that was changed since is warned about before the older one is flown")
    func older() async throws {
        let bench = try await sent()
        let warning = "the route has changed; the vehicle has the version that was sent"
        bench.send(.route(.act(.start)))
        #expect(bench.view.state.confirmation?.findings.isEmpty == true)
        bench.send(.decline, .route(.raise(metres: 0.1)))
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.send(.route(.act(.start)))
        #expect(bench.view.state.confirmation?.findings.map(\.text) == [warning])
        bench.send(.decline, .route(.undo))
        #expect(await bench.reaches { bench.view.state.route.stage == .sent })
        bench.instance.detach()
    }

    @Test func `that unknown space is treated as free is said again before the start`() async throws {
        let free = "unknown space is treated as free (O changes it)"
        let bench = try await sent(FakeIndoorPlanner(warnings: ["a warning of the plan", free]))
        bench.send(.route(.act(.start)))
        #expect(bench.view.state.confirmation?.findings.map(\.text) == [free])
        #expect(bench.view.state.confirmation?.needsForce == false)
        bench.instance.detach()
    }

    @Test("a stop from outside takes the question back; what was stopped is stopped after leaving, too")
    func leaving() async throws {
        let bench = try await sent()
        bench.send(.route(.act(.start)))
        bench.instance.stopMotion(.user)
        #expect(bench.view.state.confirmation == nil)
        bench.send(.confirm)
        await settle()
        #expect(!asks(.startTrajectory, bench))
        bench.send(.route(.act(.start)), .confirm)
        #expect(await bench.reaches { asks(.startTrajectory, bench) })
        // Left at once: the stop is commanded anyway.
        bench.send(.route(.act(.stop)))
        bench.instance.detach()
        await settle()
        #expect(asks(.stopTrajectory, bench))
        let again = try IndoorBench(
            bench.link, fleet: bench.fleet, timeSource: bench.timeSource, planner: FakeIndoorPlanner(), desk: bench.desk
        )
        #expect(await again.reaches { again.view.state.route.stage == .stopped })
        again.send(.route(.act(.resume)))
        #expect(again.view.state.confirmation?.title == "Resume the trajectory on uav1?")
        again.instance.detach()
    }

    @Test func `on the ground nothing is asked and nothing is offered, as the vehicle would refuse it`() async throws {
        let bench = try await IndoorBench.withRoute()
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.tell(.armed)
        bench.send(.route(.act(.send)))
        #expect(bench.view.state.confirmation == nil && bench.view.state.route.actions == [])
        #expect(bench.view.state.route.stage == .onGround)
        #expect(bench.stage.notices.last?.text == "the vehicle is not flying: take off first")
        bench.tell(.flying)
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.view.state.confirmation != nil })
        #expect(bench.view.state.route.actions == [.send])
        #expect(uploads(bench) == 0)
        bench.instance.detach()
    }

    @Test func `for another vehicle the route is checked anew, and nothing counts as sent`() async throws {
        let bench = try await sent()
        let second = FakeLink()
        second.setVehicleSilent(true)
        try await second.connect(within: .seconds(5))
        bench.fleet.add(profile: VehicleProfile(name: "other"), link: second)
        bench.view.presenter?.look()
        #expect(bench.view.state.route.stage == .planning)
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.send(.route(.act(.start)))
        #expect(bench.stage.notices.last?.text.contains("no trajectory was sent yet") == true)
        bench.fleet.select(bench.fleet.vehicles[0].id)
        #expect(await bench.reaches { bench.view.state.route.stage == .sent })
        bench.instance.detach()
    }
}
