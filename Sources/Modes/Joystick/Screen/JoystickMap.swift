internal import ReportKit
internal import TextScreen
internal import UAVLink

/// Draws the top view of the vehicle, north up, with trail, velocity and predicted position, and a height bar beside it.
enum JoystickMap {
    /// The scales: metres from the centre to the nearest edge; the smallest that shows everything is used.
    private static let reaches: [Double] = [2, 5, 10, 20, 50, 100, 200, 500]
    /// The velocity is drawn as the distance travelled in this time.
    private static let velocitySeconds = 1.0
    private static let heightColumns = 7
    /// The fewest columns with a view.
    static let columns = 20

    static func draw(_ state: JoystickScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        guard area.rows >= 6, area.columns >= columns else { return }
        let (boxed, words) = area.split(top: area.rows - 2)
        let (plotArea, heightArea) = boxed.split(left: boxed.columns - (state.hasHeight ? heightColumns : 0))
        let inside = canvas.box(plotArea, title: .fitting(plotArea.columns - 6, "from above, north up", "north up"))
        if state.hasHeight { drawHeight(state, on: &canvas, in: heightArea) }
        guard let map = state.map else {
            let text = inside.inset(top: max(0, inside.rows / 2), left: 1, right: 1)
            canvas.writeParagraph(state.mapObstacle ?? "no position yet", in: text, .muted)
            motion(state, on: &canvas, in: words)
            return
        }
        let scale = Scale(map, inside)
        plot(map, scale, on: &canvas, in: inside)
        let reach = "\(scale.reachMetres.formatted(decimals: 0)) m"
        canvas.writeRight(" edge at \(reach) ", row: plotArea.rows - 1, margin: 1, in: plotArea, .muted)
        legend(state, map, on: &canvas, in: words)
    }

    /// Converts metres to dots of the plot, with the last confirmed position in the centre.
    private struct Scale {
        let reachMetres: Double
        let dotsPerMetre: Double
        let middle: (x: Double, y: Double)
        let centre: Vector3

        init(_ map: JoystickScreenState.Map, _ area: ScreenArea) {
            let (width, height) = (Double(area.columns * 2), Double(area.rows * 4))
            // Dots are square in most fonts, whose cells are twice as high as wide.
            let half = max(1, min(width, height) / 2 - 1)
            let ahead = map.velocity * velocitySeconds
            let far =
                ([ahead] + (map.predicted.map { [$0 - map.position] } ?? [])
                + map.trail.suffix(100).map { $0 - map.position })
                .map { max($0.x.magnitude, $0.y.magnitude) }.max() ?? 0
            reachMetres = reaches.first { $0 >= far } ?? 500
            dotsPerMetre = half / reachMetres
            // The centre of a cell, so that small changes stay within it.
            middle = (Double(area.columns / 2 * 2) + 0.5, Double(area.rows / 2 * 4) + 1.5)
            centre = map.position
        }

        func dot(_ place: Vector3) -> (x: Double, y: Double) {
            (middle.x + (place.x - centre.x) * dotsPerMetre, middle.y - (place.y - centre.y) * dotsPerMetre)
        }
    }

    private static func plot(
        _ map: JoystickScreenState.Map, _ scale: Scale, on canvas: inout Canvas, in area: ScreenArea
    ) {
        var plot = BraillePlot(ScreenSize(rows: area.rows, columns: area.columns))
        for place in map.trail {
            let dot = scale.dot(place)
            guard dot.x.magnitude < 1e6, dot.y.magnitude < 1e6 else { continue }
            plot.set(x: Int(saturating: dot.x.rounded(.down)), y: Int(saturating: dot.y.rounded(.down)), .muted)
        }
        let from = scale.dot(map.position)
        let to = scale.dot(map.position + map.velocity * velocitySeconds)
        plot.line(fromX: from.x, y: from.y, toX: to.x, y: to.y, .tone(.accent))
        plot.draw(on: &canvas, in: area)
        if let home = map.home { mark("⌂", scale.dot(home), Style.plain.adding(.bold), on: &canvas, in: area) }
        if let predicted = map.predicted { mark("◇", scale.dot(predicted), .tone(.second), on: &canvas, in: area) }
        mark(arrow(map.headingRadians), from, Style.tone(.accent).adding(.bold), on: &canvas, in: area)
    }

    private static func mark(
        _ character: Character, _ dot: (x: Double, y: Double), _ style: Style, on canvas: inout Canvas,
        in area: ScreenArea
    ) {
        guard dot.x.isFinite, dot.y.isFinite, dot.x.magnitude < 1e6, dot.y.magnitude < 1e6 else { return }
        canvas.write(
            String(character), row: Int(saturating: (dot.y / 4).rounded(.down)),
            column: Int(saturating: (dot.x / 2).rounded(.down)), in: area,
            style)
    }

    /// The arrow nearest to a heading (0 east, counter-clockwise).
    private static func arrow(_ radians: Double) -> Character {
        let arrows: [Character] = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"]
        guard radians.isFinite else { return "?" }
        let eighth = Int(saturating: (Heading.wrapped(radians) / (.pi / 4)).rounded())
        return arrows[(eighth + 8) % 8]
    }

    private static func legend(
        _ state: JoystickScreenState, _ map: JoystickScreenState.Map, on canvas: inout Canvas, in area: ScreenArea
    ) {
        let speed = (map.velocity.x * map.velocity.x + map.velocity.y * map.velocity.y).squareRoot()
        let degrees = Heading.degrees(radians: map.headingRadians)
        let (place, heading) = (
            "x \(metres(map.position.x)) y \(metres(map.position.y))", "hdg \(degrees.formatted(decimals: 0))"
        )
        let moves = "\(speed.formatted(decimals: 1)) m/s"
        canvas.write(
            String.fitting(area.columns, "\(place) \(heading) \(moves)", "\(place) \(moves)", place), row: 0, in: area)
        let age = state.poseAge.map { " \($0.inMilliseconds.formatted(decimals: 0)) ms ago" } ?? ""
        let style = ageStyle(state.poseAge)
        let arrow = arrow(map.headingRadians)
        let home = map.home.map { home in
            let way = home - map.position
            return "  ⌂ \((way.x * way.x + way.y * way.y).squareRoot().formatted(decimals: 0)) m"
        }
        let (predicted, way) = ("  ◇ predicted", home ?? "")
        canvas.write(
            String.fitting(
                area.columns, "\(arrow) confirmed\(age)\(predicted)\(way)", "\(arrow)\(age)\(predicted)\(way)",
                "\(arrow)\(age)\(way)", "\(arrow)\(age)"), row: 1, in: area, style)
    }

    /// What is known of the motion of a vehicle without a position.
    private static func motion(_ state: JoystickScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        let figures = JoystickFigures(state: state)
        guard let speed = figures.motion.first else { return }
        let height = state.heightMetres.map { ["height \(metres($0)) m"] } ?? []
        canvas.write(
            String.fitting(
                area.columns, (figures.motion + height).joined(separator: ", "),
                ([speed] + height).joined(separator: ", "), speed), row: 0, in: area)
        guard let age = state.velocityAge else { return }
        canvas.write(
            "\(age.inMilliseconds.formatted(decimals: 0)) ms ago", row: 1, in: area, ageStyle(age))
    }

    /// What is older than 0.5 s is shown as stale.
    private static func ageStyle(_ age: Duration?) -> Style {
        (age ?? .zero) > .milliseconds(500) ? .tone(.warning) : .muted
    }

    private static func metres(_ value: Double) -> String { value.formatted(decimals: 1) }

    private static func drawHeight(_ state: JoystickScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        let inside = canvas.box(area, title: "")
        guard let height = state.heightMetres, height.isFinite else { return }
        let choices: [Double] = [5, 10, 20, 50, 100, 200, 500]
        let top = choices.first { $0 >= height } ?? 500
        let bar = inside.inset(top: 1, bottom: 1)
        let filled = Int(saturating: (min(max(height / top, 0), 1) * Double(bar.rows)).rounded())
        canvas.write("\(top.formatted(decimals: 0)) m", row: 0, in: inside, .muted)
        for row in 0..<bar.rows {
            let isFull = bar.rows - row <= filled
            canvas.write(isFull ? " ███" : " │", row: row, in: bar, isFull ? .tone(.accent) : .muted)
        }
        canvas.write(
            String.fitting(
                inside.columns, "\(height.formatted(decimals: 1)) m", "\(height.formatted(decimals: 0)) m",
                height.formatted(decimals: 0)),
            row: inside.rows - 1, in: inside)
    }
}
