import FlightRecorder
import CommandLineKit
import ReportKit
import UAVLink
import VehicleAccess

/// `uavlink review`
enum ReviewCommand: Subcommand {
    static let file = Argument.parameter(
        "FILE", .path, help: "a file that was recorded with --record, or the folder of a ROS 2 bag")
    static let replay = Argument.flag(
        "replay",
        help:
            "send the commands and setpoints, at the recorded intervals, to a simulated MRS vehicle at the recorded place"
    )

    static let spec = CommandSpec(
        "review", summary: "report on a recorded flight, or replay it in the simulator",
        discussion: """
            Shows the flown path, each command with its answer and when it was sent, received, applied and answered,
            the age of setpoints, and events. Recordings are ROS 1 bags, which rosbag and PlotJuggler read too, or MCAP files
            of ROS 2, which Foxglove and 'ros2 bag' read too.
            A recording of another machine than an MRS vehicle (Tello, AR.Drone, Bluno) is shown, but not replayed.
            """,
        arguments: [file, replay],
        examples: [
            .init("uavlink --record flight.bag takeoff --arm --wait", "record a flight"),
            .init("uavlink review flight.bag", "show it"),
            .init("uavlink review flight.bag --replay", "replay it in the simulator"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let path = try arguments[file]
        let log = try await FlightLogFile.read(path)
        guard try arguments[replay] else {
            let review = FlightReview(log, path: path)
            session.console.success(review.json)
            if !session.console.isJSON { session.console.result(String(review.text.dropLast())) }
            return .done
        }
        return try await self.replay(log, path, in: session)
    }

    private static func replay(_ log: FlightLog, _ path: String, in session: CommandSession) async throws -> ExitCode {
        let link: any UAVLink = try session.connector.profile.simulatedLink(start: log.start)
        if let refusal = FlightReplay.refusal(of: log, path: path, for: link.vehicleCapabilities) { throw refusal }
        try await link.connect(within: session.timeout)
        let replay = FlightReplay(link: link, timeSource: SystemTimeSource(), timeout: session.timeout)
        let report = await replay.run(log) { step in
            session.console.result(
                "\(step.atSeconds.formatted(decimals: 2)) s  \(step.name.sanitizedLine): \(words(step).sanitizedLine)")
        }
        await link.close()
        tell(report, in: session)
        if report.isInterrupted { return .interrupted }
        return report.problem == nil ? .done : .refused
    }

    private static func words(_ step: FlightReplay.Step) -> String {
        let recorded = step.recorded.map { $0.accepted ? "accepted" : "refused (\($0.message))" } ?? "no answer"
        let now =
            switch step.replayed {
            case .success(let reply): reply.accepted ? "accepted" : "refused (\(reply.message))"
            case .failure(let error): "failed (\(error.description))"
            }
        return step.agrees ? "\(now), as recorded" : "\(now); recorded: \(recorded)"
    }

    private static func tell(_ report: FlightReplay.Report, in session: CommandSession) {
        let differing = report.steps.count { !$0.agrees }
        let result: JSONValue = [
            "ok": .bool(report.problem == nil), "commands": JSONValue(report.steps.count),
            "differing": JSONValue(differing), "unreadable": JSONValue(report.unreadable),
            "setpoints": JSONValue(report.setpoints), "refused_setpoints": JSONValue(report.refusedSetpoints),
            "start_difference_m": JSONValue(report.startDifferenceMetres),
            "end_difference_m": JSONValue(report.endDifferenceMetres),
            "displacement_difference_m": JSONValue(report.displacementDifferenceMetres),
            "took_off_first": .bool(report.tookOffFirst), "take_off_problem": JSONValue(report.takeOffProblem),
            "sent_trajectory_first": .bool(report.sentTrajectoryFirst),
            "trajectory_problem": JSONValue(report.trajectoryProblem),
        ]
        session.console.result(result, failure: report.problem)
        if report.isInterrupted { session.console.error("interrupted") }
        let commands = report.steps.count == 1 ? "1 command" : "\(report.steps.count) commands"
        var line = "\(commands), \(differing) with another answer; \(report.setpoints) setpoints"
        if report.refusedSetpoints > 0 { line += ", \(report.refusedSetpoints) refused" }
        if let words = report.differenceWords { line += "; \(words)" }
        session.console.result(line)
        if report.sentTrajectoryFirst {
            session.console.result(
                report.trajectoryProblem.map { "the trajectory that the recorded vehicle held was not accepted: \($0)" }
                    ?? "the recorded vehicle held a trajectory already: it was sent first")
        }
        guard report.tookOffFirst else { return }
        session.console.result(
            report.takeOffProblem.map { "the recording begins in flight, and the take-off before it failed: \($0)" }
                ?? "the recording begins in flight: the vehicle took off before it")
    }
}
