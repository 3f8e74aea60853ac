import CommandLineKit
import FlightPlans
import ProgramKit
import ReportKit
import Tello
import UAVLink
import VehicleAccess

/// `uavlink plan run`
enum PlanRunCommand: Subcommand {
    static let stepwise = Argument.flag("step", help: "wait for Enter before each command")

    static let spec = CommandSpec(
        "run", summary: "fly a flight plan",
        discussion: """
            The plan is checked for this drone and its battery before it takes off; the next command is sent only when the one
            before it was answered, and none is repeated. On a terminal, with Enter: p pauses after the present command, r flies
            on, s stops at once (the drone hovers), l lands at once. Ctrl-C stops and lands it. When a command fails, it lands; so it
            does when the input ends while the plan waits for Enter.
            """,
        arguments: [PlanOptions.file, stepwise],
        examples: [.init("uavlink --link tello://192.168.10.1 plan run square.txt", "fly it")])

    private static let firstState: Duration = .seconds(3)

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let (plan, found) = try await PlanOptions.read(arguments)
        // What is wrong in any case is said before anything is connected.
        try tell(PlanReport(plan: plan, check: PlanCheck(plan, found: found)), in: session)
        // Without an address it would be the companion of a vehicle with ROS, whose absence says nothing of a Tello.
        guard session.connector.profile.link.machine != nil else {
            throw CommandFailure(
                "flight plans are flown by a Tello, and the link is not to one",
                hint: "--link tello://ADDRESS, such as tello://192.168.10.1", code: .usage)
        }
        return try await session.withLink { link in
            guard let vehicle = link.capabilities.planVehicle else {
                throw CommandFailure(
                    "\(session.connector.target) flies no flight plans",
                    hint: "a Tello does: --link tello://192.168.10.1",
                    code: .usage)
            }
            let end = session.clock.now + firstState
            while vehicle.batteryPercent == nil, session.clock.now < end {
                try await session.clock.sleep(for: .milliseconds(50))
            }
            if vehicle.batteryPercent == nil { session.console.warning("the battery is not known", isInResults: true) }
            let check = PlanCheck(plan, for: vehicle.version, battery: vehicle.batteryPercent ?? 100)
            try tell(PlanReport(plan: plan, check: check), in: session)
            return try await fly(plan, on: vehicle, stepwise: try arguments[stepwise], in: session)
        }
    }

    /// Prints what is wrong.
    ///
    /// - Throws: ``CommandFailure`` if it is not flown.
    private static func tell(_ report: PlanReport, in session: CommandSession) throws {
        for problem in report.check.problems { session.console.progress(problem.description) }
        guard let failure = report.failure else { return }
        session.console.result(report.json())
        throw CommandFailure("the plan is not flown: \(failure)", code: .refused)
    }

    private static func fly(
        _ plan: FlightPlan, on vehicle: any PlanVehicle, stepwise: Bool, in session: CommandSession
    ) async throws -> ExitCode {
        let console = session.console
        let runner = PlanRunner(plan, on: vehicle, clock: session.clock) { progress in
            switch progress {
            case .flying(let index):
                let step = plan.steps[index]
                console.progress("\(index + 1) of \(plan.steps.count), line \(step.line): \(step.action.text)")
                console.event(["step": JSONValue(index + 1), "command": .string(step.action.text)])
            case .paused(let index):
                console.progress("paused before line \(plan.steps[index].line): '\(plan.steps[index].action.text)'")
            case .ready, .ended: break
            }
        }
        if stepwise { runner.stepwise() }
        let takesKeys = stepwise || StandardInput.isTerminal
        if takesKeys { console.progress(PlanKey.help) }
        let keys = takesKeys ? Task { await obey(runner, console) } : nil
        let end = await runner.run()
        keys?.cancel()
        if Task.isCancelled {
            // The task takes no answers any more; another one lands the drone.
            _ = await Task { try? await runner.land() }.value
            throw CommandFailure(
                "interrupted: the plan was stopped, and the Tello told to land" + doubt(runner), code: .interrupted,
                ofVehicle: true)
        }
        switch end {
        case .flown:
            console.result(["ok": true, "commands": JSONValue(plan.steps.count)])
            console.result("\(session.connector.target): the plan was flown to its end")
            return .done
        case .landed where runner.orderFailure != nil, .stopped where runner.orderFailure != nil:
            throw CommandFailure(
                "the plan was ended, and the Tello told to \(end == .landed ? "land" : "stop")" + doubt(runner),
                hint: "look at the drone; 'land' with the same options lands it", code: .refused, ofVehicle: true)
        case .landed: throw CommandFailure("landed before the plan's end", code: .refused, ofVehicle: true)
        case .stopped:
            throw CommandFailure(
                "the plan was stopped: the Tello hovers, and lands by itself in about 15 s",
                hint: "'land' with the same options lands it", code: .refused, ofVehicle: true)
        case .failed(let index, let words):
            let step = plan.steps[index]
            throw CommandFailure(
                "line \(step.line), '\(step.action.text)': \(words)", hint: "the Tello was told to land",
                code: .refused,
                ofVehicle: true)
        case .refused(let words): throw CommandFailure(words, code: .refused, ofVehicle: true)
        }
    }

    /// What is said after the order that ended a plan, if the drone may not have obeyed it.
    private static func doubt(_ runner: PlanRunner) -> String {
        runner.orderFailure.map { ", but it may not have obeyed: \($0)" } ?? ""
    }

    /// Follows the lines that are typed; a line without a letter flies on. No line waits for what one before it has ordered.
    private static func obey(_ runner: PlanRunner, _ console: Console) async {
        var letter: UInt8?
        for await bytes in StandardInput.bytes {
            for byte in bytes {
                guard byte == UInt8(ascii: "\n") else {
                    letter = letter ?? byte
                    continue
                }
                switch PlanKey(letter: letter) {
                case .resume: runner.resume()
                case .pause: runner.pause()
                case .stop: carryOut(runner.order(.stop), runner, console)
                case .land: carryOut(runner.order(.land), runner, console)
                case nil: console.progress(PlanKey.help)
                }
                letter = nil
            }
        }
        // Nobody can say any more that it is to fly on.
        guard !Task.isCancelled, runner.waitsForUser else { return }
        console.error("standard input has ended: the plan is ended, and the Tello told to land")
        carryOut(runner.order(.land), runner, console)
    }

    private static func carryOut(_ order: PlanRunner.Order, _ runner: PlanRunner, _ console: Console) {
        Task {
            do throws(LinkError) {
                let reply = try await runner.carryOut(order)
                if !reply.accepted { console.error(reply.message) }
            } catch {
                console.error(error.description)
            }
        }
    }
}
