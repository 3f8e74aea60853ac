internal import ModeKit
internal import RouteKit
internal import TextScreen

/// Characters at a place of the map.
struct MapMark {
    var text: String
    /// The row on the map.
    var row: Int
    /// The column of the first character on the map.
    var column: Int
    var style: Style

    /// Whether text in a row would stand on, beside, above or below it.
    func touches(row: Int, columns: Range<Int>) -> Bool {
        abs(row - self.row) <= 1 && columns.overlaps(column - 1..<column + text.cells + 1)
    }
}

/// The marks of the map: points, vehicles, home, the cursor, and those of the background.
struct MapMarks {
    let state: MapTrajectoryScreenState
    let projection: MapProjection

    /// Towers and the like.
    var background: [MapMark] {
        state.background.filter { $0.corners.count == 1 }.compactMap {
            mark(MapFeatureStyle.of($0.kind).mark, $0.corners.first, .muted)
        }
    }

    /// The others, in drawing order: the selected point and vehicle are drawn over their neighbours.
    var route: [MapMark] {
        let (points, vehicles) = (state.route.points, state.vehicles)
        var marks = [mark("⌂", state.home, Style.plain.adding(.bold))]
        marks += points.filter { !$0.isSelected }.map(mark)
        marks += vehicles.filter { !$0.isSelected }.map(mark)
        marks.append(mark("+", state.cursor, Style.plain.adding([.bold, .reverse])))
        marks += points.filter(\.isSelected).map(mark)
        marks += vehicles.filter(\.isSelected).map(mark)
        return marks.compactMap { $0 }
    }

    private func mark(_ point: RouteMarker) -> MapMark? {
        let style: Style = point.hasFinding ? .tone(.danger) : Style.tone(.accent).adding(.bold)
        let text = RouteGlyphs.label(point)
        // Shifted aside under the vehicle, so that both are visible.
        let shift = isUnderVehicle(point.place) ? 2 : 0
        return point.isSelected
            ? mark("[\(text)]", point.place, style.adding(.reverse), shift: shift - 1)
            : mark(text, point.place, style, shift: shift)
    }

    private func isUnderVehicle(_ place: MapPlace) -> Bool {
        guard let vehicle = state.vehicles.first(where: \.isSelected), let there = projection.cell(vehicle.place),
            let here = projection.cell(place)
        else { return false }
        return there == here
    }

    private func mark(_ vehicle: MapVehicle) -> MapMark? {
        let arrow = String(RouteGlyphs.arrow(vehicle.headingRadians)) + (vehicle.isOld ? "?" : "")
        if vehicle.isSelected {
            let style: Style = vehicle.isOld ? .tone(.warning) : Style.tone(.accent)
            return mark(arrow, vehicle.place, style.adding([.bold, .reverse]))
        }
        return mark(arrow + vehicle.title, vehicle.place, vehicle.isOld ? .tone(.warning) : .tone(.second))
    }

    private func mark(_ text: String, _ place: MapPlace?, _ style: Style, shift: Int = 0) -> MapMark? {
        guard let place, let cell = projection.cell(place), projection.shows(cell) else { return nil }
        return MapMark(text: text, row: cell.row, column: cell.column + shift, style: style)
    }
}
