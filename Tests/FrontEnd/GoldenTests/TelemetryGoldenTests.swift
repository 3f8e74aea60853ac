@testable import FlightControl
@testable import TelemetryMode
import TextScreen
import Testing

@MainActor
@Suite("Golden screens of telemetry")
struct TelemetryGoldenTests {
    @Test("nothing known yet", arguments: GoldenSize.allCases)
    func nothing(_ size: GoldenSize) throws {
        let screen = TelemetryScreen { _ in }
        screen.show(TelemetrySamples.nothing)
        try Golden.check(screen, "telemetry-nothing", size)
    }

    @Test("flying", arguments: GoldenSize.allCases)
    func flying(_ size: GoldenSize) throws {
        let screen = TelemetryScreen { _ in }
        screen.show(TelemetrySamples.flying)
        try Golden.check(screen, "telemetry-flying", size)
    }

    @Test("warnings, and parts that are old", arguments: GoldenSize.allCases)
    func warnings(_ size: GoldenSize) throws {
        let screen = TelemetryScreen { _ in }
        screen.show(TelemetrySamples.warnings)
        try Golden.check(screen, "telemetry-warnings", size)
    }

    @Test("a topic was added", arguments: GoldenSize.allCases)
    func topic(_ size: GoldenSize) throws {
        let screen = TelemetryScreen { _ in }
        screen.show(TelemetrySamples.topic)
        try Golden.check(screen, "telemetry-topic", size)
    }

    @Test("a topic is asked for", arguments: GoldenSize.allCases)
    func prompt(_ size: GoldenSize) throws {
        let screen = TelemetryScreen { _ in }
        var state = TelemetrySamples.flying
        state.prompt = TopicPrompt()
        screen.show(state)
        for character in "imu" { _ = screen.handle(.key(.typed(character))) }
        state.prompt?.suggestions = ["/uav1/hw_api/imu", "/uav1/hw_api/imu_raw"]
        screen.show(state)
        try Golden.check(screen, "telemetry-prompt", size)
    }

    @Test("one panel enlarged", arguments: GoldenSize.allCases)
    func enlarged(_ size: GoldenSize) throws {
        let screen = TelemetryScreen { _ in }
        var state = TelemetrySamples.flying
        state.focus = .sparklines
        state.isEnlarged = true
        screen.show(state)
        try Golden.check(screen, "telemetry-enlarged", size)
    }

    @Test("no size is too small", arguments: [(0, 0), (1, 3), (5, 20), (12, 40), (17, 72), (19, 80), (36, 120)])
    func sizes(_ rows: Int, _ columns: Int) {
        for state in [TelemetrySamples.nothing, TelemetrySamples.warnings, TelemetrySamples.topic] {
            for panel in TelemetryPanel.allCases {
                let screen = TelemetryScreen { _ in }
                var state = state
                state.focus = panel
                screen.show(state)
                var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
                Golden.draw(screen, on: &canvas, in: canvas.area)
                #expect(TelemetryLayout(state, in: canvas.area).visibleLines >= 1)
            }
        }
    }

    @Test("within the frame of an 80x24 terminal the essentials are all there")
    func essentials() {
        let screen = TelemetryScreen { _ in }
        screen.show(TelemetrySamples.flying)
        var canvas = Canvas(ScreenSize(rows: 19, columns: 80))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        let text = canvas.lines.joined(separator: "\n")
        for word in [
            "Position", "Lat, lon", "Heading", "Velocity", "Height", "Range", "State", "Battery", "~11 min", "GNSS",
            "Tracker", "Estimator", "Topics", "Trail", "N↑", "WARN",
        ] { #expect(text.contains(word), "\(word) is missing") }
    }
}
