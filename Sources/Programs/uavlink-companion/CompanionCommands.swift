import CommandLineKit
import Companion
import CompanionControl
import MRS
import MRSROS2
import ProgramKit
import ROS1
import ROS2Node
import ReportKit
import Secrets
import Simulation
internal import ChannelProtocol
import SocketTransport
import SystemKit
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The subcommands of `uavlink-companion`.
enum CompanionCommands {
    /// Prints an error as one line.
    static func complain(_ line: String) {
        StandardStream.error.write("uavlink-companion: \(line.sanitizedLine)\n")
    }

    static func run(_ arguments: ParsedCommand) async throws {
        let environment = HostProcess.environment
        let vehicle = try arguments[CompanionProgram.uav]
        let ros = try await chosenROS(arguments, environment)
        if arguments.path.first == "doctor" { return try await doctor(vehicle, ros, environment) }
        if arguments.path.first == "topic" {
            return try await TopicCommand.run(arguments, vehicle: vehicle, on: watch(ros, environment))
        }
        let runtime = try RuntimeDirectory(try arguments[CompanionProgram.runtimeDirectory], environment: environment)
        switch arguments.path.first {
        case "run":
            try requireOpenFiles()
            try await serve(arguments, ros, runtime, environment)
        case "bootstrap":
            let program = try launchProgram(arguments, ros, runtime)
            let ways = { startPrograms(program, environment) }
            let isSimulated = try arguments[CompanionProgram.backend] == .simulated
            let hostLock = isSimulated ? nil : hostLock(of: vehicle, ros, environment)
            try ask(.ticket, runtime, vehicle, hostLock, starting: ways)
        case "status": try ask(.status, runtime, vehicle, hostLock(of: vehicle, ros, environment))
        case "stop": try ask(.stop, runtime, vehicle, hostLock(of: vehicle, ros, environment))
        default:
            throw UsageError("'uavlink-companion' needs a subcommand", hint: "'uavlink-companion --help' lists them")
        }
    }

    private static func watch(_ ros: VehicleROS, _ environment: [String: String]) -> any TopicWatching {
        switch ros {
        case .one: ROSTopicWatch(environment: environment)
        case .two(let configuration): ROS2TopicWatch(configuration: configuration)
        }
    }

    /// Open files of a companion with ROS and a ground: 44, measured; and some for more grounds. Below that Swift's runtime traps where
    /// it cannot open its own.
    private static let leastOpenFiles = 64

    private static func requireOpenFiles() throws(LinkError) {
        let limit = OpenFileLimit.raise(to: 1024)
        guard limit < leastOpenFiles else { return }
        throw LinkError(
            .companionUnavailable, "this program may open \(limit) files, and needs \(leastOpenFiles)",
            hint: "raise the limit where it is started: ulimit -n 1024")
    }

    /// How long a companion that has to be started may take until it answers; it takes less than 50 ms here.
    private static let startTimeout: Duration = .seconds(5)

    /// The name of the lock of a companion with a ROS backend; `nil` when the environment names no graph.
    private static func hostLock(
        of vehicle: String, _ ros: VehicleROS, _ environment: [String: String]
    ) -> HostLock.Name? {
        if case .two(let graph) = ros { return HostLock.Name(vehicle: vehicle, graph: VehicleROS.graphName(of: graph)) }
        guard let ros = try? ROSConfiguration(name: "uavlink_companion", environment: environment) else { return nil }
        return HostLock.Name(vehicle: vehicle, graph: ros.masterName)
    }

    /// The ROS of the vehicle; that of a simulated one in this process is of no meaning.
    private static func chosenROS(
        _ arguments: ParsedCommand, _ environment: [String: String]
    ) async throws -> VehicleROS {
        if ["run", "bootstrap"].contains(arguments.path.first),
            try arguments[CompanionProgram.backend] == .simulated
        {
            return .one
        }
        return try await VehicleROS.choose(
            version: try arguments[CompanionProgram.ros], router: try arguments[CompanionProgram.router],
            domain: try arguments[CompanionProgram.domain].map { UInt32(clamping: $0) }, environment: environment
        ) {
            await VehicleROS.answers(environment: environment)
        }
    }

    private static func ask(
        _ request: ControlRequest, _ runtime: RuntimeDirectory, _ vehicle: String, _ hostLock: HostLock.Name?,
        starting ways: () -> [CompanionLauncher.Program] = { [] }
    ) throws {
        let launcher = CompanionLauncher(runtime: runtime, vehicle: vehicle, hostLock: hostLock)
        let answer = try launcher.ask(request, starting: ways, within: startTimeout)
        _ = answer.withBytes { StandardStream.output.write($0) }
        StandardStream.output.write("\n")
    }

    /// The ways to start a companion, in the order to try: when logging out would end it, first one outside the log-in session.
    private static func startPrograms(
        _ program: CompanionLauncher.Program, _ environment: [String: String]
    ) -> [CompanionLauncher.Program] {
        let logOut = LogoutPolicy(environment: environment)
        if let warning = logOut.warning(user: HostProcess.userName) {
            complain("warning: \(warning.what); \(warning.advice)")
        }
        return logOut.endsProcesses ? [program.outsideLoginSession, program] : [program]
    }

    /// A companion started by bootstrap ends by itself after this time without a session.
    private static let idleExitOnDemand = "600s"

    private static func launchProgram(
        _ arguments: ParsedCommand, _ ros: VehicleROS, _ runtime: RuntimeDirectory
    ) throws -> CompanionLauncher.Program {
        let choice: [String] =
            switch ros {
            case .one: ["--ros", "1"]
            case .two(let graph): ["--ros", "2", "--router", graph.router, "--domain", "\(graph.domain)"]
            }
        let path = HostProcess.executablePath ?? CommandLine.arguments[0]
        let lease = try arguments[CompanionProgram.lease].inMilliseconds
        return CompanionLauncher.Program(
            path: path,
            arguments: [
                "run", "--uav", try arguments[CompanionProgram.uav], "--runtime-dir", runtime.path,
                "--backend", try arguments[CompanionProgram.backend].rawValue,
                "--udp-port", "\(try arguments[CompanionProgram.udpPort])",
                "--tcp-port", "\(try arguments[CompanionProgram.tcpPort])",
                "--bind", try arguments[CompanionProgram.bind], "--lease", "\(Int(lease))ms",
                "--telemetry-rate", "\(try arguments[CompanionProgram.telemetryRate])",
                "--log-file", runtime.logPath(vehicle: try arguments[CompanionProgram.uav]),
                "--idle-exit", idleExitOnDemand, "--seed", "\(try arguments[CompanionProgram.seed])",
            ] + choice)
    }
}

// MARK: doctor

extension CompanionCommands {
    /// Prints one JSON object per line, which `uavlink doctor` reads over SSH.
    private static func doctor(
        _ vehicle: String, _ ros: VehicleROS, _ environment: [String: String]
    ) async throws {
        let logOut = LogoutPolicy(environment: environment).warning(user: HostProcess.userName).map {
            Finding("log-out", .warning, $0.what, advice: $0.advice)
        }
        let graph =
            switch ros {
            case .one: await ROSGraphDiagnosis(vehicle: vehicle, environment: environment).findings()
            case .two(let configuration):
                try await ROS2GraphDiagnosis(vehicle: vehicle, configuration: configuration).findings()
            }
        for finding in [logOut].compactMap(\.self) + graph {
            let value: JSONValue = [
                "check": .string(finding.check), "verdict": .string(finding.verdict.rawValue),
                "message": .string(finding.message), "advice": .string(finding.advice),
            ]
            StandardStream.output.write(value.text + "\n")
        }
    }
}

/// What the vehicle's own link can tell a ground that traces its session.
private final class ROSTraceSource: TraceSource {
    private let link: ROSLink

    init(_ link: ROSLink) { self.link = link }

    func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime, Bool) -> Void)?) { link.watchSetpoints(seen) }
    func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime? { link.stamp(ofPoseAt: instant) }
}

/// The same of a link in ROS 2.
private final class ROS2TraceSource: TraceSource {
    private let link: ROS2Link

    init(_ link: ROS2Link) { self.link = link }

    func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime, Bool) -> Void)?) { link.watchSetpoints(seen) }
    func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime? { link.stamp(ofPoseAt: instant) }
}

// MARK: run

extension CompanionCommands {
    private static func makeBackend(
        _ arguments: ParsedCommand, _ vehicle: String, _ ros: VehicleROS, _ environment: [String: String]
    ) throws -> (link: any UAVLink, traceSource: (any TraceSource)?) {
        switch try arguments[CompanionProgram.backend] {
        case .ros:
            if case .two(let configuration) = ros {
                let link = try ROS2Link(companionOf: vehicle, configuration: configuration)
                return (link, ROS2TraceSource(link))
            }
            let link = try ROSLink(vehicle: vehicle, environment: environment, isCompanion: true)
            return (link, ROSTraceSource(link))
        case .simulated:
            return (try SimulatedLink(vehicle: vehicle, seed: UInt64(try arguments[CompanionProgram.seed])), nil)
        }
    }

    /// Aborts a hanging companion, as systemd would, so that a core dump can be inspected.
    private static func abortHanging() {
        // The log is written asynchronously; it may be what hangs, so wait for it no longer than this.
        let clock = SystemMonotonicClock()
        clock.block(until: clock.now + .milliseconds(200))
        abort()
    }

    private static func serve(
        _ arguments: ParsedCommand, _ ros: VehicleROS, _ runtime: RuntimeDirectory, _ environment: [String: String]
    ) async throws {
        let vehicle = try arguments[CompanionProgram.uav]
        let log = try arguments[CompanionProgram.logFile].map { CompanionLog(file: $0) } ?? CompanionLog()
        var configuration = Companion.Configuration(vehicle: vehicle)
        configuration.lease = try arguments[CompanionProgram.lease]
        let channel = ChannelServer.Configuration(
            vehicle: vehicle, bindAddress: try arguments[CompanionProgram.bind],
            udpPort: UInt16(try arguments[CompanionProgram.udpPort]),
            tcpPort: UInt16(try arguments[CompanionProgram.tcpPort]),
            telemetryRateHertz: try arguments[CompanionProgram.telemetryRate])
        let backend = try makeBackend(arguments, vehicle, ros, environment)
        let hostLock = backend.link.kind == .ros ? hostLock(of: vehicle, ros, environment) : nil
        let manager = ServiceManager(environment: environment)
        let idleExit = try arguments[CompanionProgram.idleExit]
        let (isWatched, watched) = AsyncStream<Void>.makeStream()
        let work = Task {
            // The service may be ended as soon as it reports that it is ready: the signals are watched first.
            for await _ in isWatched {}
            let service = try await CompanionService(
                configuration, channel: channel, backend: backend.link, traceSource: backend.traceSource,
                runtime: runtime, hostLock: hostLock, manager: manager, hangs: abortHanging,
                idleExit: idleExit, log: log)
            return await service.run()
        }
        let signals = InterruptWatch { _ in work.cancel() }
        watched.finish()
        let ending = try await work.value
        withExtendedLifetime(signals) {}
        log.say("ended")
        log.flush()
        // Fail, so that the service manager restarts the companion.
        if case .backendEnded(let reason) = ending { throw LinkError(.closed, reason) }
    }
}
