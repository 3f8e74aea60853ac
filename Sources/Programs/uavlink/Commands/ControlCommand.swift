import FlightControl
import CommandLineKit
import ReportKit
import SystemKit
import UAVLink
import VehicleAccess

/// `uavlink control`
enum ControlCommand: Subcommand {
    static let take = Argument.flag(
        "take", help: "take control authority and hold it until Ctrl-C; with --reason also from another pilot")
    static let release = Argument.flag(
        "release", help: "release control authority of any pilot, so that it can be taken; needs --reason")
    static let reason = Argument.option(
        "reason", .text, help: "the reason of a take-over or release, sent to the pilot who loses control authority")

    static let spec = CommandSpec(
        "control", summary: "who has control authority, and since when",
        discussion: """
            One pilot at a time has control authority: only that pilot's setpoints and commands move the vehicle. Hover, land and
            emergency commands are accepted from every pilot. Control authority ends when setpoints stop while the vehicle
            moves, when the pilot's link is lost for 1 s, and when the vehicle lands. A take-over from a pilot who steers stops
            the vehicle. --take reports a link loss at once, and ends after --timeout without the companion. Each program is a
            separate pilot: while 'uavlink control --take' has control authority, your own
            'uavlink goto' or 'uavlink steer' in another terminal is refused. --link ssh and ros have no control authority.
            """,
        arguments: [take, release, reason], exclusive: [[take, release]],
        examples: [
            .init("uavlink control", "who has control authority"),
            .init(
                "uavlink control --release --reason 'anna is at lunch'", "release it; the vehicle stops"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let (wantsTake, wantsRelease) = (try arguments[take], try arguments[release])
        let why = try reason(in: arguments)
        if wantsRelease, why == nil {
            throw UsageError("--release needs --reason", hint: "the pilot is sent the reason")
        }
        if why != nil, !wantsTake, !wantsRelease {
            throw UsageError("--reason needs --take or --release", hint: "without them only the status is printed")
        }
        return try await session.withLink { link in
            try check(link, session)
            if wantsTake || wantsRelease { try await takeCommand(of: link, by: why, session) }
            if wantsRelease, let why {
                await ControlAuthorityClient.release(of: link, because: why)
            } else if wantsTake {
                return try await hold(link, session)
            }
            tell(try await status(of: link, session), in: session)
            return .done
        }
    }

    private static func reason(in arguments: ParsedCommand) throws -> String? {
        guard let typed = try arguments[reason] else { return nil }
        guard let reason = ControlAuthorityClient.reason(from: typed) else {
            throw UsageError("--reason is empty", hint: "the pilot is sent the reason")
        }
        return reason
    }

    private static func check(_ link: any UAVLink, _ session: CommandSession) throws {
        guard ControlAuthorityClient.isArbitrated(over: link) else {
            let why = session.connector.fallback.map { " (\($0.reasons))" } ?? ""
            throw LinkError(
                .unsupported, "--link \(link.kind.rawValue) has no control authority\(why)",
                hint: "use --link udp or tcp"
            )
        }
    }

    /// Separate from `run`: the optimiser of Swift 6.3 crashes when it is inlined there.
    @inline(never)
    private static func takeCommand(of link: any UAVLink, by why: String?, _ session: CommandSession) async throws {
        try await ControlAuthorityClient.take(of: link, by: why, within: session.timeout)
    }

    private static func status(of link: any UAVLink, _ session: CommandSession) async throws -> ControlStatus {
        try await ControlAuthorityClient.status(
            of: link, within: min(session.timeout, .seconds(3)), clock: session.clock)
    }

    /// Holds control authority until Ctrl-C, until it is lost, or until the companion was not received for `--timeout`.
    private static func hold(_ link: any UAVLink, _ session: CommandSession) async throws -> ExitCode {
        tell(try await status(of: link, session), in: session)
        session.console.detail("Ctrl-C releases control authority")
        do {
            let status = try await ControlHold.watch(link, within: session.timeout, on: session.clock) { event in
                report(event, in: session)
            }
            tell(status, hasEnded: true, in: session)
            return .refused
        } catch is CancellationError {
            return .interrupted
        }
    }

    /// Also with `--quiet`: whoever holds control authority for others must see it.
    private static func report(_ event: ControlHold.Event, in session: CommandSession) {
        let target = session.connector.target
        let report = ControlHoldReport(event, of: target, waitingFor: session.timeout) { instant in
            WallTime.utcText(WallTime.now - (session.clock.now - instant).nanoseconds)
        }
        guard let report else { return }
        // The loss may last: a script must not read of it only when it has passed.
        session.console.event(report.json)
        if report.isProblem { session.console.error(report.line) } else { session.console.result(report.line) }
    }

    /// - Parameter hasEnded: whether control authority that was held has ended with this status, which is no success.
    private static func tell(_ status: ControlStatus, hasEnded: Bool = false, in session: CommandSession) {
        let held = status.pilot.map { max(0, (session.clock.now - $0.since).inSeconds) }
        let target = session.connector.target
        // A companion that has just started knows of no ending.
        let why = status.lastEndReason.isEmpty ? "" : ": \(status.lastEndReason.sanitizedLine)"
        let ended = hasEnded ? "control authority has ended\(why)" : nil
        session.console.result(
            [
                "ok": .bool(!hasEnded), "pilot": JSONValue(status.pilot?.name), "held_s": JSONValue(held),
                "yours": .bool(status.isYours),
                "steering": .bool(status.isSteering), "last_ending": .string(status.lastEndReason),
            ], failure: ended)
        if let ended { session.console.error("\(target): \(ended)") }
        guard let pilot = status.pilot, let held else {
            let ending = status.lastEndReason.isEmpty ? "" : " (last: \(status.lastEndReason.sanitizedLine))"
            return session.console.result("\(target): no pilot has control authority" + ending)
        }
        let who = pilot.isYou ? "you have" : "\(pilot.name.sanitizedLine) has"
        let doing = status.isSteering ? ", steering" : ""
        session.console.result("\(target): \(who) had control authority for \(Int(saturating: held)) s\(doing)")
    }
}
