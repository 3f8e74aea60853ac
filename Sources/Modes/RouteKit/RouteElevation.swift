internal import ReportKit
package import TextScreen
internal import UAVLink

/// The route from the side: the height of its points over the distance flown.
package struct RouteElevation {
    private let points: [RouteMarker]
    private let distances: [Double]
    private let obstacles: [ElevationObstacle]

    /// A view of a route's points, and of the obstacles along it.
    package init(_ points: [RouteMarker], _ obstacles: [ElevationObstacle] = []) {
        self.points = points
        self.obstacles = obstacles
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
            let scale = AxisScale(points.map(\.position.z) + [0] + obstacleHeights, minimumSpan: 1)
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

    /// The ends of obstacles that are on the scale: of one that is much higher than the route only so much that it is seen to be higher.
    private var obstacleHeights: [Double] {
        let heights = points.map(\.position.z) + [0]
        guard let least = heights.min(), let most = heights.max() else { return [] }
        let reach = max(1, (most - least) / 2)
        return obstacles.flatMap { [$0.lowest, $0.highest] }.filter(\.isFinite)
            .map { min(max($0, least - reach), most + reach) }
    }

    private func draw(
        _ obstacle: ElevationObstacle, _ scale: AxisScale, _ length: Double, in plot: inout BraillePlot
    ) {
        let (width, height) = (Double(plot.width - 1), Double(plot.height - 1))
        func y(_ z: Double) -> Double { (1 - min(max(scale.share(of: z), 0), 1)) * height }
        let left = min(obstacle.metres.lowerBound / length * width, width)
        let right = min(max(obstacle.metres.upperBound / length * width, left + 1), width)
        let (bottom, top) = (y(obstacle.lowest), y(obstacle.highest))
        for x in [left, right] { plot.line(fromX: x, y: bottom, toX: x, y: top, .tone(.danger)) }
        for (z, y) in [(obstacle.lowest, bottom), (obstacle.highest, top)] where z >= scale.low && z <= scale.high {
            plot.line(fromX: left, y: y, toX: right, y: y, .tone(.danger))
        }
    }

    private func plot(_ scale: AxisScale, _ length: Double, on canvas: inout Canvas, in area: ScreenArea) {
        var plot = BraillePlot(ScreenSize(rows: area.rows, columns: area.columns))
        let (width, height) = (Double(plot.width - 1), Double(plot.height - 1))
        let dots = zip(points, distances).map { point, distance in
            (x: distance / length * width, y: (1 - scale.share(of: point.position.z)) * height)
        }
        for obstacle in obstacles { draw(obstacle, scale, length, in: &plot) }
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
