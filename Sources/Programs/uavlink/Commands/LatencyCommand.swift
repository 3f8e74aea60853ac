import FlightControl
import FlightRecorder
import LatencyLabMode
import LatencyMeasurement
import LatencyOutput
import CommandLineKit
import Impairment
import ReportKit
import RouteFlight
import SystemKit
import TextScreen
import UAVLink
import VehicleAccess

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `uavlink latency`
enum LatencyCommand: Subcommand {
    static let links = Argument.option(
        "links", ValueKind.text.called("LIST"), default: "ssh,ssh-shell,ssh-tunnel,tcp,udp,ros",
        defaultText: "all that the vehicle offers",
        help: "links to compare: ssh, ssh-shell, ssh-tunnel, tcp, udp, ros; ssh-persistent as a base line; "
            + "rosbridge: see --peer; of a machine with its own protocol direct, tcp, udp")
    static let impair = Argument.repeatedOption(
        "impair", condition,
        help:
            "impairment in each direction, such as \(Impairment.example), or trace=FILE of a recorded link (Mahimahi; "
            + "share/uavlink/traces of the installation has a made one of LTE and one of Wi-Fi), "
            + "up:load=1 for an upload through its bottleneck; "
            + "several make a matrix; or none")
    static let rounds = Argument.option(
        "rounds", ValueKind<Int>.integer(in: MeasuringPlan.roundCounts),
        help: "turns of each link under each condition; 30 unless --for is given, and fewer than 10 give no intervals")
    static let runs = Argument.option(
        "runs", ValueKind<Int>.integer(in: 1...100), default: 1, defaultText: "1",
        help: "whole runs, each with the next seed; the figures are of all, and how the runs differ is printed")
    static let period = Argument.option(
        "for", ValueKind.duration(in: .seconds(1) ... .seconds(86_400)),
        help: "most time for all links together under each condition; without --rounds, as many rounds as fit")
    static let rate = Argument.option(
        "rate", ValueKind.text.called("HZ"), default: "100", defaultText: "100",
        help: "setpoints per second; several (10,50,200) are measured one after the other under each condition")
    static let commandRate = Argument.option(
        "command-rate", ValueKind<Double>.number(in: MeasuringPlan.rates), default: 50, defaultText: "50",
        help: "commands per second, over links that allow it")
    static let command = Argument.option(
        "command", ValueKind.choice(["hover", "heading"]), default: "hover", defaultText: "hover",
        help: "the command: hover, or heading (set to the heading that the vehicle already has)")
    static let motion = Argument.flag(
        "motion",
        help:
            "in flight, after confirmation: also push the vehicle 0.3 m and fly it back, within --box of where it hovers"
    )
    static let pushes = Argument.option(
        "pushes", ValueKind<Int>.integer(in: MeasuringPlan.pushCounts), default: MeasuringPlan.usualPushes,
        defaultText: "20",
        help: "with --motion: pushes of each link under each condition, forward and backward in turn")
    static let box = Argument.option(
        "box", ValueKind<Double>.number(in: MeasuringPlan.boxes).called("METRES"), default: 1, defaultText: "1",
        help: "with --motion: the vehicle is stopped when it is farther than this from its hover position")
    static let agree = Argument.flag("yes", help: "with --motion: move the vehicle without asking")
    static let seed = Argument.option(
        "seed", ValueKind<Int>.integer(in: 0...Int(Int32.max)), default: 1, defaultText: "1",
        help: "seed of the losses, of the order of the links and of the beginnings of turns")
    static let csv = Argument.option("csv", .path, help: "write every sample to a file")
    static let hdr = Argument.option("hdr", .path, help: "write histograms for the tools of HdrHistogram")

    static let html = Argument.option(
        "html", .path, help: "write one page with tables and charts, for a browser and for print")

    static let repeated = Argument.option(
        "repeat-with", ValueKind.text.called("COMMAND"),
        help: "the command that repeats the run, if a script called this one; shown in the results")

    private static let condition = ValueKind<Impairment>(placeholder: "COND") { text throws(ValueError) in
        do throws(ImpairmentError) {
            return try Impairment(text) { name throws(ImpairmentError) in
                do throws(SmallFile.Failure) {
                    return try SmallFile.readRegular(FilePath.absolute(name), limit: PacketTrace.mostBytes)
                } catch { throw ImpairmentError("trace: \(name.sanitizedLine): \(error)") }
            }
        } catch {
            throw ValueError(expected: "a condition such as \(Impairment.example): \(error.what)")
        }
    }

    static let spec = CommandSpec(
        "latency",
        summary: "compare SSH, sockets and ROS in turns on one vehicle, and check which are fit for flight",
        discussion: """
            Commands, steering and telemetry are measured over each link in turns, in rounds, on a fixed schedule and
            from the intended instant, so that a stall counts for everything that it delayed. Setpoints are neutral and the command changes
            nothing: the vehicle moves only with --motion, after confirmation. Ctrl-C ends it and reports what was measured; so
            does a stop command of another ground, or its control authority.
            Over the address of a machine (--link tello://ADDRESS) it shows the round trip of its link's questions and how steadily its
            telemetry comes, for --for (20s), and sends nothing. With --links direct,tcp,udp, or any other option of a comparison, a
            companion is started in front of the machine for the length of the run, and its channel compared with the machine's own
            protocol, which sends hover commands. Behind 'uavlink bridge' tcp and udp are measured as for any vehicle.
            With --link sim a simulated vehicle is started for the length of the run, and its tcp and udp are measured.
            """,
        arguments: [
            links, peer, impair, rounds, runs, period, rate, commandRate, command, motion, pushes, box, agree, seed,
            csv, hdr,
            html,
            repeated,
        ],
        examples: [
            .init("uavlink latency --links ssh,tcp,udp", "SSH against sockets"),
            .init(
                "uavlink latency --links ssh,ssh-persistent,tcp --peer rosbridge://192.168.69.101",
                "beside a rosbridge server on the vehicle"),
            .init("uavlink latency --link sim", "on this machine alone, without a vehicle"),
            .init(
                "uavlink --link tello://192.168.10.1 latency --links direct,udp",
                "a Tello directly, and through a companion"),
            .init(
                "uavlink latency --impair none --impair delay=20ms,loss=2% --csv values.csv",
                "two network conditions, and every sample"),
            .init("uavlink latency --links tcp,udp --for 20s", "a first look: no intervals, and no verdict yet"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        session.console.name(session.connector.target)
        if let machine = session.connector.profile.link.machine {
            return try await measureMachine(machine, arguments, in: session)
        }
        guard session.connector.profile.link == .only(.sim) else { return try await measure(arguments, in: session) }
        let console = session.console
        let vehicle = try await SimulatedVehicle(
            of: session.connector.profile, seed: UInt64(try arguments[seed])
        ) { console.detail($0) }
        console.progress("a simulated vehicle runs for the length of this measurement")
        let own = vehicle.session(like: session)
        do {
            let code = try await measure(arguments, in: own)
            await own.connector.close()
            await vehicle.end()
            return code
        } catch {
            await own.connector.close()
            await vehicle.end()
            throw error
        }
    }

    /// - Parameter machine: the one that the companion is in front of, for a comparison with its own protocol.
    static func measure(
        _ arguments: ParsedCommand, in session: CommandSession, with machine: ImpairedMachine? = nil
    ) async throws -> ExitCode {
        let console = session.console
        let links = try machine == nil ? measuredLinks(arguments, in: session) : machineLinks(arguments)
        var plan = MeasuringPlan(links: links)
        plan.rosbridge = try arguments[peer]
        let conditions = try arguments[impair]
        if !conditions.isEmpty { plan.conditions = conditions }
        plan.duration = try arguments[period]
        plan.rounds = try arguments[rounds] ?? (plan.duration == nil ? MeasuringPlan.usualRounds : nil)
        let rates = try self.rates(try arguments[rate])
        plan.rateHertz = rates.first ?? plan.rateHertz
        plan.sweptHertz = rates.count > 1 ? rates : []
        plan.commandHertz = try commandHertz(arguments, isMachine: machine != nil)
        plan.measuresMotion = try arguments[motion]
        plan.pushes = try arguments[pushes]
        plan.boxMetres = try arguments[box]
        plan.seed = UInt64(try arguments[seed])
        plan.timeout = session.timeout
        plan.commandLine = try arguments[repeated] ?? reproducibleCommandLine(seed: plan.seed)
        let outputs = try [arguments[csv], arguments[hdr], arguments[html]].compactMap(\.self)
        if plan.measuresMotion, try !arguments[agree] { try await confirm(plan.motionWarning) }
        // Checked now, not after minutes of measuring.
        for path in outputs { try LatencyFiles.checkWritable(path) }
        if try arguments[command] == "heading" { plan.command = .heading(radians: try await heading(in: session)) }
        let recorder = try session.recordings?.recorder(of: session.connector.profile.vehicle)
        let report = try await measure(plan, runs: try arguments[runs], in: session, recorder, machine)
        let result = LatencyResult(report)
        let isWhole = !report.conditions.contains { $0.links.contains { $0.failure != nil } }
        let appearance = Appearance(environment: HostProcess.environment)
        console.head()
        console.result(appearance.spelled(result.table.text))
        for condition in result.summary.conditions {
            for kind in [SeriesKind.command, .steering] where condition.links.contains(where: { $0[kind] != nil }) {
                console.result("\(kind.rawValue), \(condition.impairment.sanitizedLine)")
                console.result(appearance.spelled(LatencyPlot.text(kind, of: condition)))
            }
        }
        // One file that cannot be written does not prevent the others.
        var failure: FileAccessError?
        func write(_ path: String?, _ text: () -> String) async {
            guard let path else { return }
            do throws(FileAccessError) { try await LatencyFiles.write(text(), to: path) } catch {
                failure = failure ?? error
            }
        }
        await write(try arguments[csv]) {
            var text = ""
            LatencyCSV.write(report) { text += $0 }
            return text
        }
        await write(try arguments[hdr]) { result.hdr }
        await write(try arguments[html]) { result.html }
        let problem =
            Task.isCancelled
            ? "interrupted: the results are those until then" : isWhole ? nil : "not every link could be measured"
        console.success(result.json, failure: failure?.what ?? problem)
        if let failure { throw failure }
        if Task.isCancelled { return .interrupted }
        return isWhole ? .done : .refused
    }

    /// Measures so many times, each with the next seed, and pools the runs. An error after the first run ends the measurement with
    /// what there is.
    private static func measure(
        _ plan: MeasuringPlan, runs: Int, in session: CommandSession, _ recorder: FlightRecorder?,
        _ machine: ImpairedMachine?
    ) async throws -> LatencyReport {
        let console = session.console
        var (plan, reports): (MeasuringPlan, [LatencyReport]) = (plan, [])
        for number in 0..<runs {
            if number > 0, Task.isCancelled || reports.last?.endedEarly != nil { break }
            if runs > 1 { console.progress("run \(number + 1) of \(runs), seed \(plan.seed)") }
            let interactor = MeasuringInteractor(
                connector: session.connector, plan: plan, clock: session.clock, machine: machine, recorder: recorder)
            do throws(LinkError) {
                reports.append(try await interactor.run { event in event.line.map(console.progress) })
            } catch {
                guard var last = reports.popLast() else { throw error }
                last.notes.append("run \(number + 1) of \(runs) failed: \(error.description)")
                reports.append(last)
                break
            }
            plan.seed &+= 1
        }
        guard let report = LatencyReport.pooled(reports) else {
            throw LinkError(.internalFault, "nothing was measured")
        }
        return report
    }

    /// Asks the user for confirmation to move the vehicle.
    private static func confirm(_ movement: String) async throws {
        guard let user = TerminalUser.ifPresent else {
            throw UsageError(
                "--motion moves the vehicle, and there is no terminal for the confirmation",
                hint: "it is \(movement); confirm with --yes")
        }
        let warning = "In flight the vehicle is \(movement)."
        let isConfirmed = await user.agrees(to: warning, "Move the vehicle?")
        try Task.checkCancellation()
        guard isConfirmed else {
            throw UsageError("moving the vehicle was not confirmed", hint: "without --motion nothing moves")
        }
    }
}
