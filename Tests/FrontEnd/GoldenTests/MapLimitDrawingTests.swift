@testable import MapTrajectoryMode
@testable import ModeKit
@testable import RouteKit
import Testing
import UAVLink

@testable import TextScreen

/// Where the vehicle must not fly, as it is drawn on the map.
@MainActor
@Suite("Limits on the map")
struct MapLimitDrawingTests {
    private func canvas(_ change: (inout MapTrajectoryScreenState) -> Void) -> Canvas {
        var state = MapSamples.empty
        state.viewport = MapViewport(centre: MapPlace(east: 0, north: 0), metresPerColumn: 1)
        state.cursor = MapPlace(east: 1e5, north: 1e5)
        change(&state)
        let screen = MapTrajectoryScreen { _ in }
        screen.show(state)
        var canvas = Canvas(ScreenSize(rows: 24, columns: 80))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        return canvas
    }

    /// The cells with dots of lines in a style.
    private func dots(_ canvas: Canvas, _ style: Style) -> Int {
        let all = (0..<24).flatMap { row in (0..<80).map { column in canvas[row, column] } }
        return all.count { cell in
            cell.style == style && cell.character.unicodeScalars.allSatisfy { (0x2801...0x28FF).contains($0.value) }
        }
    }

    private static func square(_ size: Double) -> [MapPlace] {
        [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { MapPlace(east: $0.0 * size, north: $0.1 * size) }
    }

    @Test func `obstacles are lines of their own`() {
        let (plain, limited) = (canvas { _ in }, canvas { $0.obstacles = [Self.square(6)] })
        #expect(dots(plain, .tone(.danger)) == 0)
        // Closed: 12 columns above, 12 below, and the sides.
        #expect(dots(limited, .tone(.danger)) > 26)
    }

    @Test func `geofences are dashed, as the safety area is`() {
        let (plain, limited) = (canvas { _ in }, canvas { $0.fences = [Self.square(9)] })
        #expect(dots(plain, .tone(.warning)) == 0)
        #expect(dots(limited, .tone(.warning)) > 20)
        #expect(dots(limited, .tone(.danger)) == 0)
    }
}
