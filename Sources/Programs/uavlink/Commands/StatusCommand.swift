import FlightControl
import TelemetryMode
import CommandLineKit
import SystemKit
import UAVLink
import VehicleAccess

/// `uavlink status`
enum StatusCommand: Subcommand {
    static let watch = Argument.flag("watch", help: "repeat until Ctrl-C, once per second, or every --every")
    static let every = Argument.option(
        "every", .duration(in: .milliseconds(20) ... .seconds(3600)), default: .seconds(1), defaultText: "1s",
        help: "interval of --watch")

    static let spec = CommandSpec(
        "status", summary: "print the telemetry, once or repeatedly",
        discussion: """
            Every value is shown with its age when it is older than a second. Ages count from the receipt of the vehicle's messages, on
            board over tcp and udp. Topics are compared with their usual rates, which the companion learns, or with those of 'rates'
            in the profile.
            """,
        arguments: [watch, every],
        examples: [
            .init("uavlink status", "what the vehicle is doing"),
            .init("uavlink status --watch --json", "one JSON object per second"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let watching = try arguments[watch]
        let interval = try arguments[every]
        return try await session.withLink { link in
            try await StatusReport.awaitTelemetry(of: link, within: session.timeout, on: session.clock)
            while true {
                // The companion sends the control status even without a vehicle, so check for other values.
                guard let telemetry = link.latestTelemetry, telemetry.newest != nil else {
                    let reason = await link.reasonOfSilence(within: min(session.timeout, .seconds(4)))
                    try Task.checkCancellation()
                    throw reason.map {
                        LinkError($0.code, "no telemetry: \($0.what)", hint: $0.hint)
                    }
                        ?? LinkError(
                            .timedOut, "no telemetry received from the vehicle",
                            hint: "run 'uavlink doctor' to see which part is missing")
                }
                let report = StatusReport(
                    telemetry, link: link.kind, quality: link.quality, now: session.clock.now,
                    fallback: session.connector.fallback, rosMaster: session.connector.rosMaster(of: link.kind),
                    profileRates: session.connector.profile.rates)
                session.console.result(report.json(at: WallTime.utcText(WallTime.now)))
                var lines = report.lines
                // The vehicle and where it is, or that it is simulated, as every other answer says it.
                let vehicle = telemetry.vehicle.sanitizedLine
                if let first = lines.first, first.hasPrefix(vehicle + " ") {
                    lines[0] = session.connector.target + first.dropFirst(vehicle.count)
                }
                for line in lines { session.console.result(line) }
                guard watching else { return .done }
                try? await Task.sleep(for: interval)
                if Task.isCancelled { return .interrupted }
            }
        }
    }
}
