import FlightRecorder
import LatencyLabMode
import LatencyMeasurement
import CommandLineKit
import Foundation
import Impairment
import ReportKit
import UAVLink
import VehicleAccess

/// `uavlink latency`
enum LatencyCommand: Subcommand {
    static let links = Argument.option(
        "links", ValueKind.text.called("LIST"), default: "ssh,ssh-shell,ssh-tunnel,tcp,udp,ros",
        defaultText: "all of them", help: "links to compare: ssh, ssh-shell, ssh-tunnel, tcp, udp, ros")
    static let impair = Argument.repeatedOption(
        "impair", condition,
        help: "a bad network each way, such as \(Impairment.example); several make a matrix; none for no harm")
    static let period = Argument.option(
        "for", ValueKind.duration(in: .seconds(1) ... .seconds(86_400)), default: .seconds(20), defaultText: "20s",
        help: "how long all links together are measured under each condition")
    static let rate = Argument.option(
        "rate", ValueKind<Double>.number(in: MeasuringPlan.rates), default: 100, defaultText: "100",
        help: "setpoints a second")
    static let commandRate = Argument.option(
        "command-rate", ValueKind<Double>.number(in: MeasuringPlan.rates), default: 50, defaultText: "50",
        help: "commands a second over links that take so many")
    static let command = Argument.option(
        "command", ValueKind.choice(["hover", "heading"]), default: "hover", defaultText: "hover",
        help: "what is commanded: hover, or the heading that the vehicle has already")
    static let motion = Argument.flag(
        "motion",
        help:
            "in flight, after a question: also push the vehicle 0.3 m forward and fly it back, within 1 m of where it hovers"
    )
    static let agree = Argument.flag("yes", help: "with --motion: move the vehicle without asking")
    static let seed = Argument.option(
        "seed", ValueKind<Int>.integer(in: 0...Int(Int32.max)), default: 1, defaultText: "1",
        help: "what losses and the order of the links follow from")
    static let csv = Argument.option("csv", .path, help: "write every single value to a file")
    static let hdr = Argument.option("hdr", .path, help: "write histograms that HdrHistogram's tools read")

    static let html = Argument.option(
        "html", .path, help: "write one page with tables and charts, for a browser and for print")

    static let repeated = Argument.option(
        "repeat-with", ValueKind.text.called("COMMAND"),
        help: "the command that runs it again, where a script called this one; it stands in the results")

    private static let condition = ValueKind<Impairment>(placeholder: "COND") { text throws(ValueProblem) in
        do throws(ImpairmentError) { return try Impairment(text) } catch {
            throw ValueProblem(expected: "a condition such as \(Impairment.example): \(error.what)")
        }
    }

    static let spec = CommandSpec(
        "latency",
        summary: "measure SSH against sockets and ROS, in turns on one vehicle, and whether one can fly with it",
        discussion: """
            Commands, steering and telemetry are measured over each link in turns, on a fixed schedule and from the instant that
            was intended, so that a stall is charged to everything that it delayed. Setpoints are neutral and the command changes
            nothing: the vehicle moves with --motion only, once somebody has agreed. Ctrl-C ends it with what was measured until then.
            """,
        arguments: [links, impair, period, rate, commandRate, command, motion, agree, seed, csv, hdr, html, repeated],
        examples: [
            .init("uavlink latency --links ssh,tcp,udp", "the seed's way against sockets"),
            .init(
                "uavlink latency --impair none --impair delay=20ms,loss=2% --csv values.csv",
                "two conditions of the network, and every value"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let console = session.console
        var plan = MeasuringPlan(links: try self.links(try arguments[links]))
        let conditions = try arguments[impair]
        if !conditions.isEmpty { plan.conditions = conditions }
        plan.duration = try arguments[period]
        plan.rateHertz = try arguments[rate]
        plan.commandHertz = try arguments[commandRate]
        plan.measuresMotion = try arguments[motion]
        plan.seed = UInt64(try arguments[seed])
        plan.timeout = session.timeout
        plan.commandLine = try arguments[repeated] ?? repeatable(seed: plan.seed)
        let outputs = try [arguments[csv], arguments[hdr], arguments[html]].compactMap(\.self)
        if plan.measuresMotion, try !arguments[agree] { try await askToMove() }
        // Found now: after minutes of measuring it would be late.
        for path in outputs { try checkWritable(path) }
        if try arguments[command] == "heading" { plan.command = .heading(radians: try await heading(in: session)) }
        let recorder = try session.recordings?.recorder(of: session.connector.profile.vehicle)
        let interactor = MeasuringInteractor(
            connector: session.connector, plan: plan, clock: session.clock, recorder: recorder)
        let report = try await interactor.run { event in event.line.map(console.progress) }
        let result = LatencyResult(report)
        console.result(result.json)
        console.result(result.table.text)
        for condition in result.summary.conditions {
            for kind in [SeriesKind.command, .steering] where condition.links.contains(where: { $0[kind] != nil }) {
                console.result("\(kind.rawValue), \(condition.impairment.harmlessLine)")
                console.result(LatencyPlot.text(kind, of: condition))
            }
        }
        // What can be written is, whatever happens to the others.
        var failure: LinkError?
        func write(_ path: String?, _ text: () -> String) {
            guard let path else { return }
            do throws(LinkError) { try self.write(text(), to: path) } catch { failure = failure ?? error }
        }
        write(try arguments[csv]) {
            var text = ""
            LatencyCSV.write(report) { text += $0 }
            return text
        }
        write(try arguments[hdr]) { result.hdr }
        write(try arguments[html]) { result.html }
        if let failure { throw failure }
        if Task.isCancelled { return .interrupted }
        return report.conditions.contains { $0.links.contains { $0.failure != nil } } ? .refused : .done
    }

    /// Asks whether the vehicle may be moved.
    private static func askToMove() async throws {
        guard let person = TerminalPerson.ifPresent else {
            throw UsageError(
                "--motion moves the vehicle, and there is nobody to ask",
                hint: "it is \(MeasuringPlan.motionWords); agree to that with --yes")
        }
        guard await person.agrees(to: "In flight the vehicle is \(MeasuringPlan.motionWords).", "Move it?") else {
            throw UsageError("the vehicle is not to be moved", hint: "without --motion nothing moves")
        }
    }

    private static func links(_ text: String) throws -> [LaboratoryLink] {
        var links: [LaboratoryLink] = []
        for word in text.split(separator: ",") {
            guard let link = LaboratoryLink(rawValue: String(word)), !links.contains(link) else {
                throw UsageError(
                    "'\(word)' is not a link, or is there twice",
                    hint: "links are \(LaboratoryLink.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            links.append(link)
        }
        return links
    }

    /// Where the vehicle looks now.
    private static func heading(in session: CommandSession) async throws -> Double {
        let link = try await session.connect()
        defer { Task { await link.close() } }
        let deadline = session.clock.now + session.timeout
        while session.clock.now < deadline {
            if let pose = link.latestTelemetry?.pose { return pose.value.headingRadians }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw LinkError(.timedOut, "the vehicle does not tell its heading", hint: "see 'uavlink status'")
    }

    private static func checkWritable(_ path: String) throws(LinkError) {
        var isFolder: ObjCBool = false
        let files = FileManager.default
        if files.fileExists(atPath: path, isDirectory: &isFolder) {
            guard !isFolder.boolValue, files.isWritableFile(atPath: path) else { throw unwritable(path) }
        } else {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            guard files.isWritableFile(atPath: folder) else { throw unwritable(path) }
        }
    }

    private static func write(_ text: String, to path: String) throws(LinkError) {
        do { try text.write(toFile: path, atomically: true, encoding: .utf8) } catch { throw unwritable(path) }
    }

    private static func unwritable(_ path: String) -> LinkError {
        LinkError(
            .invalidInput, "cannot write \(path.harmlessLine)", hint: "does its folder exist, and may you write there?")
    }

    /// The words that were typed, quoted for a shell, and the seed where it was not among them.
    private static func repeatable(seed: UInt64) -> String {
        let words = ["uavlink"] + CommandLine.arguments.dropFirst()
        let isPlain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=,.%@:/")
        var quoted = words.map { word in
            !word.isEmpty && word.allSatisfy(isPlain.contains)
                ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
        }
        if !words.contains(where: { $0 == "--seed" || $0.hasPrefix("--seed=") }) { quoted += ["--seed", "\(seed)"] }
        return quoted.joined(separator: " ")
    }
}
