@testable import LatencyLabMode
@testable import MapTrajectoryMode
import MenuMode
import ModeKit
import Testing
import TextScreen

/// What is cut in its line can be read elsewhere.
@MainActor
@Suite("Text that does not fit its line")
struct CutTextTests {
    @Test func `the selected line of the latency set-up is shown whole below`() {
        var setup = LatencySetup()
        let detail = "rosservice in a new exec channel of a warm SSH session for each command and setpoint"
        setup.lines = [
            .init(section: "Links", isChosen: true, title: "ssh", detail: detail),
            .init(section: "Network", isChosen: true, title: "none", detail: "unchanged"),
        ]
        func lines() -> String {
            var canvas = Canvas(ScreenSize(rows: 22, columns: 80))
            _ = LatencySetupDrawing.draw(setup, on: &canvas, in: canvas.area)
            return canvas.lines.map { $0.filter { $0 != "│" }.split(separator: " ").joined(separator: " ") }
                .joined(separator: " ")
        }
        #expect(lines().contains("ssh: \(detail)"), "\(lines())")
        setup.selected = 1
        #expect(!lines().contains("none: unchanged"))
    }

    @Test func `the meaning of a table is continued below its title`() {
        let meaning = "ms, from the scheduled instant to the ROS message leaving on the vehicle"
        let section = LatencyTableSection(title: "steering", meaning: meaning, columns: [])
        let wide = LatencyResultsDrawing.heading(section, columns: 100)
        #expect(wide.map { $0.map(\.text).joined() } == ["steering  \(meaning)"])
        let narrow = LatencyResultsDrawing.heading(section, columns: 76).map { $0.map(\.text).joined() }
        #expect(narrow.count == 2 && narrow.allSatisfy { $0.cells <= 76 && !$0.contains("…") })
        #expect(narrow[1].hasPrefix("          "))
    }

    @Test func `a long condition is cut above a chart, and not what its axes are`() {
        let condition = "condition 5 of 5: delay=40ms,jitter=10ms,loss=5%,reorder=1%,duplicate=1%,rate=2mbit"
        let axes = "   steering: ms over time"
        let head = LatencyResultsDrawing.head(condition, axes, columns: 76)
        #expect(head.cells <= 76 && head.hasSuffix(axes) && head.contains("…"))
        #expect(LatencyResultsDrawing.head("condition: none", axes, columns: 76) == "condition: none\(axes)")
    }

    @Test func `the line about the world leaves out words that it can do without, and says what it is about`() {
        let line = "world: origin from vehicle, zone 32N, safety area with 2 obstacles"
        #expect(MapTrajectoryScreen.fitted(line, to: 80) == line)
        #expect(MapTrajectoryScreen.fitted(line, to: 60) == "world: vehicle, zone 32N, safety area with 2 obstacles")
    }

    @Test func `where the map has no panel, the help has what its lines are too short for`() {
        let screen = MapTrajectoryScreen { _ in }
        screen.show(MapSamples.failed)
        screen.resize(to: ScreenArea(row: 2, rows: 8, columns: 40))
        let details = screen.details
        #expect(details.contains { $0.keys == "✗" && $0.action.hasPrefix("point 2: the way leaves the safety area") })
        #expect(details.contains(KeyHelp("world", MapSamples.failed.sessionLine)))
        #expect(details.contains { $0.keys == "z" })
        screen.resize(to: ScreenArea(row: 2, rows: 20, columns: 80))
        #expect(screen.details.isEmpty)
    }

    @Test func `the menu's advice is whole on a small terminal`() {
        let screen = MenuScreen { _ in }
        var state = MenuScreenState()
        state.items = [
            MenuItem(.joystick, title: "Joystick", explanation: "manual flight: keyboard or game controller"),
            MenuItem(.telemetry, title: "Telemetry", explanation: "telemetry values, trail and rates"),
            MenuItem(.terminal, title: "Terminal", explanation: "a shell on the vehicle's computer"),
        ]
        state.advice = "to fly: press 1 for the joystick, then t to take off"
        screen.show(state)
        for rows in [7, 8, 9, 12] {
            var canvas = Canvas(ScreenSize(rows: rows, columns: 40))
            screen.resize(to: canvas.area)
            screen.draw(on: &canvas, in: canvas.area)
            #expect(canvas.lines.contains { $0.contains("press 1 for the joystick") }, "\(canvas.lines)")
            #expect(canvas.lines.contains { $0.contains("take off") }, "\(canvas.lines)")
            #expect(canvas.lines.contains { $0.contains("Telemetry") }, "\(canvas.lines)")
        }
        // 12 lines have 8 for it.
        var canvas = Canvas(ScreenSize(rows: 8, columns: 40))
        screen.draw(on: &canvas, in: canvas.area)
        let text = canvas.lines.joined(separator: " ").filter { $0 != "│" }.split(separator: " ").joined(separator: " ")
        #expect(text.contains("manual flight: keyboard or game controller"), "\(canvas.lines)")
    }
}
