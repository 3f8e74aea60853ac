import FlightPlans
import ModeKit
import Tello
import Testing
import TextScreen
import UAVLink
import UAVTestKit

@testable import FlightPlanMode

/// What the screen shows in each size, and its keys.
@MainActor
@Suite("Flight plan screen") struct FlightPlanScreenTests {
    private static let plan = """
        ceiling 200
        pad m1 150 -50
        mon
        takeoff
        forward 150
        cw 90
        curve 50 50 0 100 0 0 40
        go 0 0 100 50 m1
        land
        """

    private func shown(_ text: String = Self.plan, moved: Int = 4) async -> FlightPlanScreenState {
        let bench = FlightPlanBench(["arc.txt": text])
        await bench.open("arc.txt")
        bench.send(.move(moved))
        let state = bench.shown
        await bench.end()
        return state
    }

    private func lines(_ state: FlightPlanScreenState, rows: Int, columns: Int) -> [String] {
        let screen = FlightPlanScreen(send: { _ in })
        var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
        screen.resize(to: canvas.area)
        screen.show(state)
        screen.draw(on: &canvas, in: canvas.area)
        return canvas.lines
    }

    private func text(_ state: FlightPlanScreenState, rows: Int = 24, columns: Int = 80) -> String {
        lines(state, rows: rows, columns: columns).joined(separator: "\n")
    }

    private nonisolated static let sizes = [(15, 60), (24, 80), (40, 120)]

    @Test(arguments: sizes)
    func `state, list, map and place are shown whole in each size`(_ rows: Int, _ columns: Int) async {
        let text = text(await shown(), rows: rows, columns: columns)
        let parts = [
            "● Planning → Command, Manual", "7 commands, 22 s, 3 % of the battery, SDK 2.0 or newer", "6 cw 90",
            "line 6, 11.8 s: 1.50 m ahead, 0.00 left, 0.80 up, -90°", "S", "E", "→", "├",
        ]
        for part in parts { #expect(text.contains(part), "\(part) in\n\(text)") }
        // The table has a place of its own on a large screen only.
        #expect(text.contains("it takes off → Manual") == (columns == 120), "\(text)")
    }

    @Test(arguments: sizes)
    func `the table has all six states, the present one marked, with all that follow it`(
        _ rows: Int, _ columns: Int
    ) async {
        var state = await shown()
        state.panel = .states
        for mode in TelloMode.allCases {
            state.states = PilotStates(mode)
            let lines = lines(state, rows: rows, columns: columns)
            let text = lines.joined(separator: "\n")
            for other in TelloMode.allCases {
                #expect(text.contains("\(other == mode ? "●" : " ") \(other.title)"), "\(other) in\n\(text)")
            }
            // Besides the line at the top.
            let table = lines.dropFirst(3).joined(separator: "\n")
            for next in PilotStates(mode).next { #expect(table.contains(next), "\(mode) → \(next) in\n\(text)") }
        }
    }

    @Test(arguments: sizes)
    func `findings are marked in the list, and the first one is said`(_ rows: Int, _ columns: Int) async {
        let state = await shown("takeoff\nforward 10\nup 400\nsideways 3\nland\n", moved: 0)
        let text = text(state, rows: rows, columns: columns)
        #expect(text.contains("cannot be flown: 4 commands") && text.contains("✗    2 forward 10"), "\(text)")
        #expect(text.contains("✗ line 2: a move of 10 cm"), "\(text)")
        let screen = FlightPlanScreen(send: { _ in })
        screen.show(state)
        #expect(screen.details.contains { $0.action.hasPrefix("line 4: unknown command 'sideways'") })
        #expect(screen.details.contains { $0.keys == "Command" && $0.action.contains("a plan is flown → AutoPilot") })
    }

    @Test func `without a plan it says how to get one, and shows the states`() {
        var state = FlightPlanScreenState()
        state.states = PilotStates(.wifiUp)
        let text = text(state)
        #expect(text.contains("no plan is open") && text.contains("o opens a flight plan"), "\(text)")
        #expect(text.contains("● WiFiUp       → Command, Disconnected"), "\(text)")
    }

    @Test func `a flight is said instead of the summary, and its step is marked`() async {
        var state = await shown()
        state.flight = PlanFlightLine(.paused, "hovers before 5 of 7, line 7: curve 50 50 0 100 0 0 40", step: 4)
        let text = text(state)
        #expect(text.contains("the plan hovers before 5 of 7, line 7"), "\(text)")
        #expect(text.contains("▶     7 curve"), "\(text)")
    }

    @Test func `a vehicle without flight plans is named`() {
        var state = FlightPlanScreenState()
        state.obstacle = "MRS vehicle has no flight plans"
        let screen = FlightPlanScreen(send: { _ in })
        screen.show(state)
        #expect(text(state).contains("MRS vehicle has no flight plans"))
        #expect(screen.keys == [KeyHelp("Esc", "back")])
    }

    @Test(arguments: [(1, 1), (2, 5), (4, 20), (10, 40), (50, 200)], [FlightPlanPanel.map, .states])
    func `it is drawn in any size`(_ size: (rows: Int, columns: Int), _ panel: FlightPlanPanel) async {
        var state = await shown("takeoff\nforward 10\n", moved: 1)
        state.panel = panel
        #expect(lines(state, rows: size.rows, columns: size.columns).count == size.rows)
    }

    // MARK: Keys

    private func intents(_ keys: [KeyEvent]) -> [FlightPlanIntent] {
        var sent: [FlightPlanIntent] = []
        let screen = FlightPlanScreen(send: { sent.append($0) })
        for key in keys { _ = screen.handle(.key(key)) }
        return sent
    }

    @Test func `the keys`() {
        let letters = "owiernpxl".map { KeyEvent(.character($0), text: String($0)) }
        #expect(
            intents(letters) == [
                .ask(.open), .ask(.write), .ask(.importRoute), .ask(.exportRoute), .fly, .nextStep, .pause, .stop,
                .land,
            ])
        #expect(
            intents([.up, .down, .pageUp, .pageDown, .home, .end, .tab, .escape].map { KeyEvent($0) }) == [
                .move(-1), .move(1), .move(-10), .move(10), .toStart, .toEnd, .nextPanel, .leave,
            ])
        // Space belongs to the frame, which hovers.
        #expect(intents([KeyEvent(.character(" "), text: " ")]).isEmpty)
    }

    @Test func `a key that is held flies nothing`() {
        var key = KeyEvent(.character("n"), text: "n")
        key.phase = .repeating
        #expect(intents([key]).isEmpty)
    }

    @Test func `the keys that are offered are those that act`() async {
        let screen = FlightPlanScreen(send: { _ in })
        var state = await shown()
        screen.show(state)
        #expect(screen.keys.contains(KeyHelp("r", "fly")) && !screen.keys.map(\.keys).contains("p"))
        state.flight = PlanFlightLine(.flying, "flies 1 of 7", step: 0)
        screen.show(state)
        let keys = screen.keys.map(\.keys)
        #expect(keys.first == "Space" && keys.contains("p") && !keys.contains("o") && !keys.contains("r"))
    }

    @Test func `what would be refused, and a panel that is shown already, has no key`() async {
        let screen = FlightPlanScreen(send: { _ in })
        var state = await shown()
        state.states = PilotStates(.manual)
        (state.canFly, state.canLand, state.flightObstacle) = (false, true, "the Tello is in the air")
        screen.show(state)
        #expect(screen.refusedKeys.map(\.help.keys) == ["r", "n"])
        let flying = screen.keys.map(\.keys)
        #expect(flying.first == "l" && !flying.contains("r") && !flying.contains("n") && flying.contains("Tab"))
        (state.canFly, state.canLand, state.flightObstacle) = (true, false, nil)
        screen.show(state)
        #expect(screen.keys.map(\.keys).prefix(2) == ["r", "n"] && !screen.keys.contains { $0.keys == "l" })
        var empty = FlightPlanScreenState()
        empty.states = PilotStates(.command)
        screen.show(empty)
        #expect(screen.keys.map(\.keys) == ["o", "i", "Esc"], "\(screen.keys)")
        // One key pauses: the step is flown to its end.
        state.flight = PlanFlightLine(.flying, "flies 1 of 7", step: 0)
        screen.show(state)
        #expect(screen.keys.map(\.keys).prefix(4) == ["Space", "p", "x", "l"])
        #expect(!screen.keys.contains { $0.keys == "n" })
    }

    @Test func `findings that are cut say where they stand whole, and a flown plan is said to be one`() async {
        var state = await shown("takeoff\nforward 10\nup 5\nsideways 3\nflip l\nback 10\nleft 3\n")
        #expect(text(state).contains("all: F1"))
        state = await shown("takeoff\nforward 10\nland\n")
        #expect(!text(state).contains("all: F1") && text(state).contains("From above, not flown"))
        state.flight = PlanFlightLine(.flying, "flies 1 of 7", step: 0)
        #expect(text(state).contains("From above, as planned"))
    }
}
