@testable import MapTrajectoryMode
@testable import ModeKit
@testable import RouteKit
import Testing
import UAVLink

@testable import TextScreen

/// Labels of the grid and the marks of the route on a map of 60 by 15 cells.
@MainActor
@Suite("Labels on the map")
struct MapLabelTests {
    /// What is left of a terminal of 60 by 16 for the screen of a mode: a map of six rows, and four lines.
    private let area = ScreenArea(rows: 12, columns: 60)

    private func state() -> MapTrajectoryScreenState {
        var state = MapSamples.empty
        state.viewport = MapViewport(centre: MapPlace(east: 0, north: 0), metresPerColumn: 1)
        state.cursor = MapPlace(east: 1e5, north: 1e5)
        // Labels and points that cannot be confused: the ones are 8, the others 1.
        state.grid =
            [-20.0, 0, 20].map {
                MapGridLine(from: MapPlace(east: $0, north: -50), to: MapPlace(east: $0, north: 50), label: "88")
            }
            + [-2.0, 2].map {
                MapGridLine(from: MapPlace(east: -100, north: $0), to: MapPlace(east: 100, north: $0), label: "88")
            }
        return state
    }

    private func lines(_ state: MapTrajectoryScreenState) -> [[Character]] {
        let screen = MapTrajectoryScreen { _ in }
        screen.resize(to: area)
        screen.show(state)
        var canvas = Canvas(ScreenSize(rows: area.rows, columns: area.columns))
        screen.draw(on: &canvas, in: area)
        return canvas.lines.map { Array($0) }
    }

    @Test func `a label that would touch a point is left out, and only that one`() {
        let inside = RouteLayout(area).inside
        let projection = MapProjection(viewport: state().viewport, area: inside)
        let all = lines(state()).joined().count { $0 == "8" }
        #expect(all == 10)
        for row in inside.row..<inside.row + inside.rows {
            for column in inside.column..<inside.column + inside.columns {
                var state = state()
                let place = projection.place(row: row, column: column)
                state.route.points = [
                    RouteMarker(position: .init(x: place.east, y: place.north, z: 0), label: "1")
                ]
                let lines = lines(state)
                for line in lines[row - 1...row + 1] {
                    let near = line[max(0, column - 1)..<min(line.count, column + 2)]
                    #expect(!near.contains("8"), "\(row), \(column)")
                }
                #expect(lines.joined().count { $0 == "8" } >= all - 4, "\(row), \(column)")
            }
        }
    }

    @Test func `a selected point, a vehicle and home keep their distance from labels, too`() {
        var state = state()
        let bottom = MapProjection(viewport: state.viewport, area: RouteLayout(area).inside).place(row: 6, column: 30)
        state.vehicles = [MapVehicle(place: bottom, headingRadians: 0, title: "uav1", isSelected: false)]
        #expect(lines(state).joined().count { $0 == "8" } == 8)
        state.vehicles = []
        state.home = bottom
        #expect(lines(state).joined().count { $0 == "8" } == 8)
        state.home = nil
        state.route.points = [
            RouteMarker(position: .init(x: bottom.east, y: bottom.north, z: 0), label: "1", isSelected: true)
        ]
        #expect(lines(state).joined().count { $0 == "8" } == 8)
    }
}
