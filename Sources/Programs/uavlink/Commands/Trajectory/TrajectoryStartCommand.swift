import FlightControl
import RouteFlight
import CommandLineKit
import ReportKit
import Trajectories
import UAVLink
import VehicleAccess

/// `uavlink trajectory start`
enum TrajectoryStartCommand: Subcommand {
    static let file = Argument.optionalParameter(
        "FILE", .path, help: "the file that was sent, with the same options, to compare the flight with it")
    static let svg = Argument.option("svg", .path, help: "draw planned and flown into this file; needs FILE and --wait")
    static let png = Argument.option("png", .path, help: "the same as PNG")

    static let spec = CommandSpec(
        "start", summary: "follow the loaded trajectory",
        discussion: """
            The vehicle must be at the start of the trajectory ('goto-start'): from afar it cuts across to the moving trajectory,
            on a way that no check has seen. With FILE nothing is started there, when a check fails, unless --force is given, or
            when the vehicle holds a trajectory of another length; without FILE it is not known where the start is. With --wait
            it shows the progress and returns when the trajectory was flown; it fails with 1 when it is stopped before its end.
            With FILE and --wait it also prints the deviation from the plan, and takes the snapshots; a flight that was not along
            FILE fails with 1. A recording then has the plan.
            """,
        arguments: [file, FlightOptions.wait, svg, png, TrajectorySendCommand.force] + RouteOptions.all,
        exclusive: RouteOptions.exclusive)

    private static let unchecked =
        "not checked whether the vehicle is at the start of the trajectory: from afar it cuts across to the moving "
        + "trajectory, on a way that no check has seen; 'uavlink trajectory start FILE' checks that"

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        guard let path = try arguments[file] else {
            session.console.warning(unchecked, isInResults: true)
            session.warnOfUnrecordedPlan()
            return try await fly(.startTrajectory, arguments, in: session)
        }
        let input = try await RouteInput(path, arguments, in: session)
        return try await session.withLink { link in
            try await start(input, arguments, over: link, in: session)
        }
    }

    @MainActor
    private static func start(
        _ input: RouteInput, _ arguments: ParsedCommand, over link: any UAVLink, in session: CommandSession
    ) async throws -> ExitCode {
        let planned = try await PlannedFile(input, arguments, over: link, in: session)
        guard let controller = planned.controller else { return .noLink }
        try planned.requireClear(arguments, in: session)
        try await planned.requireHeld(within: session.limits.firstTelemetry)
        session.sent.set()
        try await controller.start()
        planned.record(in: session)
        guard try arguments[FlightOptions.wait] else {
            session.console.result(["ok": true])
            session.console.result("\(session.connector.target): the trajectory has started")
            return .done
        }
        session.console.progress("\(session.connector.target): the trajectory has started")
        let failure = Self.failure(of: try await watch(controller, planned.plan, session), link)
        if let track = controller.flight.track, let error = track.error {
            var comparison = FlightComparison(
                vehicle: link.latestTelemetry?.vehicle ?? "", plan: planned.plan.generated.trajectory,
                points: planned.plan.generated.points.map(\.position), flown: track.flown, error: error)
            comparison.failure = failure?.what
            try await TrajectoryCompareCommand.draw(comparison, svg: try arguments[svg], png: try arguments[png])
            session.console.result(comparison.json)
            for line in comparison.lines { session.console.result(line) }
        } else {
            session.console.result(["ok": .bool(failure == nil)])
        }
        if let failure { throw failure }
        session.console.result("\(session.connector.target): the trajectory was flown to its end")
        return .done
    }

    /// Why the trajectory was not flown to its end; `nil` if it was.
    private static func failure(of end: RouteFlightEnd, _ link: any UAVLink) -> CommandFailure? {
        let telemetry = link.latestTelemetry
        let position = telemetry?.pose?.value.positionMetres
        return end.problem(at: position, telemetry?.flight?.value.state ?? .unknown).map { problem in
            CommandFailure(problem, code: end == .notEnded ? .timedOut : .refused, ofVehicle: true)
        }
    }

    /// Watches until the vehicle stops following the trajectory.
    @MainActor
    private static func watch(
        _ controller: RouteFlightController, _ plan: TrajectoryPlan, _ session: CommandSession
    ) async throws -> RouteFlightEnd {
        let progress = ProgressLine("flown", session.console)
        defer { progress.end() }
        return try await waiting(for: .startTrajectory) {
            try await controller.watch(
                until: session.clock.now + plan.flightTimeout,
                snapshot: { session.console.progress("snapshot at point \($0 + 1)") },
                onProgress: progress.onProgress)
        }
    }
}
