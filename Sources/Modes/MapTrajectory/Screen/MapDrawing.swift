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
        drawGridLabels(on: &canvas)
        drawMarks(on: &canvas)
        drawNorth(on: &canvas)
    }

    // MARK: Marks

    private func drawMarks(on canvas: inout Canvas) {
        for shape in state.background where shape.corners.count == 1 {
            mark(MapFeatureStyle.of(shape.kind).mark, shape.corners.first, .muted, on: &canvas)
        }
        mark("⌂", state.home, Style.plain.adding(.bold), on: &canvas)
        for point in state.route.points where !point.isSelected { draw(point, on: &canvas) }
        for vehicle in state.vehicles where !vehicle.isSelected { draw(vehicle, on: &canvas) }
        mark("+", state.cursor, Style.plain.adding([.bold, .reverse]), on: &canvas)
        // The selected point and vehicle are drawn over their neighbours.
        for point in state.route.points where point.isSelected { draw(point, on: &canvas) }
        for vehicle in state.vehicles where vehicle.isSelected { draw(vehicle, on: &canvas) }
    }

    private func draw(_ point: RouteMarker, on canvas: inout Canvas) {
        let style: Style = point.hasFinding ? .tone(.danger) : Style.tone(.accent).adding(.bold)
        let text = RouteGlyphs.label(point)
        // Shifted aside under the vehicle, so that both are visible.
        let shift = isUnderVehicle(point.place) ? 2 : 0
        if point.isSelected {
            mark("[\(text)]", point.place, style.adding(.reverse), shift: shift - 1, on: &canvas)
        } else {
            mark(text, point.place, style, shift: shift, on: &canvas)
        }
    }

    private func isUnderVehicle(_ place: MapPlace) -> Bool {
        guard let vehicle = state.vehicles.first(where: \.isSelected), let there = projection.cell(vehicle.place),
            let here = projection.cell(place)
        else { return false }
        return there == here
    }

    private func draw(_ vehicle: MapVehicle, on canvas: inout Canvas) {
        let arrow = String(RouteGlyphs.arrow(vehicle.headingRadians)) + (vehicle.isOld ? "?" : "")
        if vehicle.isSelected {
            let style: Style = vehicle.isOld ? .tone(.warning) : Style.tone(.accent)
            mark(arrow, vehicle.place, style.adding([.bold, .reverse]), on: &canvas)
        } else {
            mark(arrow + vehicle.title, vehicle.place, vehicle.isOld ? .tone(.warning) : .tone(.second), on: &canvas)
        }
    }

    private func mark(
        _ text: String, _ place: MapPlace?, _ style: Style, shift: Int = 0, on canvas: inout Canvas
    ) {
        guard let place, let cell = projection.cell(place), projection.shows(cell) else { return }
        canvas.write(text, row: cell.row, column: cell.column + shift, in: projection.area, style)
    }

    // MARK: Around it

    /// Labels parallels at the left edge and meridians at the lower edge, where they meet it.
    private func drawGridLabels(on canvas: inout Canvas) {
        let area = projection.area
        guard area.rows >= 6, area.columns >= 24 else { return }
        var used = -1
        for line in state.grid {
            let (from, to) = (projection.dot(line.from), projection.dot(line.to))
            let (dx, dy) = (to.x - from.x, to.y - from.y)
            guard dx.isFinite, dy.isFinite, max(dx.magnitude, dy.magnitude) > 0 else { continue }
            if dx.magnitude >= dy.magnitude {
                let y = from.y - from.x * dy / dx
                guard (4..<Double(area.rows * 4 - 4)).contains(y) else { continue }
                canvas.write(line.label, row: Int(saturating: y / 4), column: 0, in: area, .muted)
            } else {
                let x = from.x + (Double(area.rows * 4) - from.y) * dx / dy
                let width = line.label.cells
                guard x.magnitude < 1e6 else { continue }
                let column = Int(saturating: x / 2) - width / 2
                guard column > used, column + width < area.columns else { continue }
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
