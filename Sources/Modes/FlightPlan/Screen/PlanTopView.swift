internal import ReportKit
internal import TextScreen

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The plan from above: the nose of the take-off points up, the right of the drone is on the right.
struct PlanTopView {
    private let state: FlightPlanScreenState

    /// The least extent, so that a plan that hovers does not fill it.
    private static let minimumSpanMetres = 2.0
    /// Directions in steps of 45 degrees counter-clockwise from up.
    private static let arrows: [Character] = ["↑", "↖", "←", "↙", "↓", "↘", "→", "↗"]

    init(_ state: FlightPlanScreenState) { self.state = state }

    /// Where metres are drawn.
    private struct Projection {
        let metresPerDot: Double
        let centre: PlanPlace
        let width: Int
        let height: Int

        init(_ places: [PlanPlace], _ plot: BraillePlot) {
            (width, height) = (plot.width, plot.height)
            let rights = places.map(\.right)
            let aheads = places.map(\.ahead)
            let (left, right) = (rights.min() ?? 0, rights.max() ?? 0)
            let (back, front) = (aheads.min() ?? 0, aheads.max() ?? 0)
            centre = PlanPlace(right: (left + right) / 2, ahead: (back + front) / 2)
            let span = PlanTopView.minimumSpanMetres
            // Dots are about square; a cell is left free at each edge.
            let across = max(right - left, span) / Double(max(1, plot.width - 4))
            let up = max(front - back, span) / Double(max(1, plot.height - 8))
            metresPerDot = max(across, up, 0.001)
        }

        func dot(_ place: PlanPlace) -> (x: Double, y: Double) {
            (
                Double(width - 1) / 2 + (place.right - centre.right) / metresPerDot,
                Double(height - 1) / 2 - (place.ahead - centre.ahead) / metresPerDot
            )
        }
    }

    func draw(on canvas: inout Canvas, in area: ScreenArea) {
        guard area.rows >= 3, area.columns >= 12 else { return }
        let (field, legend) = area.split(top: area.rows - 1)
        var plot = BraillePlot(ScreenSize(rows: field.rows, columns: field.columns))
        let projection = Projection(state.done + state.ahead + state.pads.map(\.place), plot)
        draw(state.ahead, projection, .muted, &plot)
        draw(state.done, projection, .tone(.second), &plot)
        plot.draw(on: &canvas, in: field)
        for pad in state.pads { mark(pad.place, "\(pad.number)", .tone(.accent), projection, &canvas, field) }
        if let end = state.ahead.last ?? state.done.last { mark(end, "E", .plain, projection, &canvas, field) }
        mark(PlanPlace(right: 0, ahead: 0), "S", .plain, projection, &canvas, field)
        if let marker = state.marker {
            mark(marker.place, String(arrow(marker.heading)), .selected, projection, &canvas, field)
        }
        drawLegend(projection, on: &canvas, in: legend)
    }

    private func draw(_ path: [PlanPlace], _ projection: Projection, _ style: Style, _ plot: inout BraillePlot) {
        for (from, to) in zip(path, path.dropFirst()) {
            let (start, end) = (projection.dot(from), projection.dot(to))
            plot.line(fromX: start.x, y: start.y, toX: end.x, y: end.y, style)
        }
    }

    private func mark(
        _ place: PlanPlace, _ sign: String, _ style: Style, _ projection: Projection, _ canvas: inout Canvas,
        _ field: ScreenArea
    ) {
        let dot = projection.dot(place)
        guard dot.x.isFinite, dot.y.isFinite else { return }
        let (row, column) = (Int(saturating: dot.y.rounded()) / 4, Int(saturating: dot.x.rounded()) / 2)
        guard (0..<field.rows).contains(row), (0..<field.columns).contains(column) else { return }
        canvas.write(sign, row: row, column: column, in: field, style)
    }

    private func arrow(_ heading: Double?) -> Character {
        guard let heading, heading.isFinite else { return "o" }
        let eighth = Int(saturating: (heading.remainder(dividingBy: 2 * .pi) / (.pi / 4)).rounded())
        return Self.arrows[(eighth + 8) % 8]
    }

    /// A bar of a round number of metres, about a third of the width, and what the marks are.
    private func drawLegend(_ projection: Projection, on canvas: inout Canvas, in area: ScreenArea) {
        let metresPerCell = projection.metresPerDot * 2
        let metres = Self.round(metresPerCell * Double(area.columns) / 3)
        guard metres.isFinite, metresPerCell.isFinite else { return }
        let cells = min(area.columns, max(2, Int(saturating: (metres / metresPerCell).rounded())))
        let bar = "├\(String(repeating: "─", count: cells - 2))┤ \(metres.formatted(decimals: metres < 1 ? 1 : 0)) m"
        canvas.write(bar, row: 0, in: area, .muted)
        let words = "S take-off, nose up  E end"
        guard bar.cells + words.cells + 2 <= area.columns else { return }
        canvas.writeRight(words, row: 0, margin: 0, in: area, .muted)
    }

    /// The largest of 1, 2, 5 times a power of ten that is not above the value.
    private static func round(_ value: Double) -> Double {
        let power = pow(10, log10(max(value, 0.1)).rounded(.down))
        return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1)
    }
}
