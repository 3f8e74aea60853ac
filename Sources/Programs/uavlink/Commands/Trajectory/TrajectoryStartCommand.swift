import RouteFlight
import CommandLineKit
import ReportKit
import Trajectories
import UAVLink

/// `uavlink trajectory start`
enum TrajectoryStartCommand: Subcommand {
    static let file = Argument.optionalParameter(
        "FILE", .path, help: "the file that was sent, with the same options, to compare the flight with it")
    static let svg = Argument.option("svg", .path, help: "draw planned and flown into this file; needs FILE and --wait")
    static let png = Argument.option("png", .path, help: "the same as PNG")

    static let spec = CommandSpec(
        "start", summary: "follow the loaded trajectory",
        discussion: """
            With --wait it shows the progress and returns when the trajectory was flown. With FILE and --wait it also prints
            the deviation from the plan, and takes the snapshots. With
            FILE nothing is started when a check fails, unless --force is given.
            """,
        arguments: [file, FlightOptions.wait, svg, png, TrajectorySendCommand.force] + RouteOptions.all,
        exclusive: RouteOptions.exclusive)

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        guard let path = try arguments[file] else { return try await fly(.startTrajectory, arguments, in: session) }
        return try await session.withLink { link in
            try await start(path, arguments, over: link, in: session)
        }
    }

    @MainActor
    private static func start(
        _ path: String, _ arguments: ParsedCommand, over link: any UAVLink, in session: CommandSession
    ) async throws -> ExitCode {
        let planned = try await PlannedFile(path, arguments, over: link, in: session)
        guard let controller = planned.controller else { return .noLink }
        for line in planned.plan.report.lines { session.console.progress(line) }
        do {
            _ = try FlightConfirmation(planned.plan).accept(force: try arguments[TrajectorySendCommand.force])
        } catch let failure as TrajectoryFlightFailure {
            session.console.result(planned.plan.report.json)
            throw failure
        }
        controller.adopt(planned.plan)
        try await controller.start()
        session.console.progress("the trajectory has started")
        guard try arguments[FlightOptions.wait] else {
            session.console.result(["ok": true])
            return .done
        }
        let ended = try await watch(controller, planned.plan, session)
        guard let track = controller.flight.track, let error = track.error else {
            session.console.result(["ok": .bool(ended)], failure: "the trajectory did not end in time")
            return ended ? .done : .timedOut
        }
        let comparison = FlightComparison(
            vehicle: link.latestTelemetry?.vehicle ?? "", plan: planned.plan.generated.trajectory,
            points: planned.plan.generated.points.map(\.position), flown: track.flown, error: error)
        try await TrajectoryCompareCommand.draw(comparison, svg: try arguments[svg], png: try arguments[png])
        session.console.result(comparison.json)
        for line in comparison.lines { session.console.result(line) }
        return ended ? .done : .timedOut
    }

    /// Watches until the vehicle stops following the trajectory.
    ///
    /// - Returns: false when it did not end in time.
    @MainActor
    private static func watch(
        _ controller: RouteFlightController, _ plan: TrajectoryPlan, _ session: CommandSession
    ) async throws -> Bool {
        // The vehicle may first fly to the start by itself: allow the same time again, and a minute.
        let deadline = session.clock.now + .seconds(2 * plan.report.durationSeconds + 60)
        let progress = ProgressLine("flown", session.console)
        defer { progress.end() }
        return try await controller.watch(
            until: deadline, snapshot: { session.console.progress("snapshot at point \($0 + 1)") },
            onProgress: progress.onProgress)
    }
}
