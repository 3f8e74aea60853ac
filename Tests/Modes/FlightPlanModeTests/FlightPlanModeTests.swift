import FlightControl
import FlightPlans
import ModeKit
import ModeTestKit
import Tello
import Testing
import UAVLink
import UAVTestKit

@testable import FlightPlanMode

/// The states of the drone, the check, and the files.
@MainActor
@Suite("Flight plan mode") struct FlightPlanModeTests {
    @Test func `only a vehicle that flies plans is offered them; another one's screen says why`() async {
        let bench = FlightPlanBench(fliesPlans: false)
        #expect(bench.shown.obstacle?.hasPrefix("fake drone has no flight plans") == true)
        bench.send(.ask(.open), .fly, .land)
        await settle()
        #expect(bench.shown.prompt == nil && bench.shown.confirmation == nil && bench.link.sent == [])
        await bench.end()
    }

    @Test func `a drone on the ground is in Planning while a plan is open, and in Command when the screen is left`()
        async
    {
        let bench = FlightPlanBench()
        #expect(bench.link.mode == .command && bench.shown.states?.present.name == "Command")
        await bench.open()
        #expect(bench.link.mode == .planning)
        bench.presenter?.look()
        #expect(bench.shown.states?.present.name == "Planning")
        await bench.end()
        #expect(bench.link.mode == .command)
    }

    @Test func `a drone that flies by hand is not in Planning until it has landed, and does not begin a plan`() async {
        let bench = FlightPlanBench()
        bench.link.change { $0.mode = .manual }
        await bench.open()
        #expect(bench.link.mode == .manual)
        bench.send(.fly)
        #expect(bench.shown.confirmation == nil && bench.lastNotice.contains("the Tello is in the air"))
        bench.link.enter(.landed)
        bench.presenter?.look()
        #expect(bench.link.mode == .planning)
        await bench.end()
    }

    @Test func `a drone that was lost while the plan was asked about does not fly it`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.send(.fly)
        bench.link.change { $0.mode = .disconnected }
        bench.presenter?.handle(.confirm)
        await settle()
        #expect(bench.link.sent == [] && bench.lastNotice.contains("is not heard"))
        await bench.end()
    }

    @Test func `a plan with an error is shown with it, and not flown`() async {
        let bench = FlightPlanBench(["bad.txt": "takeoff\nforward 10\nup 400\nsideways 3\n"])
        await bench.open("bad.txt")
        #expect(!bench.shown.isOK && bench.shown.findings.contains { $0.line == 4 && $0.weight == .failure })
        #expect(bench.shown.steps.first { $0.line == 2 }?.finding == .failure)
        #expect(bench.lastNotice.hasSuffix("it cannot be flown as it is"))
        bench.send(.fly)
        #expect(bench.shown.confirmation == nil && bench.lastNotice.hasPrefix("the plan is not flown: line 2:"))
        await bench.end()
    }

    @Test func `the battery counts as it is now`() async {
        let bench = FlightPlanBench(["long.txt": "takeoff\nwait 400\nland\n"])
        await bench.open("long.txt")
        #expect(bench.shown.isOK)
        bench.link.change { $0.battery = 40 }
        bench.presenter?.look()
        #expect(!bench.shown.isOK && bench.shown.findings.contains { $0.text.contains("battery") })
        await bench.end()
    }

    // MARK: Files

    @Test func `a file that is none, or no plan, stays in the prompt with the reason`() async {
        let bench = FlightPlanBench(["notes.txt": (1...9).map { "thing \($0)" }.joined(separator: "\n")])
        await bench.open("missing.txt")
        #expect(bench.shown.prompt?.text == "missing.txt" && bench.shown.prompt?.note.isEmpty == false)
        await bench.open("notes.txt")
        #expect(bench.shown.prompt?.note.contains("this is no flight plan") == true && bench.shown.steps.isEmpty)
        await bench.end()
    }

    @Test func `a plan is written as a route, and made of that route again`() async {
        let bench = FlightPlanBench()
        await bench.open()
        await bench.take(.exportRoute, "route.csv")
        #expect(bench.files["route.csv"]?.contains("local_origin") == true, "\(bench.lastNotice)")
        await bench.take(.importRoute, "route.csv")
        #expect(bench.shown.name == "made of route.csv" && bench.document.hasUnsavedPlan)
        let moves = bench.shown.steps.map(\.text)
        #expect(moves.first == "takeoff" && moves.last == "land" && moves.filter { $0 == "forward 100" }.count == 2)
        await bench.take(.write, "again.txt")
        #expect(bench.files["again.txt"]?.contains("forward 100") == true && !bench.document.hasUnsavedPlan)
        await bench.end()
    }

    @Test func `a file that is there is replaced after a question only, a plan that no file has too`() async {
        let bench = FlightPlanBench(["square.txt": FlightPlanBench.square, "other.txt": "takeoff\nland\n"])
        await bench.open()
        await bench.take(.write, "other.txt")
        #expect(bench.shown.confirmation?.title == "Replace other.txt?")
        bench.send(.decline)
        #expect(bench.files["other.txt"] == "takeoff\nland\n" && bench.shown.prompt?.text == "other.txt")
        bench.send(.cancelPrompt)
        await bench.take(.write, "other.txt")
        bench.send(.confirm)
        await settle()
        #expect(bench.files["other.txt"]?.contains("cw 90") == true)

        await bench.take(.exportRoute, "route.csv")
        await bench.take(.importRoute, "route.csv")
        await bench.open()
        #expect(bench.shown.confirmation?.title == "Put square.txt in place of the present plan?")
        #expect(bench.shown.name == "made of route.csv")
        bench.send(.confirm)
        await settle()
        bench.presenter?.look()
        #expect(bench.shown.name == "square.txt")
        await bench.end()
    }

    @Test func `a plan with comments is not written over its file without a question`() async {
        let bench = FlightPlanBench(["square.txt": "# mine\n" + FlightPlanBench.square])
        await bench.open()
        await bench.take(.write, "square.txt")
        #expect(bench.shown.confirmation?.findings.first?.text == "What is in it is lost, comments too.")
        #expect(bench.files["square.txt"]?.hasPrefix("# mine") == true)
        bench.send(.confirm)
        await settle()
        // Now it is a file of this program.
        await bench.take(.write, "square.txt")
        #expect(bench.shown.confirmation == nil && bench.lastNotice == "the plan was written to square.txt")
        await bench.end()
    }

    @Test func `a plan with lines that were not read is no route`() async {
        let bench = FlightPlanBench(["bad.txt": "takeoff\nforward x\nland\n"])
        await bench.open("bad.txt")
        await bench.take(.exportRoute, "route.csv")
        #expect(bench.files["route.csv"] == nil && bench.lastNotice.contains("line 2"))
        await bench.end()
    }

    @Test func `another plan is not opened while one is flown`() async {
        let bench = FlightPlanBench()
        await bench.open()
        bench.send(.fly, .confirm)
        await bench.pass(.milliseconds(500))
        bench.send(.ask(.open))
        #expect(bench.shown.prompt == nil && bench.lastNotice.contains("a plan is flown"))
        await bench.end()
    }

    @Test func `the plan is kept while the mode is closed`() async {
        let document = FlightPlanDocument()
        let first = FlightPlanBench(document: document)
        await first.open()
        first.send(.move(2))
        await first.end()
        let second = FlightPlanBench(document: document)
        #expect(second.shown.name == "square.txt" && second.shown.moved == 2)
        await second.end()
    }

    @Test func `a path is completed`() async {
        let bench = FlightPlanBench()
        bench.send(.ask(.open), .complete("/nowhere-at-all/x"))
        #expect(await becomesTrue { bench.shown.prompt?.revision == 1 })
        #expect(bench.shown.prompt?.text == "/nowhere-at-all/x")
        await bench.end()
    }

    @Test func `a file without a single command is no plan`() async {
        let bench = FlightPlanBench(["notes.txt": "This is text.\nNothing here can be flown.\n", "typo.txt": "takof\n"])
        await bench.open("notes.txt")
        #expect(bench.shown.prompt?.note.contains("this is no flight plan") == true && bench.shown.name.isEmpty)
        bench.send(.cancelPrompt)
        // One word may be a mistake.
        await bench.open("typo.txt")
        #expect(bench.shown.findings.contains { $0.text.contains("takof") })
        await bench.end()
    }

    @Test func `a route is judged as by the command line: its frame, and a speed that is exceeded`() async {
        let table = "x,y,z,speed\n0,0,1,"
        let bench = FlightPlanBench(["fast.csv": table + "5\n2,0,1,5\n", "slow.csv": table + "0.2\n2,0,1,0.2\n"])
        await bench.take(.importRoute, "fast.csv")
        #expect(bench.shown.isOK, "a Tello is slower: \(bench.shown.findings)")
        #expect(bench.lastNotice.contains("fast.csv names no frame"))
        bench.document.wrote(to: "fast.txt")
        await bench.take(.importRoute, "slow.csv")
        #expect(!bench.shown.isOK && bench.lastNotice.contains("demands 0.20 m/s, and 0.40 m/s are flown: fly slower"))
        await bench.end()
    }
}
