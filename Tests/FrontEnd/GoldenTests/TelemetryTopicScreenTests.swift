@testable import TelemetryMode
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
}
