import CommandLineKit
import FlightPlans
import ReportKit
import RouteFlight
import SystemKit
import Tello
import UAVLink

/// `uavlink plan`
enum PlanCommand: Subcommand {
    private static let commands: [any Subcommand.Type] = [
        PlanCheckCommand.self, PlanShowCommand.self, PlanRunCommand.self, PlanExportCommand.self,
        PlanImportCommand.self,
    ]

    static let spec = CommandSpec(
        "plan", summary: "check, show and fly flight plans of a DJI Tello",
        discussion: """
            A flight plan is a text file with one command a line: takeoff, land, up, down, left, right, forward, back (cm), cw,
            ccw (degrees), go X Y Z SPEED [PAD], curve X Y Z X Y Z SPEED [PAD], jump X Y Z SPEED YAW PAD PAD, flip l|r|f|b, speed
            (cm/s), stop, mon, moff, mdirection, setfps high|middle|low, setbitrate 0-5, setresolution high|low, downvision
            0|1, EXT led R G B; and of its own: wait SECONDS, floor CM, ceiling CM, pad PAD X Y. '#' begins a comment.
            docs/machines.md describes it.
            """,
        subcommands: commands.map { $0.spec },
        examples: [
            .init("uavlink plan check square.plan.txt", "what is wrong with it, by line"),
            .init("uavlink plan show square.plan.txt", "where it flies and when, without flying"),
            .init("uavlink --link tello://192.168.10.1 plan run square.plan.txt", "fly it"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        guard let name = arguments.path.dropFirst().first,
            let command = commands.first(where: { $0.spec.name == name })
        else { throw UsageError("'uavlink plan' needs a subcommand", hint: "'uavlink plan --help' lists them") }
        return try await command.run(arguments, in: session)
    }
}

/// Options shared by the subcommands of `plan`.
enum PlanOptions {
    static let file = Argument.parameter("FILE", .path, help: "a flight plan")
    static let sdk = Argument.option(
        "sdk", ValueKind.choice(TelloVersion.allCases.map(\.text)),
        help: "the edition of the drone's SDK; default: any that knows the plan's commands")
    static let battery = Argument.option(
        "battery", .number(in: 0...100, unit: "percent"), default: 100, defaultText: "100",
        help: "the charge with which it begins, percent")
    static let force = Argument.flag("force", help: "overwrite an existing file")

    static var files: LocalFiles { LocalFiles(home: HostProcess.environment["HOME"]) }

    /// The plan of the file that was named, with what its reader found.
    static func read(_ arguments: ParsedCommand) async throws -> (plan: FlightPlan, problems: [PlanProblem]) {
        try await PlanFiles(files).read(try arguments[file])
    }

    /// The same, checked by the options.
    static func check(_ arguments: ParsedCommand) async throws -> (plan: FlightPlan, check: PlanCheck) {
        let (plan, found) = try await read(arguments)
        let name = try arguments[sdk]
        let version = TelloVersion.allCases.first { $0.text == name }
        return (plan, PlanCheck(plan, found: found, for: version, battery: try arguments[battery]))
    }
}

/// What is said of a checked plan.
struct PlanReport {
    let plan: FlightPlan
    let check: PlanCheck

    /// Why it is not flown, in one line; `nil` if it can be.
    var failure: String? {
        let errors = check.problems.filter { !$0.isWarning }
        guard let first = errors.first else { return nil }
        return errors.count == 1 ? first.description : "\(first.description) (and \(errors.count - 1) more)"
    }

    var summary: String {
        "\(plan.steps.count) commands, about \(check.seconds.formatted(decimals: 0)) s, "
            + "\(check.battery.formatted(decimals: 0)) % of a full battery, "
            + (check.needs.map { "SDK \($0.text) or newer" } ?? "no edition of the SDK knows all of it")
    }

    func json(withSteps: Bool = false) -> JSONValue {
        let problems = check.problems.map { problem in
            JSONValue.object([
                .init("line", JSONValue(problem.line)), .init("what", .string(problem.what)),
                .init("is_warning", .bool(problem.isWarning)),
            ])
        }
        var members: [JSONValue.Member] = [
            .init("commands", JSONValue(plan.steps.count)), .init("duration_s", .number(check.seconds)),
            .init("battery_percent", .number(check.battery)), .init("needs_sdk", JSONValue(check.needs?.text)),
            .init("problems", .array(problems)),
        ]
        if withSteps { members.append(.init("steps", .array(zip(plan.steps, check.run.moments).map(Self.json)))) }
        return .object(members)
    }

    private static func json(_ step: FlightPlan.Step, _ moment: DryRun.Moment) -> JSONValue {
        let place = moment.place.map { JSONValue.array([$0.x, $0.y, $0.z].map(JSONValue.number)) }
        return .object([
            .init("line", JSONValue(step.line)), .init("command", .string(step.action.text)),
            .init("ends_s", .number(moment.seconds)), .init("position_m", place ?? .null),
            .init("heading_deg", JSONValue(moment.heading.map { Heading.degrees(radians: $0) })),
        ])
    }

    /// A line for each step: when it ends, where, and what it is.
    var steps: [String] {
        zip(plan.steps, check.run.moments).map { step, moment in
            let place =
                moment.place.map { place in
                    [place.x, place.y, place.z].map { $0.formatted(decimals: 2).leftPadded(to: 7) }.joined()
                } ?? "  place not known    "
            let heading = moment.heading.map { Heading.degrees(radians: $0).formatted(decimals: 0) } ?? "?"
            return
                "\(moment.seconds.formatted(decimals: 1).leftPadded(to: 6)) s \(place) m \(heading.leftPadded(to: 5))°  "
                + step.action.text
        }
    }
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}

/// `uavlink plan check`
enum PlanCheckCommand: Subcommand {
    static let spec = CommandSpec(
        "check", summary: "check a flight plan, without a drone",
        discussion: "Prints what is wrong, by line; exits with 0 when it can be flown, else with 1.",
        arguments: [PlanOptions.file, PlanOptions.sdk, PlanOptions.battery])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let (plan, check) = try await PlanOptions.check(arguments)
        let report = PlanReport(plan: plan, check: check)
        session.console.success(report.json(), failure: report.failure)
        for problem in check.problems { session.console.result(problem.description) }
        guard !check.isOfOtherFile else { return .refused }
        session.console.result(check.isOK ? "can be flown: \(report.summary)" : "cannot be flown: \(report.summary)")
        return check.isOK ? .done : .refused
    }
}

/// `uavlink plan show`
enum PlanShowCommand: Subcommand {
    static let columns = Argument.option(
        "columns", ValueKind<Int>.integer(in: 20...500), default: 60, defaultText: "60", help: "width of the drawing")
    static let rows = Argument.option(
        "rows", ValueKind<Int>.integer(in: 5...200), default: 20, defaultText: "20", help: "height of the drawing")

    static let spec = CommandSpec(
        "show", summary: "move a flight plan on a map without flying: where the drone is after each command, and when",
        discussion: """
            Positions are metres from the take-off: forward, left, up; headings are degrees counter-clockwise from there. Times are
            estimates.
            """,
        arguments: [PlanOptions.file, PlanOptions.sdk, PlanOptions.battery, columns, rows])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let (plan, check) = try await PlanOptions.check(arguments)
        let report = PlanReport(plan: plan, check: check)
        session.console.success(report.json(withSteps: true), failure: report.failure)
        guard !check.isOfOtherFile else {
            for problem in check.problems { session.console.result(problem.description) }
            return .refused
        }
        let drawing = PlanDrawing(check.run, columns: try arguments[columns], rows: try arguments[rows])
        for line in drawing.lines + report.steps { session.console.result(line) }
        for problem in check.problems { session.console.result(problem.description) }
        session.console.result(report.summary)
        return check.isOK ? .done : .refused
    }
}
