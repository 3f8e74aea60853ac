import Testing

@testable import FlightPlans
@testable import Tello

/// The file of a flight plan: what is read, and what is said of what cannot be.
@Suite("Flight plan files") struct PlanReaderTests {
    private func problems(_ text: String) -> [String] { PlanReader.read(Array(text.utf8)).problems.map(\.description) }

    @Test func `a plan is read with its comments, blank lines, bounds and pads`() {
        let (plan, problems) = PlanReader.read(
            Array(
                "# a square\r\nceiling 200\nfloor 40\n\npad m1 200 -30\nTAKEOFF // up\n forward 100\ncw\t90\nwait 2.5\nland"
                    .utf8))
        #expect(problems == [])
        #expect(plan.ceiling == 200 && plan.floor == 40 && plan.pads == [1: .init(x: 200, y: -30)])
        #expect(
            plan.steps == [
                .init(.send(.takeoff), line: 6), .init(.send(.move(.forward, centimetres: 100)), line: 7),
                .init(.send(.turn(clockwise: true, degrees: 90)), line: 8), .init(.wait(seconds: 2.5), line: 9),
                .init(.send(.land), line: 10),
            ])
    }

    @Test(arguments: [
        ("go 50 -60 70 40", TelloCommand.go(x: 50, y: -60, z: 70, speed: 40)),
        ("go 50 -60 70 40 m3", .goOverPad(TelloPoint(50, -60, 70), speed: 40, pad: TelloPad(3))),
        (
            "curve 50 50 0 100 0 0 30",
            .curve(TelloArc(through: TelloPoint(50, 50, 0), end: TelloPoint(100, 0, 0)), speed: 30, pad: nil)
        ),
        (
            "curve 50 50 90 100 0 90 30 m8",
            .curve(TelloArc(through: TelloPoint(50, 50, 90), end: TelloPoint(100, 0, 90)), speed: 30, pad: TelloPad(8))
        ),
        (
            "jump 100 0 80 50 90 m1 m2",
            .jump(TelloPoint(100, 0, 80), speed: 50, yaw: 90, from: TelloPad(1), to: TelloPad(2))
        ),
        ("flip b", .flip(.back)), ("speed 60", .speed(60)), ("mon", .padDetection(true)),
        ("moff", .padDetection(false)),
        ("setfps middle", .setting(.frameRate(.middle))), ("setbitrate 5", .setting(.bitrate(5))),
        ("setresolution low", .setting(.resolution(isHigh: false))),
        ("downvision 1", .setting(.downwardCamera(true))),
        ("EXT led 255 0 9", .setting(.light(red: 255, green: 0, blue: 9))),
        ("mdirection 2", .padDirection(2)), ("stop", .stop), ("ccw 45", .turn(clockwise: false, degrees: 45)),
    ])
    func `each command of the protocol is read, and written as it was read`(_ line: String, _ command: TelloCommand) {
        let (plan, problems) = PlanReader.read(Array(line.utf8))
        #expect(problems == [] && plan.steps == [.init(.send(command), line: 1)])
        #expect(plan.steps.first?.action.text == line)
    }

    @Test(arguments: [
        ("takeoff\nfly 10", "line 2: unknown command 'fly'"), ("forward", "line 1: 'forward' lacks a number"),
        ("forward 1e3", "line 1: '1e3' is no whole number of up to 5 digits"),
        ("forward 99999999999999999999999", "line 1: '99999999999999999999999' is no whole number"),
        ("cw 90 90", "line 1: '90' is too much for 'cw'"), ("wait 0", "line 1: a wait of 0 s is outside 0.1 to 600"),
        ("wait -1", "line 1: '-1' is no number of seconds"), ("wait nan", "line 1: 'nan' is no number of seconds"),
        ("flip up", "line 1: 'up' is no side"), ("go 50 0 0 50 m9", "line 1: 'm9' is no mission pad"),
        ("emergency", "line 1: 'emergency' is not for plans"), ("setfps 30", "line 1: '30' is no rate"),
        ("downvision on", "line 1: 'on' is no setting"), ("setresolution", "line 1: 'setresolution' lacks high or low"),
        ("EXT mled sc", "line 1: 'mled' is no part of the expansion"),
        ("floor 10", "line 1: the height of 10 cm is outside 20 to 3000"),
        ("floor 200\nceiling 200", "the floor of 200 cm is not below the ceiling of 200 cm"),
        ("pad m-1 0 0", "line 1: 'm-1' is no pad that has one place"),
        ("vorwärts 1", "line 1: characters other than ASCII"),
    ])
    func `what cannot be read is named with its line`(_ text: String, _ problem: String) {
        let found = problems(text)
        #expect(found.count == 1 && found.first?.hasPrefix(problem) == true, "\(found)")
    }

    @Test func `a file is bounded: bytes, commands and problems`() {
        #expect(
            problems(String(repeating: " ", count: PlanReader.mostBytes + 1)).first?.contains("no flight plan") == true)
        #expect(problems(String(repeating: " ", count: PlanReader.mostBytes)) == [])
        let most = String(repeating: "cw 1\n", count: FlightPlan.mostSteps)
        #expect(PlanReader.read(Array(most.utf8)).plan.steps.count == FlightPlan.mostSteps)
        #expect(problems(most + "cw 1\n") == ["line 1001: a plan has no more than 1000 commands"])
        #expect(problems(String(repeating: "forward\n", count: 1000)).count == PlanReader.mostProblems)
        #expect(
            problems(most + "floor 200\nceiling 200\n").count == 1, "what comes after too many commands is not read")
        #expect(
            problems("floor 200\nceiling 200\n" + String(repeating: "forward\n", count: 1000)).count
                == PlanReader.mostProblems)
    }

    @Test(arguments: [
        (
            "x,y,z\n" + String(repeating: "1,2,3\n", count: 2000),
            "this is no flight plan: 2001 of its 2001 lines begin with no command, the first is line 1"
        ),
        (
            "# a poem\ntakeoff\nöde\nof\nmany\nlines\nwithout\nland\n",
            "this is no flight plan: 5 of its 7 lines begin with no command, the first is line 3"
        ),
        ("takeoff\0\nland\n", "this is no flight plan: it is not ASCII text, it has NUL bytes"),
    ])
    func `a file of something else is one problem`(text: String, problem: String) {
        let (plan, found) = PlanReader.read(Array(text.utf8))
        #expect(found.map(\.description) == [problem] && plan == FlightPlan())
        let check = PlanCheck(plan, found: found)
        #expect(check.problems == found && !check.isOK && check.isOfOtherFile)
    }

    @Test func `mistakes in a plan are named one by one`() {
        // As many lines without a command as with one, and four without any.
        #expect(problems("takeoff\nup\nup 20\nup 20\nland\na\nb\nc\nd\ne\n").count == 6)
        #expect(problems("a\nb\nc\nd\n").count == 4)
        #expect(!PlanCheck(FlightPlan(), found: []).isOfOtherFile)
    }

    @Test func `what a plan is written as is read as the same plan`() {
        let text = "ceiling 250\npad m2 10 -20\ntakeoff\nmon\ngo 0 0 80 50 m2\nwait 1.5\nwait 2\nland\n"
        let plan = PlanReader.read(Array(text.utf8)).plan
        let again = PlanReader.read(Array(plan.text.utf8))
        #expect(again.problems == [] && again.plan.steps.map(\.action) == plan.steps.map(\.action))
        #expect(again.plan.ceiling == 250 && again.plan.pads == plan.pads)
    }
}
