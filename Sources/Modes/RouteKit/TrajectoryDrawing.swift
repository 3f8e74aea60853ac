internal import FlightVolume
internal import ReportKit
package import RouteFlight
package import TextScreen
internal import Trajectories
internal import UAVLink

/// A top view of a trajectory in braille characters, with numbers at its points, and of where it may fly; north is up and both
/// axes have the same scale.
package struct TrajectoryDrawing {
    /// The drawing, and below it what its signs mean.
    package let lines: [String]

    /// Draws a plan.
    package init(_ plan: TrajectoryPlan, _ size: ScreenSize) {
        let limits = ([plan.conditions.volume].compactMap(\.self) + plan.conditions.fileLimits.map(\.volume))
            .filter(\.isEnabled)
        let areas = limits.map(\.corners).filter { !$0.isEmpty }
        let obstacles = limits.flatMap(\.obstacles).map(\.outline).filter { !$0.isEmpty }
        let path = plan.generated.trajectory.points.map { SIMD2($0.position.x, $0.position.y) }
        let ground = DrawnGround(path, around: areas + obstacles)
        var plot = BraillePlot(size)
        // Two dots stay free at each edge. Dots are square.
        let metresPerDot = max(
            ground.width / Double(plot.width - 5), ground.height / Double(plot.height - 5), 0.001)
        let middle = SIMD2(Double(plot.width), Double(plot.height)) / 2
        func dot(_ place: SIMD2<Double>) -> SIMD2<Double> {
            let off = (place - ground.centre) / metresPerDot
            return SIMD2(middle.x + off.x, middle.y - off.y)
        }
        func draw(_ outline: [SIMD2<Double>], isClosed: Bool, _ dashes: BraillePlot.Dashes = .none) {
            var last = isClosed ? outline.last.map(dot) : nil
            var phase = 0
            for place in outline {
                let here = dot(place)
                if let last {
                    phase = plot.line(
                        fromX: last.x, y: last.y, toX: here.x, y: here.y, dashes: dashes, phase: phase)
                }
                last = here
            }
        }
        for area in areas { draw(area, isClosed: true, .init(on: 2, off: 3)) }
        for obstacle in obstacles { draw(obstacle, isClosed: true) }
        draw(path, isClosed: false)
        var canvas = Canvas(size)
        plot.draw(on: &canvas, in: canvas.area)
        func write(_ text: String, at place: SIMD2<Double>) {
            let here = dot(place)
            guard here.x >= 0, here.y >= 0 else { return }
            canvas.write(text, row: Int(saturating: here.y) / 4, column: Int(saturating: here.x) / 2, in: canvas.area)
        }
        for obstacle in obstacles {
            let sum = obstacle.reduce(SIMD2<Double>.zero) { $0 + $1 }
            write("X", at: sum / Double(obstacle.count))
        }
        for (index, point) in plan.generated.points.enumerated() {
            write("\(index + 1)", at: SIMD2(point.position.x, point.position.y))
        }
        var lines = canvas.lines + [Self.scale(metresPerDot)]
        if !areas.isEmpty {
            let isWhole = areas.allSatisfy { $0.allSatisfy(ground.contains) }
            lines.append("dashed: where it may fly" + (isWhole ? "" : ", which extends beyond the drawing"))
        }
        if !obstacles.isEmpty {
            let isWhole = obstacles.allSatisfy { $0.allSatisfy(ground.contains) }
            lines.append("X: where it must not fly" + (isWhole ? "" : ", also beyond the drawing"))
        }
        self.lines = lines
    }

    /// A bar of 1, 2 or 5 times a power of ten metres, at most ten columns long.
    private static func scale(_ metresPerDot: Double) -> String {
        let metresPerColumn = metresPerDot * 2
        let most = metresPerColumn * 10
        guard most.isFinite else { return "north is up" }
        var unit = 0.001
        while unit * 10 <= most { unit *= 10 }
        let metres = unit * (most >= 5 * unit ? 5 : most >= 2 * unit ? 2 : 1)
        let columns = max(2, Int(saturating: (metres / metresPerColumn).rounded()))
        let text = metres.formatted(decimals: metres >= 1 ? 0 : metres >= 0.1 ? 1 : metres >= 0.01 ? 2 : 3)
        return "|" + String(repeating: "-", count: columns - 2) + "| \(text) m, north is up"
    }
}

/// The part of the ground that is drawn, metres east and north.
private struct DrawnGround {
    private var low: SIMD2<Double>
    private var high: SIMD2<Double>

    /// How much larger the drawing may become than the path, to show what is around it.
    private static let mostEnlargement = 10.0
    /// A path that is smaller counts as this large, metres.
    private static let smallestPathMetres = 10.0

    /// The path, and what is around it as long as the path stays visible.
    init(_ path: [SIMD2<Double>], around outlines: [[SIMD2<Double>]]) {
        (low, high) = (path.first ?? .zero, path.first ?? .zero)
        for place in path { include(place) }
        let most = max(max(width, height), Self.smallestPathMetres) * Self.mostEnlargement
        for outline in outlines {
            var wider = self
            for corner in outline { wider.include(corner) }
            if max(wider.width, wider.height) <= most { self = wider }
        }
    }

    var width: Double { high.x - low.x }
    var height: Double { high.y - low.y }
    var centre: SIMD2<Double> { (low + high) / 2 }

    func contains(_ place: SIMD2<Double>) -> Bool {
        low.x <= place.x && place.x <= high.x && low.y <= place.y && place.y <= high.y
    }

    private mutating func include(_ place: SIMD2<Double>) {
        low = SIMD2(min(low.x, place.x), min(low.y, place.y))
        high = SIMD2(max(high.x, place.x), max(high.y, place.y))
    }
}
