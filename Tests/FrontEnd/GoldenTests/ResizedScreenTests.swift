@testable import FlightPlanMode
@testable import LatencyLabMode
@testable import MapTrajectoryMode
@testable import ModeKit
@testable import TelemetryMode
import RemoteTerminalMode
import Testing

@testable import TextScreen

/// A terminal that is made narrower: what was wrapped is wrapped again, and what is cut then stands in the help.
@MainActor
@Suite struct ResizedScreenTests {
    /// Of each screen with texts of its own one that shows it.
    private static var screens: [(name: String, make: @MainActor () -> any Screen)] {
        var all: [(name: String, make: @MainActor () -> any Screen)] = []
        for page in LatencyLabPage.allCases {
            all.append(
                (
                    "latency \(page)",
                    {
                        let screen = LatencyLabScreen { _ in }
                        screen.show(LatencyLabSamples.reading(page))
                        return screen
                    }
                ))
        }
        for isEnlarged in [true, false] {
            all.append(
                (
                    "telemetry \(isEnlarged)",
                    {
                        let screen = TelemetryScreen { _ in }
                        var state = TelemetrySamples.warnings
                        (state.focus, state.isEnlarged) = (.messages, isEnlarged)
                        screen.show(state)
                        return screen
                    }
                ))
        }
        all.append(
            (
                "map",
                {
                    let screen = MapTrajectoryScreen { _ in }
                    screen.show(MapSamples.failed)
                    return screen
                }
            ))
        all.append(("flight plan", { FlightPlanSamples.screen(FlightPlanSamples.wrong) }))
        all.append(
            (
                "lines",
                {
                    let screen = TerminalScreen { _ in }
                    var state = TerminalScreenState()
                    state.form = .simple
                    state.simple.lines = [OutputLine(.output, String(repeating: "a long line ", count: 12))]
                    screen.show(state)
                    return screen
                }
            ))
        return all
    }

    private func lines(_ screen: any Screen, _ size: GoldenSize) -> [String] {
        var canvas = Canvas(size.size)
        Golden.draw(screen, on: &canvas, in: canvas.area)
        return canvas.lines
    }

    @Test func `a screen that was wide is the same as one that was always narrow`() {
        for (name, make) in Self.screens {
            let resized = make()
            for size in [GoldenSize.large, .small, .narrow, .small] {
                let drawn = lines(resized, size)
                #expect(drawn == lines(make(), size), "\(name) at \(size)")
            }
        }
    }

    @Test func `the verdict on a plan is whole in the help where its line is cut`() {
        var state = FlightPlanSamples.wrong
        let words = "a landing that comes before the first take-off, and a battery that would be below 15 % at the end"
        state.summary = words
        let screen = FlightPlanSamples.screen(state)
        screen.resize(to: ScreenArea(rows: 15, columns: 60))
        #expect(screen.details.first == KeyHelp("plan", "cannot be flown: \(words)"))
        screen.resize(to: ScreenArea(rows: 40, columns: 160))
        #expect(screen.details.first?.keys != "plan")
    }
}
