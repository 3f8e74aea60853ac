import FlightRecorder
import FlightControl
import IndoorMode
import CommandLineKit
import ProgramKit
import Synchronization
import UAVLink
import VehicleAccess

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The command line of `uavlink`.
enum UAVLinkProgram {
    private static let commands: [any Subcommand.Type] = [
        StatusCommand.self, DisarmCommand.self, EmergencyLandCommand.self, TakeoffCommand.self, GotoCommand.self,
        AltitudeCommand.self,
        HeadingCommand.self,
        SendCommand.self,
        SteerCommand.self, ControlCommand.self, TrajectoryCommand.self, MapCommand.self, MissionCommand.self,
        LatencyCommand.self,
        PlanCommand.self, VideoCommand.self, StationCommand.self,
        BridgeCommand.self, BootstrapCommand.self,
        ExecCommand.self,
        TerminalCommand.self,
        DoctorCommand.self, DeployCommand.self, ReviewCommand.self, SimCommand.self,
    ]

    static let program = Program(
        CommandSpec(
            "uavlink", summary: "command a ROS / uav_core hexacopter over SSH and over low-latency sockets",
            discussion: """
                Without a subcommand, on a terminal, the text front end opens: log in, watch, fly by keyboard or game
                controller, work in a terminal on the vehicle.

                Select a vehicle by --host and --user, or by --vehicle from the configuration file. With neither, it is the
                file's 'default', else its only vehicle. If the file has none, the companion on this machine is used, such
                as the one that 'uavlink sim' starts; of several without a default none is chosen.

                The configuration file is YAML:

                  default: hexa1
                  vehicles:
                    hexa1:
                      host: 192.168.69.101
                      user: mrs
                      uav: uav1
                  front-end:
                    theme: light
                    bell: false
                    keys:
                      hover: Ctrl-O

                ROS is found on the vehicle by itself. Where 'uavlink doctor' says that it is not, or the wrong one, name its
                setup file there, for example: 'setup: source ~/workspace/devel/setup.bash'.
                """,
            arguments: VehicleOptions.all,
            exclusive: [[VehicleOptions.vehicle, VehicleOptions.host]],
            subcommands: commands.map { $0.spec } + PlainCommand.all.map(\.spec), runsWithoutSubcommand: true,
            examples: [
                .init("uavlink --link sim", "fly a simulated hexacopter in the text front end"),
                .init("uavlink sim", "start a simulated hexacopter; leave it running"),
                .init("uavlink --vehicle sim takeoff --arm --wait", "in another terminal: fly it"),
                .init("uavlink --host 192.168.69.101 --user mrs status", "the status of a real vehicle"),
            ],
            exitCodes: ExitCode.meanings, seeAlso: ["uavlink-companion", "uavlink-sim"]),
        version: Version.text)

    /// How the program ends.
    private struct Ending {
        var code: Int32
        /// Whether an error was printed to standard error; otherwise the code is a verdict in the results, or of a signal.
        var isError = false
    }

    /// Acts on a parsed command line and returns the program's exit code.
    ///
    /// - Parameter words: the command line as typed, which says `--json` even when the rest of it is invalid.
    static func end(_ outcome: ParseOutcome, of words: [String]) async -> Int32 {
        let ending = await finish(outcome, words)
        return OutputFailure.exitCode(insteadOf: ending.code, isError: ending.isError, of: "uavlink")
    }

    private static func finish(_ outcome: ParseOutcome, _ words: [String]) async -> Ending {
        switch outcome {
        case .print(let text):
            StandardStream.output.write(text)
            return Ending(code: ExitCode.done.rawValue)
        case .fail(let error):
            let isJSON = words.prefix { $0 != "--" }.contains(VehicleOptions.json.spec.label)
            Console(isJSON: isJSON).end(with: .usage, because: CommandFailure(error))
            return Ending(code: UsageError.exitCode, isError: true)
        case .run(let arguments):
            // None: the failure to write the results stopped it.
            let signal = Atomic<Int32>(0)
            let work = Task { await Self.ending(of: arguments) { signal.load(ordering: .relaxed) } }
            let interrupts = InterruptWatch { number in
                signal.store(number, ordering: .relaxed)
                work.cancel()
            }
            OutputFailure.watch { work.cancel() }
            let end = await work.value
            withExtendedLifetime(interrupts) {}
            guard end.code == ExitCode.interrupted.rawValue else { return end }
            let number = signal.load(ordering: .relaxed)
            return Ending(
                code: InterruptWatch.exitCode(ofSignal: number == 0 ? SIGINT : number), isError: number != 0)
        }
    }

    /// - Parameter signal: the signal that stopped the program so far; 0 for none.
    private static func ending(of arguments: ParsedCommand, stoppedBy signal: @Sendable () -> Int32) async -> Ending {
        /// What the results say is what the shell gets.
        func shown(_ code: ExitCode) -> ExitCode {
            let number = signal()
            guard code == .interrupted, number != 0 else { return code }
            return ExitCode(rawValue: InterruptWatch.exitCode(ofSignal: number))
        }
        var console = Console(isJSON: false)
        do {
            console = try Console(arguments)
            let code = try await run(arguments, console)
            console.end(with: shown(code))
            return Ending(code: code.rawValue)
        } catch {
            let failure = CommandFailure(error)
            // Results that could not be written stop the command, too, and that is said where the program ends.
            let isUnwritten = failure.code == .interrupted && Task.isCancelled && signal() == 0
            console.end(with: shown(failure.code), because: isUnwritten ? nil : failure)
            return Ending(code: failure.code.rawValue, isError: true)
        }
    }

    private static func run(_ arguments: ParsedCommand, _ console: Console) async throws -> ExitCode {
        let session = try CommandSession(arguments, console)
        do {
            let code = try await run(arguments, in: session)
            await session.connector.close()
            await endRecordings(of: session)
            return code
        } catch {
            await session.connector.close()
            await endRecordings(of: session)
            throw CommandFailure(
                error, of: session.connector.target, sending: isFlightCommand(arguments) ? session.sent : nil)
        }
    }

    /// Whether it sends what moves, stops or switches the vehicle, and marks when it does.
    private static func isFlightCommand(_ arguments: ParsedCommand) -> Bool {
        let name = arguments.path.last ?? ""
        return PlainCommand.all.contains { $0.name == name } || marked.contains(arguments.path.joined(separator: " "))
    }

    private static let marked: Set = [
        "takeoff", "goto", "altitude", "heading", "disarm", "eland", "steer", "trajectory send",
        "trajectory goto-start", "trajectory start", "trajectory stop", "trajectory resume",
    ]

    private static func endRecordings(of session: CommandSession) async {
        for outcome in await session.recordings?.finish() ?? [] {
            var line = "recorded \(outcome.messages) messages in \(outcome.path)"
            if outcome.dropped > 0 { line += "; \(outcome.dropped) dropped (buffer full)" }
            session.console.progress(line)
            if let failure = outcome.failure { session.console.error("the recording stopped: \(failure)") }
        }
    }

    private static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        guard let name = arguments.path.first else { return try await FrontEndCommand.run(arguments, in: session) }
        if let plain = PlainCommand.all.first(where: { $0.name == name }) {
            return try await fly(plain.command, arguments, in: session)
        }
        guard let command = commands.first(where: { $0.spec.name == name }) else {
            throw UsageError("'\(name)' is not a subcommand", hint: "'uavlink --help' lists them")
        }
        return try await command.run(arguments, in: session)
    }
}
