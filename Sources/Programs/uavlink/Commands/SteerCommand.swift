import FlightControl
import CommandLineKit
import ReportKit
import UAVLink
import VehicleAccess

/// `uavlink steer`
enum SteerCommand: Subcommand {
    /// Wider than any constraint set of the vehicle (fast: 8 m/s): catches typing errors.
    private static let speeds = -10.0...10.0

    static let vx = Argument.option(
        "vx", .number(in: speeds, unit: "m/s"), default: 0, defaultText: "0", help: "east, or forward with --body, m/s")
    static let vy = Argument.option(
        "vy", .number(in: speeds, unit: "m/s"), default: 0, defaultText: "0", help: "north, or left with --body, m/s")
    static let vz = Argument.option(
        "vz", .number(in: speeds, unit: "m/s"), default: 0, defaultText: "0", help: "up, m/s")
    static let headingRate = Argument.option(
        "heading-rate", .degrees(in: -180...180), default: 0, defaultText: "0",
        help: "degrees per second, counter-clockwise positive")
    static let duration = Argument.requiredOption(
        "for", .duration(in: .milliseconds(1) ... .seconds(600)), help: "how long to steer, such as 3s")
    /// The lease ends 200 ms after the last setpoint; a late or lost one must not end it.
    static let rate = Argument.option(
        "rate", .number(in: 10...1000, unit: "Hz"), default: 100, defaultText: "100", help: "setpoints per second")
    static let body = Argument.flag("body", help: "axes of the vehicle: forward, left, up")

    static let spec = CommandSpec(
        "steer", summary: "steer by velocity for a given time, then stop",
        discussion: """
            Setpoints are sent at a fixed rate; the newest wins and none is queued. The vehicle is stopped at the end
            and on Ctrl-C. If no setpoint reaches it for 200 ms, the companion brakes it; over ssh and ros its tracker
            stops it, after 500 ms.
            """,
        arguments: [vx, vy, vz, headingRate, duration, rate, body],
        examples: [.init("uavlink steer --vx 1 --for 3s", "1 m/s east for three seconds")])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let velocity = Vector3(x: try arguments[vx], y: try arguments[vy], z: try arguments[vz])
        let turning = Heading.radians(degrees: try arguments[headingRate])
        let frame: VelocitySetpoint.Frame = try arguments[body] ? .body : .world
        let howLong = try arguments[duration]
        let rateHertz = try arguments[rate]
        return try await session.withLink { link in
            let steering = TimedSteering(
                FlightDependency(link: link, clock: session.clock), limits: session.limits)
            session.sent.set()
            let report = try await steering.run(rateHertz: rateHertz, for: howLong) { due in
                VelocitySetpoint(
                    velocityMetresPerSecond: velocity, headingRateRadiansPerSecond: turning, frame: frame,
                    intendedAt: due)
            }
            tell(report, in: session)
            if report.isInterrupted { return .interrupted }
            return report.problem == nil ? .done : .refused
        }
    }

    private static func tell(_ report: TimedSteering.Report, in session: CommandSession) {
        let (steering, applied) = (report.steering, report.applied)
        let seconds = max(steering.duration.inSeconds, 1e-3)
        let problem = report.problem
        let result: JSONValue = [
            "ok": .bool(problem == nil), "message": .string(report.ending.message),
            "round_trip_ms": .number(report.ending.roundTrip.inMilliseconds),
            "setpoints_sent": JSONValue(steering.sent), "setpoints_missed": JSONValue(steering.missed),
            "setpoints_applied": JSONValue(applied), "sent_hz": .number(Double(steering.sent) / seconds),
            "applied_hz": JSONValue(applied.map { Double($0) / seconds }),
            "latest_ms": .number(steering.latest.inMilliseconds),
        ]
        session.console.result(result, failure: problem)
        let target = session.connector.target
        var line = "\(target): sent \(steering.sent) setpoints in \(seconds.formatted(decimals: 2)) s"
        if steering.missed > 0 { line += ", \(steering.missed) missed" }
        if let applied {
            line +=
                ", \(applied) reached the vehicle (\((Double(applied) / seconds).formatted(decimals: 1)) per second)"
        }
        session.console.result(line + "; stopped")
        if let problem { session.console.error("\(target): \(problem)") }
    }
}
