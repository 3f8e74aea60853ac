import FlightControl
import GameController
import ModeKit
import ModeTestKit
import RobotMode
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
@Suite("Robot mode") struct RobotModeTests {
    @Test func `a held direction is told again and again, and its release stops`() {
        let bench = RobotModeBench()
        bench.send(.press(.forward))
        bench.tick()
        #expect(bench.asked == ["release", "forward 127", "forward 127"])
        bench.send(.press(.left))
        #expect(bench.asked == ["left 127"])
        bench.send(.release(.left))
        // The one that is still down.
        #expect(bench.asked == ["forward 127"])
        bench.send(.release(.forward))
        bench.tick()
        #expect(bench.asked == ["release"])
        bench.end()
    }

    @Test(arguments: [RobotIntent.lostFocus, .turn(1), .leave, .stop])
    func `whatever takes the keyboard away ends what is held`(_ intent: RobotIntent) {
        let bench = RobotModeBench()
        bench.send(.press(.forward))
        _ = bench.asked
        bench.send(intent)
        #expect(bench.asked == [intent == .stop ? "stop" : "release"])
        bench.tick()
        #expect(bench.asked == [])
        bench.end()
    }

    @Test(arguments: [StopCause.user, .suspended, .terminalSilent, .otherVehicle])
    func `the frame ends it, and so does leaving`(_ cause: StopCause) {
        let bench = RobotModeBench()
        bench.send(.press(.right))
        bench.instance.stopMotion(cause)
        #expect(bench.asked.last == "release")
        bench.send(.press(.right))
        _ = bench.asked
        bench.instance.detach()
        #expect(bench.asked == ["release"])
        bench.end()
    }

    @Test func `the functions, the speed and the stop send what the program understands`() {
        let bench = RobotModeBench(link: FakeRobotLink(RobotProgram(keys: [.f2: "go"], mostSpeed: 100)))
        bench.send(.function(.f1), .function(.f2))
        #expect(bench.asked == ["w", "go"])
        #expect(bench.view.shown.speed == 50)
        bench.send(.speed(1), .speed(-2), .speed(100), .speed(.min))
        #expect(bench.asked == ["<56>", "<44>", "<100>", "<4>"])
        bench.send(.stop)
        #expect(bench.asked == ["stop"])
        bench.end()
    }

    @Test func `what cannot be sent is said`() {
        let bench = RobotModeBench()
        bench.link.fail(LinkError(.notConnected, "it is unplugged"))
        bench.send(.stop)
        #expect(bench.stage.notices.last?.text == "it is unplugged" && bench.stage.notices.last?.weight == .error)
        bench.end()
    }

    @Test func `tasks are started, added, moved, deleted and restored, and kept while the mode is closed`() {
        let store = RobotStore()
        let link = FakeRobotLink()
        let bench = RobotModeBench(store: store, link: link)
        bench.send(.moveSelection(2), .start)
        #expect(bench.asked == ["task 2"])
        bench.send(.askTask, .answer(" Dance=  5 "), .moveTask(-1))
        #expect(bench.view.shown.tasks.map(\.text) == ["0", "1", "2", "3", "5", "4"] && bench.view.shown.selected == 4)
        #expect(bench.view.shown.tasks[4].name == "Dance")
        bench.send(.moveSelection(-10), .delete, .confirm, .moveTask(-1))
        #expect(bench.view.shown.tasks.map(\.text) == ["1", "2", "3", "5", "4"])
        bench.end()
        let again = RobotModeBench(store: store, link: link)
        #expect(again.view.shown.tasks.count == 5)
        again.send(.restoreTasks, .confirm)
        #expect(again.view.shown.tasks == RobotProgram.defaultTasks)
        again.end()
    }

    @Test(arguments: ["Dance", "=5", "Dance =", "Dance = ä", "Dance = 12345678901234567"])
    func `a task that cannot be one is refused with a reason, and the prompt stays`(_ line: String) {
        let bench = RobotModeBench()
        bench.send(.askTask, .answer(line))
        #expect(bench.view.shown.tasks.count == 5 && bench.view.shown.prompt?.note.isEmpty == false)
        bench.send(.answer("Dance = 5"))
        #expect(bench.view.shown.tasks.count == 6 && bench.view.shown.prompt == nil)
        bench.end()
    }

    @Test func `no task is deleted or replaced before that is confirmed`() {
        let bench = RobotModeBench()
        let other = FakeRobotLink()
        bench.send(.restoreTasks)
        #expect(bench.view.shown.confirmation == nil && bench.stage.notices.last?.weight == .information)
        bench.send(.moveSelection(1), .delete)
        #expect(bench.view.shown.tasks.count == 5)
        #expect(bench.view.shown.confirmation?.facts.first?.value == RobotProgram.defaultTasks[1].name)
        bench.send(.decline, .confirm)
        #expect(bench.view.shown.tasks.count == 5 && bench.view.shown.confirmation == nil)
        bench.send(.delete, .confirm, .askTask, .answer("Dance = 9"), .restoreTasks)
        #expect(bench.view.shown.tasks.count == 5)
        #expect(bench.view.shown.confirmation?.facts.map(\.value) == ["Dance = 9"])
        // What was asked about one vehicle is not done to another.
        bench.fleet.add(profile: VehicleProfile(name: "other"), link: other)
        bench.send(.confirm)
        #expect(bench.view.shown.confirmation == nil && bench.view.shown.tasks == RobotProgram.defaultTasks)
        bench.fleet.select(bench.fleet.vehicles[0].id)
        bench.send(.moveSelection(0))
        #expect(bench.view.shown.tasks.last?.name == "Dance")
        bench.end()
    }

    @Test func `a line of the console that was not sent is not taken as sent`() {
        let bench = RobotModeBench()
        bench.send(.send("a"))
        #expect(bench.view.shown.sentLines == 1)
        bench.send(.toggleHex, .send("3c 3"))
        #expect(bench.view.shown.sentLines == 1)
        bench.end()
    }

    @Test func `the console sends text as it is, or bytes, and shows lines with their times`() async {
        let bench = RobotModeBench()
        let begin = bench.timeSource.clock.now
        bench.link.add(.status, "ready", at: begin)
        bench.link.add(.received, "hi\u{1B}[2J", at: begin + .milliseconds(1250))
        bench.send(.send("a b "))
        #expect(bench.asked == ["a b "])
        let lines = bench.view.shown.lines
        #expect(lines.map(\.time) == ["0.00", "1.25"] && lines.last?.text == "hi␛[2J")
        bench.send(.toggleHex, .send("3c 31 3e"), .send("3c 3"))
        #expect(bench.asked == ["<1>"] && bench.stage.notices.last?.weight == .error)
        #expect(bench.view.shown.lines.map(\.text) == ["ready", "68 69 1b 5b 32 4a"])
        bench.send(.save)
        #expect(await bench.timeSource.fake.run { bench.files["uavlink-robot-1.log"] != nil })
        #expect(bench.files["uavlink-robot-1.log"] == "0.00  *  ready\n1.25  <  68 69 1b 5b 32 4a\n")
        bench.end()
    }

    @Test func `a controller drives from its middle only, and B stops`() {
        let bench = RobotModeBench()
        bench.pads.set { $0.leftY = 1 }
        bench.send(.toggleController)
        bench.tick()
        bench.tick()
        #expect(bench.asked == [])
        bench.pads.set { $0.leftY = 0 }
        bench.tick()
        bench.pads.set { $0.leftX = -0.9 }
        bench.tick()
        #expect(bench.asked == ["release", "left 127"])
        bench.pads.set {
            $0.presses[.b] = 1
            $0.presses[.a] = 1
        }
        bench.tick()
        #expect(bench.asked == ["stop"])
        bench.pads.set { $0.presses[.a] = 2 }
        bench.tick()
        #expect(bench.asked == ["w"])
        bench.end()
        #expect(bench.pads.isClosed)
    }

    @Test func `a task that is started is not ended by a stick that is still deflected`() {
        let bench = RobotModeBench()
        bench.send(.toggleController)
        bench.pads.set { $0.leftY = 0 }
        bench.tick()
        bench.tick()
        bench.pads.set { $0.leftY = 1 }
        bench.tick()
        _ = bench.asked
        bench.send(.moveSelection(2), .start)
        bench.tick()
        #expect(bench.asked == ["task 2"])
        bench.end()
    }

    @Test func `a stop for another robot ends what this one is driven by too`() {
        let bench = RobotModeBench()
        let other = FakeRobotLink()
        bench.send(.press(.forward))
        _ = bench.asked
        bench.fleet.add(profile: VehicleProfile(name: "other"), link: other)
        bench.send(.stop)
        #expect(bench.asked == ["release"] && other.takeAsked() == ["stop"])
        bench.end()
    }

    @Test func `a vehicle that is not driven by text says so`() {
        let timeSource = FakeTimeSource()
        let view = FakeRobotView()
        let builder = RobotBuilder(
            .init(
                fleet: .withFake(FakeLink(), timeSource: timeSource), store: RobotStore(), files: MemoryFiles(),
                makeGamepads: { FakePads() }, timeSource: timeSource))
        let instance = builder.build(on: FakeStage()) { _ in view }
        #expect(view.shown.obstacle == "MRS vehicle is not driven by text")
        instance.detach()
    }

    @Test func `a detached mode is deallocated`() {
        let bench = RobotModeBench()
        #expect(bench.presenter != nil)
        bench.end()
        #expect(bench.presenter == nil)
    }
}

@Suite("Robot mode: held keys") struct RobotHoldTests {
    private let now = MonotonicTime(nanoseconds: 1_000_000_000)

    @Test func `without releases a press holds for a moment, and repetitions go on`() {
        var hold = RobotHold()
        hold.press(.forward, now: now)
        #expect(hold.reading(now: now + .milliseconds(299)) == .forward)
        #expect(hold.reading(now: now + .milliseconds(300)) == nil)
        hold.repeats(.forward, now: now + .milliseconds(250))
        #expect(hold.reading(now: now + .milliseconds(549)) == .forward)
    }

    @Test func `with releases it holds until its own, or until its repetitions fall silent`() {
        var hold = RobotHold()
        hold.reportsReleases = true
        hold.press(.forward, now: now)
        #expect(hold.reading(now: now + .seconds(60)) == .forward)
        hold.repeats(.forward, now: now + .seconds(60))
        #expect(hold.reading(now: now + .milliseconds(60_699)) == .forward)
        #expect(hold.reading(now: now + .milliseconds(60_700)) == nil)
        // One that fell silent moves by a new press only.
        hold.repeats(.forward, now: now + .seconds(61))
        #expect(hold.reading(now: now + .seconds(61)) == nil)
        hold.press(.forward, now: now + .seconds(62))
        #expect(hold.reading(now: now + .seconds(62)) == .forward)
        hold.release(.forward)
        #expect(hold.reading(now: now + .seconds(62)) == nil)
    }
}
