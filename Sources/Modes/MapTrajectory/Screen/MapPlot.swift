internal import ModeKit
internal import ReportKit
internal import TextScreen

/// Draws lines of the map in dots; each kind has its own pattern, to be distinguishable without colours.
struct MapPlot {
    let projection: MapProjection
    private var plot: BraillePlot

    init(_ projection: MapProjection) {
        self.projection = projection
        plot = BraillePlot(ScreenSize(rows: projection.area.rows, columns: projection.area.columns))
    }

    /// A line through positions; one that is not finite interrupts it, one less than a dot from the last is skipped.
    mutating func line(
        _ places: some Sequence<MapPlace>, _ style: Style, dashes: BraillePlot.Dashes = .none, closes: Bool = false
    ) {
        var first: (x: Double, y: Double)?
        var last: (x: Double, y: Double)?
        var phase = 0
        for place in places {
            guard place.east.isFinite, place.north.isFinite else {
                last = nil
                continue
            }
            let dot = projection.dot(place)
            guard let from = last else {
                (last, first) = (dot, first ?? dot)
                continue
            }
            guard max((dot.x - from.x).magnitude, (dot.y - from.y).magnitude) >= 1 else { continue }
            phase = plot.line(fromX: from.x, y: from.y, toX: dot.x, y: dot.y, style, dashes: dashes, phase: phase)
            last = dot
        }
        if closes, let first, let last {
            plot.line(fromX: last.x, y: last.y, toX: first.x, y: first.y, style, dashes: dashes, phase: phase)
        }
    }

    /// Single dots.
    mutating func dots(_ places: some Sequence<MapPlace>, _ style: Style) {
        for place in places {
            let dot = projection.dot(place)
            guard dot.x.magnitude < 1e6, dot.y.magnitude < 1e6 else { continue }
            plot.set(x: Int(saturating: dot.x.rounded()), y: Int(saturating: dot.y.rounded()), style)
        }
    }

    func draw(on canvas: inout Canvas) { plot.draw(on: &canvas, in: projection.area) }
}
