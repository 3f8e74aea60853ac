import RouteFlight
import RouteKit
import CommandLineKit
import ReportKit
import SystemKit
import TextScreen
import Trajectories
import UAVLink

/// `uavlink trajectory check`
enum TrajectoryCheckCommand: Subcommand {
    static let spec = CommandSpec(
        "check", summary: "make a trajectory from a file of points, and check whether it can be flown",
        discussion: """
            Exits with 0 when no check failed, else with 1. The vehicle is asked for its limits and its world when it can be
            reached; nothing is sent to it. Without --world, and without a world file in the profile, the safety area and the
            obstacles are those of the vehicle's own world ('uavlink map world'); the report names the world that was used.
            """,
        arguments: [RouteOptions.file, RouteOptions.offline] + RouteOptions.all, exclusive: RouteOptions.exclusive)

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let input = try await RouteInput(try arguments[RouteOptions.file], arguments, in: session)
        return try await withOptionalLink(arguments, in: session) { link in
            let planned = try await PlannedFile(input, arguments, over: link, in: session)
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
        discussion: """
            The dots are the sampled path; the points are numbered. The safety area (as for 'check') and the geofence of a plan
            are dashed, obstacles are marked with X. --json prints the same as 'check'.
            """,
        arguments: [RouteOptions.file, RouteOptions.offline, columns, rows] + RouteOptions.all,
        exclusive: RouteOptions.exclusive)

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let size = ScreenSize(rows: try arguments[rows], columns: try arguments[columns])
        let input = try await RouteInput(try arguments[RouteOptions.file], arguments, in: session)
        return try await withOptionalLink(arguments, in: session) { link in
            let planned = try await PlannedFile(input, arguments, over: link, in: session)
            let appearance = Appearance(environment: HostProcess.environment)
            for line in TrajectoryDrawing(planned.plan, size).lines {
                session.console.result(appearance.spelled(line))
            }
            await planned.tell(session)
            return planned.plan.report.isOK ? .done : .refused
        }
    }
}
