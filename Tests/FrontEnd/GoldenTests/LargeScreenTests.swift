import MapTrajectoryMode
import ModeKit
import RouteKit
import TelemetryMode
import Testing
import TextScreen

@MainActor
@Suite("Large screens")
struct LargeScreenTests {
    private func lines(_ screen: any Screen, rows: Int = 46, columns: Int = 200) -> [String] {
        var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        return canvas.lines
    }

    @Test("telemetry has its history as charts with scales, units and times")
    func telemetry() {
        let screen = TelemetryScreen { _ in }
        screen.show(TelemetrySamples.flying)
        let all = lines(screen).joined(separator: "\n")
        for text in ["-60 s", "-30 s", "now", " m ┤", " m/s ┤", " V ┤", " ms ┤"] {
            #expect(all.contains(text), "\(text)")
        }
        // Below that size the rows of bars stay.
        #expect(!lines(screen, rows: 36, columns: 160).joined().contains("-60 s"))
    }

    @Test("the map has the route from the side")
    func map() {
        let screen = MapTrajectoryScreen { _ in }
        screen.show(MapSamples.planned)
        let all = lines(screen).joined(separator: "\n")
        #expect(all.contains("from the side") && all.contains("m along the route") && all.contains("z 0 m"))
        #expect(!lines(screen, rows: 36, columns: 120).joined().contains("from the side"))
    }

    @Test("the text beside a map is wider on a wide screen")
    func panel() {
        func columns(_ columns: Int) -> Int { RouteLayout(ScreenArea(rows: 46, columns: columns)).panel?.columns ?? 0 }
        #expect(columns(200) > columns(120) && columns(120) > columns(80) && columns(60) == 0)
        #expect(columns(200) > 50)
    }
}
