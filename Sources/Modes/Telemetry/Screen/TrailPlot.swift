internal import ReportKit
internal import TextScreen

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Draws the trail from above: north is up, with a marker at the newest position and a scale below.
struct TrailPlot {
    let trail: TelemetryTrail

    /// The plot's minimum extent, so that the noise of a hovering vehicle does not fill it.
    private static let minimumSpanMetres = 4.0
    /// Symbols of the heading, in steps of 45 degrees from the east, counter-clockwise.
    private static let arrows: [Character] = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"]

    func draw(on canvas: inout Canvas, in area: ScreenArea) {
        guard area.rows >= 2, area.columns >= 12 else { return }
        guard let newest = trail.places.last else {
            canvas.write("- no position yet", row: area.rows / 2, column: 1, in: area, .muted)
            return
        }
        let (field, legend) = area.split(top: area.rows - 1)
        var plot = BraillePlot(ScreenSize(rows: field.rows, columns: field.columns))
        let scale = metresPerDot(plot)
        let centre = middle
        func dot(_ place: TelemetryTrail.Place) -> (x: Double, y: Double) {
            (
                Double(plot.width - 1) / 2 + (place.east - centre.east) / scale,
                Double(plot.height - 1) / 2 - (place.north - centre.north) / scale
            )
        }
        for (from, to) in zip(trail.places, trail.places.dropFirst()) {
            let (start, end) = (dot(from), dot(to))
            plot.line(fromX: start.x, y: start.y, toX: end.x, y: end.y, .tone(.second))
        }
        canvas.write("N↑", row: 0, column: field.columns - 2, in: field, .muted)
        plot.draw(on: &canvas, in: field)
        let here = dot(newest)
        if here.x.isFinite, here.y.isFinite, (0..<Double(plot.width)).contains(here.x),
            (0..<Double(plot.height)).contains(here.y)
        {
            canvas[
                field.row + Int(saturating: here.y.rounded()) / 4, field.column + Int(saturating: here.x.rounded()) / 2] =
                Cell(
                    vehicle, .selected)
        }
        drawScale(metresPerDot: scale, on: &canvas, in: legend)
    }

    private var vehicle: Character {
        guard let heading = trail.headingRadians, heading.isFinite else { return "o" }
        let eighth = Int(saturating: (heading.remainder(dividingBy: 2 * .pi) / (.pi / 4)).rounded())
        return Self.arrows[(eighth + 8) % 8]
    }

    /// A bar of a round number of metres, about a third of the width.
    private func drawScale(metresPerDot: Double, on canvas: inout Canvas, in area: ScreenArea) {
        let metresPerCell = metresPerDot * 2
        let metres = Self.round(metresPerCell * Double(area.columns) / 3)
        // Distances beyond the range of numbers have no scale.
        guard metres.isFinite, metresPerCell.isFinite else { return }
        let cells = min(area.columns, max(2, Int(saturating: (metres / metresPerCell).rounded())))
        let bar = "├" + String(repeating: "─", count: cells - 2) + "┤"
        canvas.write("\(bar) \(metres.formatted(decimals: metres < 1 ? 1 : 0)) m", row: 0, in: area, .muted)
    }

    /// The largest of 1, 2, 5 times a power of ten that is not above the value.
    private static func round(_ value: Double) -> Double {
        let power = pow(10, log10(max(value, 0.1)).rounded(.down))
        return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1)
    }

    private var middle: TelemetryTrail.Place {
        let bounds = bounds
        return .init(east: (bounds.west + bounds.east) / 2, north: (bounds.south + bounds.north) / 2)
    }

    private var bounds: (west: Double, east: Double, south: Double, north: Double) {
        let first = trail.places.first ?? .init(east: 0, north: 0)
        return trail.places.reduce((first.east, first.east, first.north, first.north)) { bounds, place in
            (
                min(bounds.0, place.east), max(bounds.1, place.east), min(bounds.2, place.north),
                max(bounds.3, place.north)
            )
        }
    }

    /// The same scale in both directions. Dots are about square: a cell is twice as high as wide, and has twice as
    /// many.
    private func metresPerDot(_ plot: BraillePlot) -> Double {
        let bounds = bounds
        // In discrete steps, so that the scale does not change with every position.
        let across = max(bounds.east - bounds.west, Self.minimumSpanMetres) / Double(max(1, plot.width - 4))
        let down = max(bounds.north - bounds.south, Self.minimumSpanMetres) / Double(max(1, plot.height - 4))
        let needed = max(across, down)
        guard needed.isFinite, needed > 0 else { return 1 }
        let power = pow(10, log10(needed).rounded(.down))
        let steps = [1, 1.5, 2, 3, 5, 7, 10]
        return power * (steps.first { $0 * power >= needed } ?? 10)
    }
}
