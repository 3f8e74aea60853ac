@testable import TelemetryMode
import ModeKit
import Testing
import TextScreen

@MainActor
@Suite("Topics on the telemetry screen")
struct TelemetryTopicScreenTests {
    private static let reason = "no topic '/uav1/imo' is published; Tab completes the name of a published one"

    private func lines(_ state: TelemetryScreenState, rows: Int, columns: Int) -> [String] {
        let screen = TelemetryScreen { _ in }
        screen.show(state)
        var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        return canvas.lines
    }

    /// The words between the frames, in their order.
    private func words(_ lines: [String]) -> String {
        lines.joined(separator: " ").split { " │┌┐└┘─".contains($0) }.joined(separator: " ")
    }

    @Test(arguments: [(8, 40), (11, 60), (20, 80)])
    func `the reason why a topic does not come is wrapped in its panel`(_ rows: Int, _ columns: Int) {
        var state = TelemetrySamples.nothing
        state.topics = [
            TelemetryTopic(name: "/uav1/lidar/points", status: Self.reason, mark: .danger),
            TelemetryTopic(name: "/tf", status: "not published", mark: .unknown),
        ]
        (state.focus, state.isEnlarged) = (.topics, true)
        let shown = words(lines(state, rows: rows, columns: columns))
        #expect(shown.contains("/uav1/lidar/points \(Self.reason) /tf not published"), "\(shown)")
    }

    @Test(arguments: [(8, 40), (11, 60), (20, 80)])
    func `a refusal in the prompt is whole, and the keys stay visible`(_ rows: Int, _ columns: Int) {
        var state = TelemetrySamples.nothing
        var prompt = TopicPrompt()
        prompt.suggestions = (0..<8).map { "/uav1/imu\($0)" }
        prompt.problem = Self.reason
        state.prompt = prompt
        let all = lines(state, rows: rows, columns: columns)
        #expect(words(all).contains("Enter: add, Esc: cancel") && all.contains { $0.contains("Tab /uav1/imu0") })
        for word in Self.reason.split(separator: " ") { #expect(words(all).contains(word), "\(word)") }
    }

    @Test func `a panel says how much more of it there is, above and below, and nothing once it is all seen`() {
        var state = TelemetrySamples.nothing
        state.messages = (1...20).map { TelemetryLine("12:00", "message \($0)") }
        (state.focus, state.isEnlarged) = (.messages, true)
        func shown() -> String { lines(state, rows: 11, columns: 60).joined(separator: "\n") }
        #expect(shown().contains("▲ 11 more") && !shown().contains("▼") && shown().contains("message 20"))
        state.scroll = 4
        #expect(shown().contains("▲ 7 more") && shown().contains("▼ 4 more"), "\(shown())")
        let long = String(repeating: "long ", count: 30)
        state.messages = [TelemetryLine("12:00", long), TelemetryLine("12:00", "last")]
        state.scroll = 0
        #expect(!shown().contains(" more "), "\(shown())")
        state.focus = .topics
        state.topics = (1...3).map { number in
            TelemetryTopic(
                name: "/t\(number)", status: "1 Hz",
                fields: (1...4).map { .init(depth: 0, name: "f\($0)", value: "1") })
        }
        #expect(shown().contains("▼ 6 more"), "\(shown())")
        state.scroll = 6
        #expect(shown().contains("▲ 6 more") && !shown().contains("▼"), "\(shown())")
    }

    @Test func `a click chooses the panel, and the wheel scrolls the one under the pointer`() {
        var sent: [TelemetryIntent] = []
        let screen = TelemetryScreen { sent.append($0) }
        let area = ScreenArea(rows: 20, columns: 80)
        screen.resize(to: area)
        let state = TelemetrySamples.nothing
        screen.show(state)
        sent = []
        let places = TelemetryLayout(state, in: area).places
        for place in places {
            _ = screen.handle(.mouse(MouseEvent(.press, row: place.area.row + 1, column: place.area.column + 1)))
        }
        #expect(sent == places.filter { $0.panel != state.focus }.map { .focusPanel($0.panel) })
        sent = []
        if let other = places.first(where: { $0.panel != state.focus }) {
            _ = screen.handle(.mouse(MouseEvent(.wheelDown, row: other.area.row, column: other.area.column)))
            #expect(sent == [.focusPanel(other.panel), .scroll(3)])
        }
    }

    @Test func `keys that do nothing are not named: no other panel to show, no topics to add`() {
        let screen = TelemetryScreen { _ in }
        func keys() -> [String] { screen.keys.map(\.keys) }
        screen.resize(to: ScreenArea(rows: 20, columns: 80))
        #expect(keys().contains("Enter") && keys().contains("a"))
        screen.resize(to: ScreenArea(rows: 11, columns: 60))
        var state = TelemetrySamples.nothing
        state.hasTopics = false
        screen.show(state)
        #expect(!keys().contains("Enter") && !keys().contains("a"))
        #expect(screen.refusedKeys.map(\.help.keys) == ["a"])
    }

    @Test func `scrolling is named where the panel has more lines than it shows, and choosing with several topics`() {
        let screen = TelemetryScreen { _ in }
        func keys() -> [String] { screen.keys.map(\.keys) }
        screen.resize(to: ScreenArea(rows: 11, columns: 60))
        var state = TelemetrySamples.flying
        screen.show(state)
        #expect(keys().contains("↑ ↓ PgUp PgDn") == (state.motion.count > 9))
        (state.focus, state.isEnlarged) = (.trail, true)
        state.topics = [TelemetryTopic(name: "/uav1/one", status: "")]
        screen.show(state)
        #expect(!keys().contains("↑ ↓ PgUp PgDn") && !keys().contains("← →") && keys().contains("x"))
        state.topics.append(TelemetryTopic(name: "/uav1/two", status: ""))
        state.panels = [.trail]
        screen.show(state)
        #expect(keys().contains("← →") && !keys().contains("Tab"))
        (state.focus, state.isEnlarged) = (.motion, false)
        screen.resize(to: ScreenArea(rows: 5, columns: 60))
        state.panels = TelemetryPanel.allCases
        screen.show(state)
        #expect(keys().contains("↑ ↓ PgUp PgDn"))
    }
}
