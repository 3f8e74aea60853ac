internal import ModeKit
internal import RouteKit
internal import ReportKit
internal import RouteFiles
internal import TextScreen

/// Draws the map: the background first, the vehicles last.
struct MapDrawing {
    let state: MapTrajectoryScreenState
    let projection: MapProjection

    func draw(on canvas: inout Canvas) {
        var plot = MapPlot(projection)
        for line in state.grid { plot.line([line.from, line.to], .muted, dashes: .init(on: 1, off: 7)) }
        for shape in state.background where shape.corners.count > 1 {
            let look = MapFeatureStyle.of(shape.kind)
            plot.line(shape.corners, look.style, dashes: look.dashes, closes: shape.isArea)
        }
        plot.line(state.safetyArea, .tone(.warning), dashes: .init(on: 4, off: 3), closes: true)
        for fence in state.fences { plot.line(fence, .tone(.warning), dashes: .init(on: 2, off: 3), closes: true) }
        for obstacle in state.obstacles { plot.line(obstacle, .tone(.danger), closes: true) }
        for vehicle in state.vehicles { plot.dots(vehicle.trail, vehicle.isSelected ? .tone(.accent) : .tone(.second)) }
        if state.path.isEmpty || !state.route.isPathCurrent {
            plot.line(state.route.points.map(\.place), .muted, dashes: .init(on: 2, off: 2))
        }
        plot.line(state.path, state.route.isPathCurrent ? .tone(.accent) : .muted)
        plot.line(state.wayToStart, .tone(.accent), dashes: .init(on: 4, off: 2))
        // Dotted, to distinguish flown from planned without colours.
        plot.line(state.flown, .tone(.second), dashes: .init(on: 1, off: 2))
        plot.draw(on: &canvas)
        let marks = MapMarks(state: state, projection: projection)
        draw(marks.background, on: &canvas)
        drawGridLabels(clearOf: marks.route, on: &canvas)
        draw(marks.route, on: &canvas)
        drawNorth(on: &canvas)
    }

    private func draw(_ marks: [MapMark], on canvas: inout Canvas) {
        for mark in marks {
            canvas.write(mark.text, row: mark.row, column: mark.column, in: projection.area, mark.style)
        }
    }

    // MARK: Around it

    /// Labels parallels at the left edge and meridians at the lower edge, where they meet it. A label that would touch a mark is left
    /// out: `0 m` beside point 1 would read as point 10.
    private func drawGridLabels(clearOf marks: [MapMark], on canvas: inout Canvas) {
        let area = projection.area
        guard area.rows >= 6, area.columns >= 24 else { return }
        var used = -1
        func isClear(_ label: String, _ row: Int, _ column: Int) -> Bool {
            !marks.contains { $0.touches(row: row, columns: column..<column + label.cells) }
        }
        for line in state.grid {
            let (from, to) = (projection.dot(line.from), projection.dot(line.to))
            let (dx, dy) = (to.x - from.x, to.y - from.y)
            guard dx.isFinite, dy.isFinite, max(dx.magnitude, dy.magnitude) > 0 else { continue }
            if dx.magnitude >= dy.magnitude {
                let y = from.y - from.x * dy / dx
                guard (4..<Double(area.rows * 4 - 4)).contains(y) else { continue }
                let row = Int(saturating: y / 4)
                guard isClear(line.label, row, 0) else { continue }
                canvas.write(line.label, row: row, column: 0, in: area, .muted)
            } else {
                let x = from.x + (Double(area.rows * 4) - from.y) * dx / dy
                let width = line.label.cells
                guard x.magnitude < 1e6 else { continue }
                let column = Int(saturating: x / 2) - width / 2
                guard column > used, column + width < area.columns, isClear(line.label, area.rows - 1, column) else {
                    continue
                }
                canvas.write(line.label, row: area.rows - 1, column: column, in: area, .muted)
                used = column + width
            }
        }
    }

    private func drawNorth(on canvas: inout Canvas) {
        // `northRadians` is clockwise from up; `arrow` takes radians counter-clockwise from east.
        let arrow = RouteGlyphs.arrow(.pi / 2 - state.northRadians)
        canvas.writeRight("N\(arrow)", row: 0, in: projection.area, Style.plain.adding(.bold))
    }
}

/// The drawing styles of background features.
enum MapFeatureStyle {
    static func of(_ kind: MapFeature.Kind) -> (style: Style, dashes: BraillePlot.Dashes, mark: String) {
        switch kind {
        case .road: (.muted, .none, "·")
        case .path, .railway: (.muted, .init(on: 2, off: 2), "·")
        case .building: (.plain, .none, "▫")
        case .water: (Style(.tone(.accent), .dim), .init(on: 3, off: 1), "≈")
        case .power: (.tone(.warning), .init(on: 1, off: 3), "▲")
        case .tower: (.tone(.warning), .none, "▲")
        case .woodland, .field, .barrier, .other: (.muted, .init(on: 1, off: 2), "·")
        }
    }
}
