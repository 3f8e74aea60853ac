import RouteFlight
import CommandLineKit
import ReportKit
import TextScreen
import Trajectories
import UAVLink

/// `uavlink trajectory check`
enum TrajectoryCheckCommand: Subcommand {
    static let spec = CommandSpec(
        "check", summary: "make a trajectory from a file of points, and check whether it can be flown",
        discussion: """
            Exits with 0 when no check failed, else with 1. The vehicle is asked for its limits when it can be
            reached; nothing is sent to it.
            """,
        arguments: [RouteOptions.file, RouteOptions.offline] + RouteOptions.all, exclusive: RouteOptions.exclusive)

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        try await withOptionalLink(arguments, in: session) { link in
            let planned = try await PlannedFile(try arguments[RouteOptions.file], arguments, over: link, in: session)
            await planned.tell(session)
            return planned.plan.report.isOK ? .done : .refused
        }
    }
}

/// `uavlink trajectory preview`
enum TrajectoryPreviewCommand: Subcommand {
    static let columns = Argument.option(
        "columns", ValueKind<Int>.integer(in: 20...500), default: 78, defaultText: "78", help: "width of the drawing")
    static let rows = Argument.option(
        "rows", ValueKind<Int>.integer(in: 5...200), default: 20, defaultText: "20", help: "height of the drawing")

    static let spec = CommandSpec(
        "preview", summary: "draw the trajectory of a file of points, seen from above",
        discussion: "The dots are the sampled path; the points are numbered. --json prints the same as 'check'.",
        arguments: [RouteOptions.file, RouteOptions.offline, columns, rows] + RouteOptions.all,
        exclusive: RouteOptions.exclusive)

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let size = ScreenSize(rows: try arguments[rows], columns: try arguments[columns])
        return try await withOptionalLink(arguments, in: session) { link in
            let planned = try await PlannedFile(try arguments[RouteOptions.file], arguments, over: link, in: session)
            for line in TrajectoryDrawing(planned.plan.generated, size).lines { session.console.result(line) }
            await planned.tell(session)
            return planned.plan.report.isOK ? .done : .refused
        }
    }
}

/// A top view of a trajectory in braille characters, with numbers at its points; north is up and both axes have the same scale.
struct TrajectoryDrawing {
    let lines: [String]

    init(_ generated: GeneratedTrajectory, _ size: ScreenSize) {
        let places = generated.trajectory.points.map(\.position)
        var plot = BraillePlot(size)
        var (low, high) = (places.first ?? .zero, places.first ?? .zero)
        for place in places {
            low = Vector3(x: min(low.x, place.x), y: min(low.y, place.y), z: 0)
            high = Vector3(x: max(high.x, place.x), y: max(high.y, place.y), z: 0)
        }
        // Two dots stay free at each edge. Dots are square.
        let metresPerDot = max(
            (high.x - low.x) / Double(plot.width - 5), (high.y - low.y) / Double(plot.height - 5), 0.001)
        func dot(_ place: Vector3) -> (x: Double, y: Double) {
            (
                Double(plot.width) / 2 + (place.x - (low.x + high.x) / 2) / metresPerDot,
                Double(plot.height) / 2 - (place.y - (low.y + high.y) / 2) / metresPerDot
            )
        }
        var last: (x: Double, y: Double)?
        for place in places {
            let here = dot(place)
            if let last { plot.line(fromX: last.x, y: last.y, toX: here.x, y: here.y) }
            last = here
        }
        var canvas = Canvas(size)
        plot.draw(on: &canvas, in: canvas.area)
        for (index, point) in generated.points.enumerated() {
            let here = dot(point.position)
            canvas.write(
                "\(index + 1)", row: Int(saturating: here.y) / 4, column: Int(saturating: here.x) / 2, in: canvas.area)
        }
        let width = metresPerDot * 20
        let rounded = width >= 10 ? "\(Int(saturating: width.rounded()))" : "\((width * 100).rounded() / 100)"
        lines = canvas.lines + ["|" + String(repeating: "-", count: 8) + "| \(rounded) m, north is up"]
    }
}
