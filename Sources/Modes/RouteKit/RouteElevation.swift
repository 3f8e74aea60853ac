internal import ReportKit
package import TextScreen
internal import UAVLink

/// The route from the side: the height of its points over the distance flown.
package struct RouteElevation {
    private let points: [RouteMarker]
    private let distances: [Double]

    /// A view of a route's points.
    package init(_ points: [RouteMarker]) {
        self.points = points
        var distance = 0.0
        var distances: [Double] = []
        for (index, point) in points.enumerated() {
            if index > 0 { distance += (point.position - points[index - 1].position).length }
            distances.append(distance)
        }
        self.distances = distances
    }

    private static let scaleColumns = 10

    package func draw(on canvas: inout Canvas, in area: ScreenArea) {
        let inside = canvas.box(area, title: "from the side")
        guard points.count > 1, let length = distances.last, length.isFinite, length > 0,
            let scale = AxisScale(points.map(\.position.z) + [0], minimumSpan: 1)
        else {
            canvas.write("needs two points", row: inside.rows / 2, column: 1, in: inside, .muted)
            return
        }
        let (upper, times) = inside.split(top: inside.rows - 1)
        let (labels, field) = upper.split(left: Self.scaleColumns)
        guard field.rows > 1, field.columns > 4 else { return }
        for row in 0..<labels.rows {
            canvas.writeRight(row == 0 || row == labels.rows - 1 ? "┤" : "│", row: row, in: labels, .muted)
        }
        for (row, value) in [(0, scale.high), (labels.rows - 1, scale.low)] {
            canvas.writeRight("z \(scale.label(value)) m", row: row, margin: 2, in: labels, .muted)
        }
        plot(scale, length, on: &canvas, in: field)
        // With its unit: a bare 0 under a point's number would read as part of it.
        canvas.write("0 m", row: 0, column: Self.scaleColumns, in: times, .muted)
        canvas.writeRight("\(length.formatted(decimals: 0)) m along the route", row: 0, in: times, .muted)
    }

    private func plot(_ scale: AxisScale, _ length: Double, on canvas: inout Canvas, in area: ScreenArea) {
        var plot = BraillePlot(ScreenSize(rows: area.rows, columns: area.columns))
        let (width, height) = (Double(plot.width - 1), Double(plot.height - 1))
        let dots = zip(points, distances).map { point, distance in
            (x: distance / length * width, y: (1 - scale.share(of: point.position.z)) * height)
        }
        for (from, to) in zip(dots, dots.dropFirst()) {
            plot.line(fromX: from.x, y: from.y, toX: to.x, y: to.y, .tone(.accent))
        }
        plot.draw(on: &canvas, in: area)
        for (point, dot) in zip(points, dots) where dot.x.isFinite && dot.y.isFinite {
            let style: Style = point.hasFinding ? .tone(.danger) : Style.tone(.accent).adding(.bold)
            canvas.write(
                RouteGlyphs.label(point), row: min(area.rows - 1, Int(saturating: dot.y / 4)),
                column: min(area.columns - 1, Int(saturating: dot.x / 2)), in: area,
                point.isSelected ? style.adding(.reverse) : style)
        }
    }
}
