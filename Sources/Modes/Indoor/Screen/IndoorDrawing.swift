internal import RouteKit
internal import PointCloud
internal import ReportKit
internal import TextScreen
internal import UAVLink

/// Draws the map: the points first, the vehicle last.
struct IndoorDrawing {
    let state: IndoorScreenState
    let area: ScreenArea
    /// The points of the map as dots, on a grid of the area's size.
    let dots: DotGrid
    /// The height band of each cell; empty without colours by height.
    let bands: [Int]

    func draw(on canvas: inout Canvas) {
        for row in 0..<min(dots.rows, area.rows) {
            for column in 0..<min(dots.columns, area.columns) {
                let character = dots.character(column: column, row: row)
                guard character != " " else { continue }
                let index = row * dots.columns + column
                let style = bands.indices.contains(index) ? HeightColors.style(band: bands[index]) : .plain
                canvas[area.row + row, area.column + column] = Cell(character, style)
            }
        }
        drawLines(on: &canvas)
        drawMarks(on: &canvas)
    }

    private func drawLines(on canvas: inout Canvas) {
        var plot = BraillePlot(ScreenSize(rows: area.rows, columns: area.columns))
        func line(_ places: [Vector3], _ style: Style, _ dashes: BraillePlot.Dashes = .none) {
            let ends = places.map { state.camera.dot(of: $0, on: dots) }
            for (from, to) in zip(ends, ends.dropFirst()) {
                plot.line(fromX: from.x, y: from.y, toX: to.x, y: to.y, style, dashes: dashes)
            }
        }
        for border in state.border { line(border, .tone(.warning), .init(on: 4, off: 3)) }
        for obstacle in state.obstacles { line(obstacle, .tone(.danger)) }
        line(state.trail, .tone(.second), .init(on: 1, off: 3))
        if state.path.isEmpty || !state.route.isPathCurrent {
            line(state.route.points.map(\.position), .muted, .init(on: 2, off: 2))
        }
        line(state.path, state.route.isPathCurrent ? .tone(.accent) : .muted)
        line(state.wayToStart, .tone(.accent), .init(on: 4, off: 2))
        // Dotted, to distinguish flown from planned without colours.
        line(state.flown, .tone(.second), .init(on: 1, off: 2))
        plot.draw(on: &canvas, in: area)
    }

    // MARK: Marks

    private func drawMarks(on canvas: inout Canvas) {
        for point in state.route.points where !point.isSelected { draw(point, on: &canvas) }
        mark("+", state.cursor, Style.plain.adding([.bold, .reverse]), on: &canvas)
        for point in state.route.points where point.isSelected { draw(point, on: &canvas) }
        guard let vehicle = state.vehicle else { return }
        let text = String(arrow(vehicle.headingRadians)) + (vehicle.isOld ? "?" : "")
        let style: Style = vehicle.isOld ? .tone(.warning) : .tone(.accent)
        mark(text, vehicle.position, style.adding([.bold, .reverse]), on: &canvas)
    }

    private func draw(_ point: RouteMarker, on canvas: inout Canvas) {
        let text = RouteGlyphs.label(
            point.label, arrow: point.headingRadians.map(arrow), hasFinding: point.hasFinding, holds: point.holds,
            takesSnapshot: point.takesSnapshot)
        let style: Style = point.hasFinding ? .tone(.danger) : Style.tone(.accent).adding(.bold)
        if point.isSelected {
            mark("[\(text)]", point.position, style.adding(.reverse), shift: -1, on: &canvas)
        } else {
            mark(text, point.position, style, on: &canvas)
        }
    }

    /// A heading as the view shows it: in the side view right, left, or towards or away from the viewer.
    private func arrow(_ heading: Double) -> Character {
        guard state.view == .side else { return RouteGlyphs.arrow(heading - state.camera.turnRadians) }
        let seen = (heading - state.camera.turnRadians).remainder(dividingBy: 2 * .pi)
        if abs(abs(seen) - .pi / 2) < .pi / 8 { return "●" }
        return abs(seen) < .pi / 2 ? "→" : "←"
    }

    private func mark(
        _ text: String, _ place: Vector3, _ style: Style, shift: Int = 0, on canvas: inout Canvas
    ) {
        let dot = state.camera.dot(of: place, on: dots)
        guard dot.x >= 0, dot.y >= 0, dot.x < Double(dots.width), dot.y < Double(dots.height) else { return }
        canvas.write(text, row: Int(saturating: dot.y / 4), column: Int(saturating: dot.x / 2) + shift, in: area, style)
    }
}
