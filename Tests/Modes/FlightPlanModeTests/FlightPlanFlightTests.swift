import FlightControl
import ModeKit
import ModeTestKit
import Tello
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@testable import FlightPlanMode

/// A plan on the screen: moved without flying, flown after a question, paused, stopped, and what it says when it stops.
@MainActor
@Suite("Flight plan mode: flights") struct FlightPlanFlightTests {
    @Test func `the simulated drone moves along the plan, and nothing is sent`() async {
        let bench = FlightPlanBench()
        await bench.open()
        #expect(bench.shown.steps.map(\.text) == ["takeoff", "forward 100", "cw 90", "forward 100", "land"])
        #expect(bench.shown.moved == 0 && bench.shown.position == "on the ground, before the first command")
        bench.send(.move(1), .move(1), .move(1))
        #expect(bench.shown.moved == 3)
        let marker = bench.shown.marker
        #expect(abs((marker?.place.ahead ?? 0) - 1) < 0.001 && abs(marker?.place.right ?? 1) < 0.001)
        #expect(abs((marker?.heading ?? 0) + .pi / 2) < 0.001, "clockwise is negative")
        #expect(bench.shown.position.contains("line 3") && bench.shown.position.contains("1.00 m ahead"))
        // To the right of where it took off.
        bench.send(.toEnd)
        #expect(abs((bench.shown.marker?.place.right ?? 0) - 1) < 0.001)
        #expect(bench.shown.moved == 5 && bench.shown.ahead.count == 1)
        bench.send(.move(-1), .move(-100))
        #expect(bench.shown.moved == 0 && bench.shown.done.count == 1)
        #expect(bench.link.sent == [])
        await bench.end()
    }

    @Test func `a plan is flown after a question that names drone, time and battery`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.send(.fly)
        let question = bench.shown.confirmation
        #expect(question?.title == "Fly this plan with uav1?" && question?.isDangerous == true)
        #expect(question?.facts.first { $0.label == "battery" }?.value.hasPrefix("90 %") == true)
        await bench.pass(.seconds(5))
        #expect(bench.link.sent == [], "it waits for the answer")
        bench.send(.confirm)
        await bench.pass(.milliseconds(100))
        #expect(bench.link.sent == ["takeoff"] && bench.link.mode == .autoPilot)
        #expect(bench.shown.flight == PlanFlightLine(.flying, "flies 1 of 5, line 1: takeoff", step: 0))
        await bench.pass(.seconds(1))
        #expect(bench.shown.flight?.step == 1 && bench.shown.moved == 2, "the simulated drone goes with it")
        await bench.pass(.seconds(10))
        #expect(bench.link.sent == ["takeoff", "forward 100", "cw 90", "forward 100", "land"])
        #expect(bench.shown.flight?.phase == .flown && bench.lastNotice == "the flight plan was flown to its end")
        let said = bench.stage.notices.count
        await bench.pass(.seconds(1))
        #expect(bench.stage.notices.count == said, "the end is said once")
        await bench.end()
    }

    @Test func `declined, it stays on the ground`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.send(.fly, .decline)
        await bench.pass(.seconds(2))
        #expect(bench.link.sent == [] && bench.shown.confirmation == nil && bench.link.mode == .planning)
        await bench.end()
    }

    @Test func `step by step: each is flown when the user says so`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.send(.nextStep)
        #expect(bench.shown.confirmation?.action == "take off, step by step")
        bench.send(.confirm)
        await bench.pass(.seconds(5))
        #expect(bench.link.sent == ["takeoff"])
        #expect(bench.shown.flight == PlanFlightLine(.paused, "hovers before 2 of 5, line 2: forward 100", step: 1))
        #expect(bench.shown.moved == 1)
        bench.send(.nextStep)
        await bench.pass(.seconds(5))
        #expect(bench.link.sent == ["takeoff", "forward 100"] && bench.shown.flight?.phase == .paused)
        bench.send(.fly)
        await bench.pass(.seconds(10))
        #expect(bench.link.sent.last == "land" && bench.shown.flight?.phase == .flown)
        await bench.end()
    }

    @Test func `paused after the present step, and flown on`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.send(.fly, .confirm)
        await bench.pass(.milliseconds(1500))
        bench.send(.pause)
        await bench.pass(.seconds(5))
        #expect(bench.link.sent == ["takeoff", "forward 100"] && bench.shown.flight?.phase == .paused)
        bench.send(.fly)
        await bench.pass(.seconds(5))
        #expect(bench.shown.confirmation == nil && bench.link.sent.last == "land")
        await bench.end()
    }

    @Test(arguments: [(FlightPlanIntent.stop, "! hover", "stopped"), (.land, "! land", "ended by a landing")])
    func `stop and land are sent at once, and nothing follows`(
        _ intent: FlightPlanIntent, _ order: String, _ words: String
    ) async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.send(.fly, .confirm)
        await bench.pass(.milliseconds(1500))
        bench.send(intent)
        await bench.pass(.seconds(5))
        #expect(bench.link.sent == ["takeoff", "forward 100", order])
        #expect(bench.shown.flight?.phase == .ended && bench.lastNotice.contains(words))
        await bench.end()
    }

    @Test func `a stop that the drone may not have obeyed is said`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.link.change { $0.orderReply = CommandReply(accepted: false, message: "error") }
        bench.send(.fly, .confirm)
        await bench.pass(.milliseconds(1500))
        bench.send(.stop)
        await bench.pass(.seconds(5))
        #expect(bench.lastNotice.hasSuffix("the drone hovers, if it has obeyed: error"))
        await bench.end()
    }

    @Test func `a step that fails ends the plan, with its line and the drone's words`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.link.change { $0.refusals["cw 90"] = "error No valid imu" }
        bench.send(.fly, .confirm)
        await bench.pass(.seconds(20))
        #expect(bench.link.sent == ["takeoff", "forward 100", "cw 90", "land"])
        #expect(bench.shown.flight?.phase == .failed && bench.shown.flight?.step == 2)
        #expect(bench.lastNotice.contains("line 3: cw 90") && bench.lastNotice.contains("error No valid imu"))
        #expect(bench.stage.notices.last?.weight == .error)
        await bench.end()
    }

    @Test func `the frame's stop key ends the plan, and the mode sends no second stop`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.send(.fly, .confirm)
        await bench.pass(.milliseconds(1500))
        bench.instance.stopMotion(.user)
        // The frame sends it.
        _ = try? await bench.link.perform(.hover, within: .seconds(5))
        await bench.pass(.seconds(5))
        #expect(bench.link.sent == ["takeoff", "forward 100", "! hover"])
        #expect(bench.shown.flight?.phase == .ended && bench.lastNotice.contains("stopped"))
        await bench.end()
    }

    @Test(arguments: [StopCause.suspended, .terminalSilent, .otherVehicle])
    func `whatever takes the screen away stops the plan`(_ cause: StopCause) async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.send(.fly, .confirm)
        await bench.pass(.milliseconds(1500))
        bench.instance.stopMotion(cause)
        await bench.pass(.seconds(5))
        #expect(bench.link.sent == ["takeoff", "forward 100", "! hover"])
        await bench.end()
    }

    @Test func `a move of the user does not stop it: the link refuses that`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.send(.fly, .confirm)
        await bench.pass(.milliseconds(1500))
        bench.instance.stopMotion(.command(.takeoff))
        await bench.pass(.seconds(10))
        #expect(bench.shown.flight?.phase == .flown)
        await bench.end()
    }

    @Test func `leaving in flight asks, stops the plan, and says so`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.send(.fly, .confirm)
        await bench.pass(.milliseconds(1500))
        bench.send(.leave)
        #expect(bench.stage.wentBack == 0 && bench.shown.confirmation?.title == "Leave the plan that is flown?")
        bench.send(.confirm)
        #expect(bench.stage.wentBack == 1)
        await bench.end()
        #expect(bench.link.sent == ["takeoff", "forward 100", "! hover"])
        #expect(bench.lastNotice.contains("the drone hovers; land it"))
    }

    @Test func `a question is not answered for another vehicle`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.send(.fly)
        let other = FakePlanLink(bench.timeSource.fake)
        bench.fleet.add(profile: VehicleProfile(name: "other"), link: other)
        bench.send(.confirm)
        await bench.pass(.seconds(2))
        #expect(bench.link.sent == [] && other.sent == [] && bench.shown.confirmation == nil)
        await bench.end()
    }

    @Test func `detached it is deallocated`() async {
        let bench = FlightPlanBench()
        await bench.open()
        await bench.end()
        #expect(bench.presenter == nil)
    }

    @Test func `a last look after it was left leaves the drone free for a take-off`() async {
        let bench = FlightPlanBench()
        await bench.open()
        #expect(bench.link.mode == .planning)
        bench.instance.detach()
        // As after each intent, and the one to leave is one.
        bench.presenter?.look()
        #expect(bench.link.mode == .command)
        await bench.end()
    }

    @Test func `a drone that was left in Planning flies the plan all the same`() async {
        let bench = FlightPlanBench()
        bench.link.change { $0.mode = .planning }
        await bench.open()
        bench.send(.fly, .confirm)
        await bench.pass(.milliseconds(100))
        #expect(bench.link.sent == ["takeoff"], "\(bench.lastNotice)")
        await bench.end()
    }

    @Test func `each order stands in the place of what was said before it`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.stage.say(Notice(.success, "uav1: landing done"))
        bench.send(.nextStep, .confirm)
        #expect(bench.lastNotice.hasPrefix("one command is flown"))
        await bench.pass(.seconds(5))
        bench.send(.nextStep)
        await bench.pass(.milliseconds(100))
        bench.send(.pause)
        #expect(bench.lastNotice.hasPrefix("it hovers after this command"))
        await bench.pass(.seconds(5))
        let said = bench.stage.notices.count
        bench.send(.pause)
        #expect(bench.stage.notices.count == said, "it hovers already")
        bench.send(.fly)
        #expect(bench.lastNotice.hasPrefix("the plan is flown"))
        await bench.end()
    }

    @Test func `of a plan that was stopped it is not said that the drone hovers once it stands`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.link.tell(.flying)
        bench.send(.fly, .confirm)
        await bench.pass(.milliseconds(1500))
        bench.send(.stop)
        await bench.pass(.seconds(5))
        #expect(bench.shown.flight?.words == "was stopped: the drone hovers" && bench.shown.canLand)
        bench.send(.fly)
        #expect(bench.lastNotice == "the plan is not flown: the Tello is in the air: land it first (l)")
        #expect(!bench.shown.canFly, "it would be refused")
        #expect(bench.shown.flightObstacle == "the Tello is in the air")
        bench.link.enter(.landed)
        bench.link.tell(.disarmed)
        bench.presenter?.look()
        #expect(bench.shown.flight?.words == "was stopped" && !bench.shown.canLand && bench.shown.canFly)
        await bench.end()
    }
}
