internal import ModeKit
internal import ReportKit
internal import TextScreen

/// Maps positions of a viewport to the cells that show it, north up.
///
/// A cell is two dots wide and four high; a dot is about square in most fonts, as a row covers twice as many metres as a column.
struct MapProjection: Equatable {
    let viewport: MapViewport
    /// The cells that the map fills.
    let area: ScreenArea

    private var metresPerDot: Double { viewport.metresPerColumn / 2 }

    /// The dot of a position, from the upper left one; it may lie outside the area.
    func dot(_ place: MapPlace) -> (x: Double, y: Double) {
        (
            Double(area.columns) - 0.5 + (place.east - viewport.centre.east) / metresPerDot,
            Double(area.rows * 2) - 0.5 - (place.north - viewport.centre.north) / metresPerDot
        )
    }

    /// The cell of a position, counted from the area's first; `nil` far outside.
    func cell(_ place: MapPlace) -> (row: Int, column: Int)? {
        let dot = dot(place)
        guard dot.x.magnitude < 1e6, dot.y.magnitude < 1e6 else { return nil }
        return (Int(saturating: (dot.y / 4).rounded(.down)), Int(saturating: (dot.x / 2).rounded(.down)))
    }

    /// Whether a cell lies on the map.
    func shows(_ cell: (row: Int, column: Int)) -> Bool {
        (0..<area.rows).contains(cell.row) && (0..<area.columns).contains(cell.column)
    }

    /// The position at the centre of a screen cell.
    func place(row: Int, column: Int) -> MapPlace {
        let (x, y) = (Double((column - area.column) * 2) + 0.5, Double((row - area.row) * 4) + 1.5)
        return MapPlace(
            east: viewport.centre.east + (x - Double(area.columns) + 0.5) * metresPerDot,
            north: viewport.centre.north - (y - Double(area.rows * 2) + 0.5) * metresPerDot)
    }
}
