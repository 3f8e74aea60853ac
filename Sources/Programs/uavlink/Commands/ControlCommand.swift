import FlightControl
import CommandLineKit
import ReportKit
import UAVLink
import VehicleAccess

/// `uavlink control`
enum ControlCommand: Subcommand {
    static let take = Argument.flag(
        "take", help: "take it, and hold it until Ctrl-C; with --reason from another pilot, too")
    static let release = Argument.flag(
        "release", help: "end it for whoever has it, so that anybody may take it; needs --reason")
    static let reason = Argument.option(
        "reason", .text, help: "why it is taken from another pilot, or ended for him; he is told")

    static let spec = CommandSpec(
        "control", summary: "who is in command of the vehicle, and since when",
        discussion: """
            One pilot is in command at a time: only his setpoints move the vehicle, and only he may send it somewhere. Hover, land and
            emergency commands are taken from everybody, always. Command is lost when steering falls silent while the vehicle
            moves, when its pilot is not heard for a second, and when the vehicle lands. Taking it from a pilot who steers stops
            the vehicle. Each program is a pilot of its own: while 'uavlink control --take' runs and holds command, your own
            'uavlink goto' or 'uavlink steer' in another terminal is refused. Over --link ssh and ros nobody decides who flies.
            """,
        arguments: [take, release, reason], exclusive: [[take, release]],
        examples: [
            .init("uavlink control", "who flies"),
            .init(
                "uavlink control --release --reason 'anna is at lunch'", "end it for whoever flies; the vehicle stops"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let (wantsTake, wantsRelease) = (try arguments[take], try arguments[release])
        let why = try reason(in: arguments)
        if wantsRelease, why == nil {
            throw UsageError("--release needs --reason", hint: "the pilot is told why")
        }
        if why != nil, !wantsTake, !wantsRelease {
            throw UsageError("--reason needs --take or --release", hint: "without them it only tells who flies")
        }
        return try await session.withLink { link in
            try check(link, session)
            if wantsTake || wantsRelease { try await takeCommand(of: link, by: why, session) }
            if wantsRelease, let why {
                await CommandOfVehicle.release(of: link, because: why)
            } else if wantsTake {
                return try await hold(link, session)
            }
            tell(try await status(of: link, session), in: session)
            return .done
        }
    }

    private static func reason(in arguments: ParsedCommand) throws -> String? {
        guard let typed = try arguments[reason] else { return nil }
        guard let reason = CommandOfVehicle.reason(from: typed) else {
            throw UsageError("--reason is empty", hint: "the pilot is told why")
        }
        return reason
    }

    private static func check(_ link: any UAVLink, _ session: CommandSession) throws {
        guard CommandOfVehicle.isDecided(over: link) else {
            let why = session.connector.fallback.map { " (\($0.reasons))" } ?? ""
            throw LinkError(
                .unsupported, "over \(link.kind.rawValue) nobody decides who flies\(why)", hint: "use --link udp or tcp"
            )
        }
    }

    /// Apart from `run`, since Swift 6.3's optimiser does not survive it there.
    @inline(never)
    private static func takeCommand(of link: any UAVLink, by why: String?, _ session: CommandSession) async throws {
        try await CommandOfVehicle.take(of: link, by: why, within: session.timeout)
    }

    private static func status(of link: any UAVLink, _ session: CommandSession) async throws -> ControlStatus {
        // What was told before the last change may be the newest that is here: the next news counts.
        let asked = session.clock.now
        let deadline = asked + min(session.timeout, .seconds(3))
        while session.clock.now < deadline {
            if let status = link.latestTelemetry?.control, status.at > asked { return status.value }
            try await session.clock.sleep(for: .milliseconds(10))
        }
        throw LinkError(.timedOut, "the companion does not tell who flies", hint: "it may be older than this program")
    }

    /// Until Ctrl-C, or until it is lost.
    private static func hold(_ link: any UAVLink, _ session: CommandSession) async throws -> ExitCode {
        tell(try await status(of: link, session), in: session)
        session.console.detail("Ctrl-C gives it back")
        while !Task.isCancelled {
            if let status = link.latestTelemetry?.control?.value, !status.isYours {
                tell(status, in: session)
                return .refused
            }
            try? await session.clock.sleep(for: .milliseconds(100))
        }
        return .interrupted
    }

    private static func tell(_ status: ControlStatus, in session: CommandSession) {
        let held = status.pilot.map { max(0, (session.clock.now - $0.since).inSeconds) }
        session.console.result([
            "ok": true, "pilot": JSONValue(status.pilot?.name), "held_s": JSONValue(held),
            "yours": .bool(status.isYours),
            "steering": .bool(status.isSteering), "last_ending": .string(status.lastEnding),
        ])
        guard let pilot = status.pilot, let held else {
            let ending = status.lastEnding.isEmpty ? "" : " (last: \(status.lastEnding.harmlessLine))"
            return session.console.result("nobody is in command" + ending)
        }
        let who = pilot.isYou ? "you are" : "\(pilot.name.harmlessLine) is"
        let doing = status.isSteering ? ", steering" : ""
        session.console.result("\(who) in command for \(Int(saturating: held)) s\(doing)")
    }
}
