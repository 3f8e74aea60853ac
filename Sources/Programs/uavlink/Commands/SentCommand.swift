import VehicleAccess
import FlightControl
import CommandLineKit
import ReportKit
import UAVLink

/// Options shared by commands to the vehicle.
enum FlightOptions {
    static let wait = Argument.flag("wait", short: "w", help: "wait for the effect, not only for the answer")
}

/// Performs a command, reports its answer, and waits for the effect with `--wait`.
func fly(
    _ command: Command, _ arguments: ParsedCommand, in session: CommandSession
) async throws -> ExitCode {
    try await session.withLink { link in
        try await fly(command, arguments, over: link, in: session)
    }
}

/// The same over a link that is already open.
///
/// - Parameter destination: where the command leads, if it does not say it itself.
func fly(
    _ command: Command, _ arguments: ParsedCommand, to destination: KnownDestination? = nil, over link: any UAVLink,
    in session: CommandSession
) async throws -> ExitCode {
    let flight = session.flight(over: link)
    let wait = try arguments[FlightOptions.wait]
    if wait { try flight.requireVisibleEffect(of: command) }
    let start = wait ? try await flight.startPose(of: command) : nil
    // A stop of another ground counts from when the command is given, not from its answer.
    if wait, command == .takeoff { try await link.awaitStopCount(on: session.clock) }
    let (reply, arrival) = try await CommandSequence.run(over: link) {
        () async throws -> (CommandReply, Arrival?) in
        let reply = try await flight.perform(command)
        guard wait else { return (reply, nil) }
        return (reply, try await awaitEffect(of: command, flight, from: start, to: destination, in: session))
    }
    report(reply, arrival, in: session)
    return arrival?.isSuccess == false ? .refused : .done
}

/// Waits for the effect of an accepted command, and shows on a terminal what is still missing.
func awaitEffect(
    of command: Command, _ flight: FlightInteractor, from start: Pose? = nil, to destination: KnownDestination? = nil,
    in session: CommandSession
) async throws -> Arrival? {
    let line = ProgressLine(command.name, session.console)
    defer { line.end() }
    return try await waiting(for: command) {
        try await flight.waitForEffect(
            of: command, from: start, to: destination, progress: { line.tell($0) },
            notice: {
                line.end()
                session.console.progress("\(session.connector.target): \($0)")
            })
    }
}

/// Waits for a command that the vehicle has accepted; who interrupts it is told that the vehicle goes on.
func waiting<Result>(
    for command: Command, isolation: isolated (any Actor)? = #isolation, _ wait: () async throws -> Result
) async throws -> Result {
    do { return try await wait() } catch {
        guard let interruption = CommandInterruption(error, of: command) else { throw error }
        throw CommandFailure(interruption.what, hint: interruption.hint, code: .interrupted, ofVehicle: true)
    }
}

/// Reports an accepted answer.
func report(_ reply: CommandReply, _ arrival: Arrival? = nil, in session: CommandSession) {
    let milliseconds = reply.roundTrip.inMilliseconds
    let problem = arrival.flatMap { $0.isSuccess ? nil : $0.text }
    var members: [JSONValue.Member] = [
        .init("ok", .bool(problem == nil)), .init("message", .string(reply.message)),
        .init("round_trip_ms", .number(milliseconds)),
        .init("target", .string(session.connector.target)),
    ]
    if let arrival {
        let position = arrival.positionMetres.map { JSONValue.array([$0.x, $0.y, $0.z].map(JSONValue.number)) }
        members += [
            .init("outcome", .string(arrival.outcome.rawValue)),
            .init("position_m", position ?? .null),
            .init("duration_s", .number(arrival.duration.inSeconds)),
        ]
        if let heading = arrival.headingRadians {
            members.append(.init("heading_deg", .number(Heading.degrees(radians: heading))))
        }
    }
    session.console.result(.object(members), failure: problem)
    let message = reply.message.isEmpty ? "accepted" : reply.message.sanitizedLine
    session.console.result(
        "\(session.connector.target): \(message) (\(milliseconds.formatted(decimals: 1)) ms)"
            + (arrival.flatMap { $0.isSuccess ? "; \($0.text)" : nil } ?? ""))
    if let problem { session.console.error("\(session.connector.target): \(problem)") }
}
