import RouteFlight
import CommandLineKit
import ReportKit
import Trajectories
import UAVLink
import VehicleAccess

/// `uavlink trajectory send`
enum TrajectorySendCommand: Subcommand {
    static let force = Argument.flag("force", help: "do it even if a check failed")

    static let spec = CommandSpec(
        "send", summary: "make a trajectory from a file of points, check it, and load it on the vehicle",
        discussion: """
            Nothing is sent when a check fails, unless --force is given. Nothing moves: 'trajectory goto-start' and 'trajectory
            start' fly it.
            """,
        arguments: [RouteOptions.file, force] + RouteOptions.all, exclusive: RouteOptions.exclusive)

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let input = try await RouteInput(try arguments[RouteOptions.file], arguments, in: session)
        return try await session.withLink { link in try await send(input, arguments, over: link, in: session) }
    }

    @MainActor
    private static func send(
        _ input: RouteInput, _ arguments: ParsedCommand, over link: any UAVLink, in session: CommandSession
    ) async throws -> ExitCode {
        let planned = try await PlannedFile(input, arguments, over: link, in: session)
        guard let controller = planned.controller else { return .noLink }
        for line in planned.plan.report.lines { session.console.progress(line) }
        let confirmed: ConfirmedPlan
        do {
            confirmed = try FlightConfirmation(planned.plan).accept(force: try arguments[force])
        } catch let failure as TrajectoryFlightFailure {
            session.console.result(planned.plan.report.json)
            throw failure
        }
        let progress = ProgressLine("sending", session.console)
        session.sent.set()
        let reply = try await controller.send(confirmed, onProgress: progress.onProgress)
        progress.end()
        let isOK = controller.held?.isChangedByVehicle == false
        session.console.result([
            "ok": .bool(isOK), "message": .string(reply.message),
            "target": .string(session.connector.target),
            "round_trip_ms": .number(reply.roundTrip.inMilliseconds), "modified": .bool(reply.trajectoryModified),
            "samples": JSONValue(planned.plan.report.samples), "report": planned.plan.report.json,
        ])
        guard isOK else { throw TrajectoryFlightFailure.changedByVehicle }
        session.console.result(
            "\(session.connector.target): "
                + "\(reply.message.isEmpty ? "accepted" : reply.message.sanitizedLine) "
                + "(\(planned.plan.report.samples) samples in \(reply.roundTrip.inSeconds.formatted(decimals: 2)) s)")
        return .done
    }
}
