import Testing
import UAVLink

@testable import FlightPlans
@testable import Tello

/// What makes a plan one that is not flown, and where the drone would be.
@Suite("Checks of flight plans") struct PlanCheckTests {
    private func plan(_ lines: String...) -> FlightPlan {
        PlanReader.read(Array(lines.joined(separator: "\n").utf8)).plan
    }

    private func problems(_ plan: FlightPlan, _ version: TelloVersion? = nil, battery: Double = 100) -> [String] {
        PlanCheck(plan, for: version, battery: battery).problems.map(\.description)
    }

    private func isNear(_ place: Vector3?, _ x: Double, _ y: Double, _ z: Double) -> Bool {
        place.map { ($0 - Vector3(x: x, y: y, z: z)).length < 0.001 } ?? false
    }

    @Test func `a square ends where it began, at the times that its moves take`() {
        let square = plan(
            "takeoff", "forward 100", "cw 90", "forward 100", "cw 90", "forward 100", "cw 90", "forward 100", "land")
        let check = PlanCheck(square)
        #expect(check.isOK && check.problems == [], "\(check.problems)")
        let places = check.run.moments.map(\.place)
        #expect(isNear(places[1], 1, 0, 0.8) && isNear(places[3], 1, -1, 0.8) && isNear(places[5], 0, -1, 0.8))
        #expect(isNear(places[8], 0, 0, 0))
        // 5 s up, four times 2.5 + 1 s, three quarters of a turn in 1 + 1 s each, and down from up to 1 m.
        #expect(abs(check.seconds - (5 + 14 + 6 + 3.5)) < 0.001)
        #expect(check.needs == .sdk13)
    }

    @Test func `the body's axes turn with the nose`() {
        let run = DryRun(plan("takeoff", "ccw 90", "go 100 50 20 50", "right 100", "land"))
        #expect(isNear(run.moments[2].place, -0.5, 1, 1) && isNear(run.moments[3].place, 0.5, 1, 1))
    }

    @Test func `an arc ends at its end, and goes through its place on the way`() throws {
        // Half a circle of 1 m to the left.
        let run = DryRun(plan("takeoff", "curve 100 100 0 0 200 0 50", "land"))
        #expect(isNear(run.moments[1].place, 0, 2, 0.8))
        let nearest = run.moments[1].path.map { ($0 - Vector3(x: 1, y: 1, z: 0.8)).length }.min() ?? 9
        #expect(nearest < 0.001)
        #expect(abs(run.moments[1].takes - (Double.pi / 0.5 + 1)) < 0.02)
        // The long way round: through a place behind it.
        let long = DryRun(plan("takeoff", "curve 100 100 0 100 -100 0 50", "land"))
        let longest = long.moments[1].path.map(\.x).max() ?? 0
        #expect(longest > 1.9, "the far side of the circle")
        #expect(isNear(long.moments[1].place, 1, -1, 0.8))
    }

    @Test(arguments: [
        ("forward 100\nland", "line 1: the first command must be 'takeoff'"),
        ("takeoff\nforward 100", "line 2: the last command must be 'land'"),
        ("takeoff\ntakeoff\nland", "line 2: a second 'takeoff': a plan is one flight"),
        ("takeoff\nland\nland", "line 2: 'land' before the end: a plan is one flight"),
        ("takeoff\nforward 19\nland", "line 2: a move of 19 cm is outside the Tello's 20 to 500"),
        ("takeoff\ncw 361\nland", "line 2: a turn of 361 degrees is outside the Tello's 1 to 360"),
        ("takeoff\ndown 30\nland", "line 2: may come down to 0.2 m, below the floor of 0.3 m"),
        ("takeoff\nup 201\nland", "line 2: may rise to 3.0 m, above the ceiling of 3.0 m"),
        ("takeoff\nspeed 10\nforward 200\nland", "line 3: takes about 21.0 s: the Tello gives up a move after 15 s"),
        ("takeoff\ngo 50 0 100 50 m1\nland", "line 2: mission pads are not looked for: 'mon' is needed before"),
        ("takeoff\nmdirection 1\nland", "line 2: 'mdirection' needs 'mon' before"),
        ("takeoff\nmon\ngo 50 0 501 50 m1\nland", "line 3: z of 501 cm is outside the Tello's 0 to 500 over a pad"),
        ("takeoff\ncurve 50 0 0 100 0 0 30\nland", "line 2: the places of the arc lie in a line"),
        (
            "takeoff\ncurve 30 5 0 60 0 0 61\nland",
            "line 2: the speed of 61 cm/s is outside the Tello's 10 to 60 of an arc"
        ),
        (
            "takeoff\ncurve 30 30 0 60 0 0 30\nland",
            "line 2: the arc's radius of 0.3 m is outside the Tello's 0.5 to 10 m"
        ),
    ])
    func `a plan that cannot be flown says in which line and why`(_ text: String, _ problem: String) {
        let found = problems(plan(text))
        #expect(found.contains { $0.hasPrefix(problem) }, "\(found)")
        #expect(!PlanCheck(plan(text)).isOK)
    }

    @Test func `no number of warnings hides an error`() {
        var lines = ["pad m1 400 0", "mon", "takeoff"]
        for _ in 0..<60 { lines += ["go 0 0 100 50 m1", "back 400"] }
        lines += ["up 500", "land"]
        let check = PlanCheck(PlanReader.read(Array(lines.joined(separator: "\n").utf8)).plan)
        #expect(check.problems.count(where: \.isWarning) == PlanReader.mostProblems)
        #expect(!check.isOK && check.problems.contains { $0.what.contains("above the ceiling") }, "\(check.problems)")
    }

    @Test func `an arc over a pad may not touch the floor on its way`() {
        let low = plan("mon", "takeoff", "curve 100 0 0 200 0 100 30 m1", "land")
        #expect(problems(low).contains { $0.hasPrefix("line 3: may come down to 0.0 m, below the floor") })
    }

    @Test func `height bounds hold at the limit, and on the way of an arc`() {
        #expect(problems(plan("takeoff", "up 200", "land")) == [])
        #expect(problems(plan("takeoff", "down 20", "land")) == [])
        // Its end is as high as its beginning, its middle is 1 m higher.
        let arc = plan("ceiling 180", "takeoff", "curve 100 0 100 200 0 0 50", "land")
        #expect(problems(arc).contains { $0.hasPrefix("line 3: may rise to 2.0 m, above the ceiling of 1.8 m") })
    }

    @Test(arguments: ["speed 0", "speed -5"]) func `a speed of nothing takes no endless time`(_ line: String) {
        let check = PlanCheck(plan("takeoff", line, "forward 100", "go 50 0 0 0", "curve 50 50 0 100 0 0 0", "land"))
        #expect(check.seconds.isFinite && check.battery.isFinite)
        #expect(check.problems.contains { $0.line == 2 && $0.what.contains("outside the Tello's 10 to 100") })
    }

    @Test func `the battery must last, and a flip needs half of it`() {
        let waiting = plan("takeoff", "wait 600", "land")
        #expect(problems(waiting) == [])
        #expect(problems(waiting, battery: 90).contains { $0.contains("15.0 % must be left") })
        let flip = plan("takeoff", "flip f", "land")
        #expect(problems(flip, battery: 60) == [])
        #expect(problems(flip, battery: 50).contains { $0.hasPrefix("line 2: a flip needs a battery of 50 %") })
    }

    @Test func `the edition that is needed is the first that knows every command`() {
        #expect(PlanCheck(plan("takeoff", "flip l", "land")).needs == .sdk13)
        #expect(PlanCheck(plan("takeoff", "go 100 -50 0 50", "land")).needs == .sdk20)
        #expect(PlanCheck(plan("mon", "takeoff", "go 0 0 80 50 m-2", "land")).needs == .sdk30)
        #expect(problems(plan("takeoff", "stop", "land"), .sdk13) == ["line 2: the Tello's SDK 1.3 has no 'stop'"])
    }

    @Test func `a pad whose place is known gives the place, and another one takes it away`() {
        let known = DryRun(plan("pad m1 200 0", "mon", "takeoff", "forward 200", "go 50 -20 120 50 m1", "land"))
        #expect(isNear(known.moments[3].place, 2.5, -0.2, 1.2))
        #expect(known.moments[3].heights == .init(least: 1.2, most: 1.2))
        let unknown = DryRun(plan("mon", "takeoff", "go 50 -20 120 50 m1", "forward 50", "land"))
        #expect(unknown.moments[2].place == nil && unknown.moments[3].place == nil)
        let far = PlanCheck(plan("pad m1 200 0", "mon", "takeoff", "go 50 0 120 50 m1", "land"))
        #expect(
            far.isOK
                && far.problems.map(\.description) == [
                    "line 4: warning: m1 lies 2.0 m beside the drone: it may not be seen"
                ])
    }

    @Test func `the drawing shows where it takes off, flies and ends`() {
        let lines = PlanDrawing(DryRun(plan("takeoff", "forward 200", "right 200", "land")), columns: 21, rows: 11)
            .lines
        #expect(lines.first?.first == "." && lines.first?.last == "E")
        #expect(lines.dropLast().last == "S", "\(lines)")
        #expect(lines.last?.contains("10.0 cm") == true)
    }
}
