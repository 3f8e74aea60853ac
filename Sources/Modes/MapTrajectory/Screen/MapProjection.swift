internal import ModeKit
internal import ReportKit
internal import TextScreen

/// Where the places of a part of the world lie in the cells that show it, north up.
///
/// A cell is two dots wide and four high; in most fonts a dot is about square, as a row stands for twice as many metres as a column.
struct MapProjection: Equatable {
    let viewport: MapViewport
    /// The cells that the map fills.
    let area: ScreenArea

    private var metresPerDot: Double { viewport.metresPerColumn / 2 }

    /// The dot that a place falls on, from the upper left one; far outside is fine.
    func dot(_ place: MapPlace) -> (x: Double, y: Double) {
        (
            Double(area.columns) - 0.5 + (place.east - viewport.centre.east) / metresPerDot,
            Double(area.rows * 2) - 0.5 - (place.north - viewport.centre.north) / metresPerDot
        )
    }

    /// The cell that a place falls into, counted from the area's first; `nil` far outside.
    func cell(_ place: MapPlace) -> (row: Int, column: Int)? {
        let dot = dot(place)
        guard dot.x.magnitude < 1e6, dot.y.magnitude < 1e6 else { return nil }
        return (Int(saturating: (dot.y / 4).rounded(.down)), Int(saturating: (dot.x / 2).rounded(.down)))
    }

    /// Whether a cell lies on the map.
    func shows(_ cell: (row: Int, column: Int)) -> Bool {
        (0..<area.rows).contains(cell.row) && (0..<area.columns).contains(cell.column)
    }

    /// The place in the middle of a cell of the screen.
    func place(row: Int, column: Int) -> MapPlace {
        let (x, y) = (Double((column - area.column) * 2) + 0.5, Double((row - area.row) * 4) + 1.5)
        return MapPlace(
            east: viewport.centre.east + (x - Double(area.columns) + 0.5) * metresPerDot,
            north: viewport.centre.north - (y - Double(area.rows * 2) + 0.5) * metresPerDot)
    }
}
