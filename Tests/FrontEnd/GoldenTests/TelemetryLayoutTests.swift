@testable import TelemetryMode
import ModeKit
import Testing
import TextScreen
import UAVLink

@MainActor
@Suite("Rows of the panels of telemetry")
struct TelemetryLayoutTests {
    /// The middle of a terminal with 120 columns and 40 lines.
    private let area = ScreenArea(rows: 36, columns: 120)

    private func rows(_ state: TelemetryScreenState, in area: ScreenArea) -> [TelemetryPanel: Int] {
        Dictionary(
            TelemetryLayout(state, in: area).places.map { ($0.panel, $0.area.rows) }, uniquingKeysWith: { $1 })
    }

    private func lines(_ state: TelemetryScreenState, in area: ScreenArea) -> [String] {
        let screen = TelemetryScreen { _ in }
        screen.show(state)
        var canvas = Canvas(ScreenSize(rows: area.rows, columns: area.columns))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        return canvas.lines
    }

    private func topic(fields: Int) -> TelemetryTopic {
        TelemetryTopic(
            name: "/imu", status: "249 Hz",
            fields: (0..<fields).map { .init(depth: 0, name: "f\($0)", value: "1") })
    }

    @Test("while everything fits, each panel has its usual height")
    func usual() {
        let flying = rows(TelemetrySamples.flying, in: area)
        let usual: [TelemetryPanel: Int] = [
            .motion: 10, .vehicle: 9, .sparklines: 7, .messages: 10, .trail: 26, .rates: 14, .topics: 22,
        ]
        #expect(flying == usual)
        var few = TelemetrySamples.flying
        few.rates = Array(few.rates.prefix(3))
        #expect(rows(few, in: area) == flying)
    }

    @Test("a vehicle with more lines has rows of the messages, and none of it is cut")
    func vehicle() {
        var state = TelemetrySamples.flying
        state.hostLines = [TelemetryLine("CPU load", "here 25 %"), TelemetryLine("Wi-Fi", "here -60 dBm")]
        let found = rows(state, in: area)
        #expect(found[.vehicle] == 11 && found[.messages] == 8 && found[.trail] == 28)
        let shown = lines(state, in: area)
        #expect(shown.contains { $0.contains("Wi-Fi") } && !shown.contains { $0.contains("▼") })
        // The same on a terminal with 24 lines, where the rates below it get fewer.
        #expect(lines(state, in: ScreenArea(rows: 20, columns: 80)).contains { $0.contains("CPU load") })
    }

    @Test("a machine without topics and trail has no empty column", arguments: [(46, 200), (36, 120), (20, 80)])
    func withoutTopics(_ size: (rows: Int, columns: Int)) {
        let area = ScreenArea(rows: size.rows, columns: size.columns)
        var state = TelemetrySamples.flying
        let parts: [VehicleCapabilities.TelemetryParts] = [
            [.velocity, .height, .battery, .topicRates, .messages], [.velocity, .battery, .messages], [.battery],
            [.pose, .velocity, .battery],
        ]
        for parts in parts {
            state.panels = TelemetryPanel.showing(parts, canHaveTopics: false)
            #expect(!state.panels.contains(.topics))
            state.focus = state.panels[0]
            let places = TelemetryLayout(state, in: area).places
            #expect(!places.contains { $0.panel == .topics })
            let covered = places.reduce(0) { $0 + $1.area.rows * $1.area.columns }
            #expect(covered == area.rows * area.columns, "\(parts): \(places)")
        }
    }

    @Test("topics have the rows that the rates do not need")
    func topics() {
        var state = TelemetrySamples.flying
        state.rates = Array(state.rates.prefix(4))
        state.topics = [topic(fields: 26)]
        let found = rows(state, in: area)
        #expect(found[.rates] == 7 && found[.topics] == 29)
        #expect(!lines(state, in: area).contains { $0.contains("▼") })
        state.topics = [topic(fields: 60)]
        #expect(rows(state, in: area)[.rates] == 6)
        state.rates = TelemetrySamples.flying.rates
        #expect(rows(state, in: area)[.rates] == 14)
    }

    @Test("the panels fill their column", arguments: [(17, 72), (20, 80), (32, 112), (36, 120), (60, 200)])
    func fills(_ rows: Int, _ columns: Int) {
        let area = ScreenArea(rows: rows, columns: columns)
        for state in [TelemetrySamples.nothing, TelemetrySamples.flying, TelemetrySamples.warnings] {
            let places = TelemetryLayout(state, in: area).places
            for place in places {
                #expect(place.area.rows >= 3 && place.area.row + place.area.rows <= rows, "\(place)")
            }
            let left = places.filter { $0.area.column == 0 }
            #expect(left.reduce(0) { $0 + $1.area.rows } == rows, "\(left)")
        }
    }
}
