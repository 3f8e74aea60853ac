internal import FlightControl
internal import FlightPlans
internal import ModeKit
internal import ReportKit
internal import UAVLink

/// The words of the mode.
enum FlightPlanTexts {
    static let stoppedByLeaving = Notice(
        .warning, "the flight plan was stopped, since its screen was left: the drone hovers; land it", scope: .vehicle)

    static let pauses = Notice(.information, "it hovers after this command: then n flies the next one, r flies on")
    static let fliesOn = Notice(.information, "the plan is flown: p pauses, x stops, l lands")
    static let fliesStep = Notice(.information, "one command is flown: then n flies the next one, r flies on")

    static func summary(_ plan: FlightPlan, _ check: PlanCheck) -> String {
        let count = plan.steps.count
        return "\(count) \(count == 1 ? "command" : "commands"), \(check.seconds.formatted(decimals: 0)) s, "
            + "\(check.battery.formatted(decimals: 0)) % of the battery"
            + (check.neededSDK.map { ", SDK \($0) or newer" } ?? "")
    }

    static func steps(_ plan: FlightPlan, _ check: PlanCheck) -> [PlanStepLine] {
        var worst: [Int: PlanFinding.Weight] = [:]
        for problem in check.problems {
            guard let line = problem.line else { continue }
            worst[line] = max(worst[line] ?? .warning, problem.isWarning ? .warning : .failure)
        }
        return zip(plan.steps, check.run.moments).map { step, moment in
            PlanStepLine(
                line: step.line, text: step.action.text.sanitizedLine,
                ends: "\(moment.seconds.formatted(decimals: 1)) s", finding: worst[step.line])
        }
    }

    static func findings(_ check: PlanCheck) -> [PlanFinding] {
        check.problems.map {
            PlanFinding(line: $0.line, text: $0.description.sanitizedLine, weight: $0.isWarning ? .warning : .failure)
        }
    }

    static func pads(_ plan: FlightPlan) -> [PlanPad] {
        plan.pads.sorted { $0.key < $1.key }.map { number, place in
            PlanPad(
                number: number, place: PlanPlace(right: -Double(place.y) / 100, ahead: Double(place.x) / 100))
        }
    }

    /// Where the simulated drone is after its last step; degrees counter-clockwise.
    static func position(_ plan: FlightPlan, _ moments: [DryRun.Moment], moved: Int) -> String {
        guard moved > 0, moments.indices.contains(moved - 1), plan.steps.indices.contains(moved - 1) else {
            return "on the ground, before the first command"
        }
        let (step, moment) = (plan.steps[moved - 1], moments[moved - 1])
        let after = "line \(step.line), \(moment.seconds.formatted(decimals: 1)) s"
        guard let place = moment.place else {
            return "\(after): its place is not known, 'pad' lines say where pads lie"
        }
        let heading = moment.heading.map { "\(Heading.degrees(radians: $0).formatted(decimals: 0))°" } ?? "?"
        return "\(after): \(place.x.formatted(decimals: 2)) m ahead, \(place.y.formatted(decimals: 2)) left, "
            + "\(place.z.formatted(decimals: 2)) up, \(heading)"
    }

    // MARK: The flight

    /// How the plan is flown, or was.
    ///
    /// - Parameter stands: whether the drone stands by now with its motors off.
    @MainActor
    static func flight(_ flight: PlanFlight, stands: Bool = false) -> PlanFlightLine {
        let steps = flight.plan.steps
        func words(_ index: Int) -> String {
            guard steps.indices.contains(index) else { return "" }
            return "\(index + 1) of \(steps.count), line \(steps[index].line): \(steps[index].action.text)"
        }
        switch flight.progress {
        case .ready: return PlanFlightLine(.flying, "begins")
        case .flying(let index): return PlanFlightLine(.flying, "flies \(words(index))", step: index)
        case .paused(let index): return PlanFlightLine(.paused, "hovers before \(words(index))", step: index)
        case .ended(.flown): return PlanFlightLine(.flown, "was flown to its end")
        case .ended(.stopped):
            return PlanFlightLine(.ended, stands ? "was stopped" : "was stopped: the drone hovers" + doubt(flight))
        case .ended(.landed): return PlanFlightLine(.ended, "was ended by a landing" + doubt(flight))
        case .ended(.failed(let index, let why)):
            return PlanFlightLine(
                .failed, "failed at \(words(index)): \(why.sanitizedLine); it was told to land", step: index)
        case .ended(.refused(let why)): return PlanFlightLine(.failed, "did not begin: \(why.sanitizedLine)")
        }
    }

    /// What is said of an order that the drone may not have obeyed.
    @MainActor
    private static func doubt(_ flight: PlanFlight) -> String {
        flight.orderFailure.map { ", if it has obeyed: \($0.sanitizedLine)" } ?? ""
    }

    /// What is said once about an end.
    static func end(_ line: PlanFlightLine) -> Notice? {
        let text = "the flight plan \(line.words)"
        return switch line.phase {
        case .flying, .paused: nil
        case .flown: Notice(.success, text, scope: .vehicle)
        case .ended: Notice(.warning, text, scope: .vehicle)
        case .failed: Notice(.error, text, scope: .vehicle)
        }
    }

    // MARK: Questions

    static func flying(
        _ plan: FlightPlan, _ check: PlanCheck, by vehicle: String, battery: Double?, stepwise: Bool
    ) -> ConfirmationRequest {
        let heights = check.run.moments.map(\.passed)
        let most = heights.map(\.most).max() ?? 0
        let reach = check.run.moments.flatMap(\.path).map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }.max() ?? 0
        var facts = [
            LabeledValue("commands", "\(plan.steps.count), about \(check.seconds.formatted(decimals: 0)) s"),
            LabeledValue(
                "as far as", "\(reach.formatted(decimals: 1)) m away, up to \(most.formatted(decimals: 1)) m high"),
        ]
        let needed = "\(check.battery.formatted(decimals: 0)) % needed"
        facts.append(
            battery.map { LabeledValue("battery", "\($0.formatted(decimals: 0)) %, \(needed)") }
                ?? LabeledValue("battery", "not known, \(needed)", isWarning: true))
        return ConfirmationRequest(
            title: "Fly this plan with \(vehicle.sanitizedLine)?", facts: facts,
            findings: findings(check).map { FindingLine(text: $0.text, isFailure: $0.weight == .failure) },
            action: stepwise ? "take off, step by step" : "take off and fly it", otherwise: "it stays on the ground")
    }

    static let leaving = ConfirmationRequest(
        title: "Leave the plan that is flown?", facts: [],
        findings: [FindingLine(text: "It is stopped: the drone hovers, and has to be landed.", isFailure: false)],
        action: "stop and leave", otherwise: "it is flown on")

    static func replacing(file path: String) -> ConfirmationRequest {
        ConfirmationRequest(
            title: "Replace \(path.sanitizedLine)?", facts: [],
            findings: [FindingLine(text: "What is in it is lost, comments too.", isFailure: false)],
            action: "replace it", otherwise: "nothing is written")
    }

    static func losing(_ name: String, for path: String) -> ConfirmationRequest {
        ConfirmationRequest(
            title: "Put \(path.sanitizedLine) in place of the present plan?",
            facts: [LabeledValue("lost", "the plan made of \(name.sanitizedLine), which was not written")],
            action: "open it", otherwise: "the plan stays")
    }

    static func prompt(_ kind: FlightPlanPrompt, text: String) -> Prompt<FlightPlanPrompt> {
        switch kind {
        case .open: Prompt(kind, title: "Open a flight plan", text: text, hint: "square.plan.txt")
        case .write: Prompt(kind, title: "Write the flight plan", text: text, hint: "square.plan.txt")
        case .importRoute:
            Prompt(
                kind, title: "Make a plan of a route", text: text,
                about: "the drone stands at its first point, with its nose along x, or to the east", hint: "route.csv")
        case .exportRoute:
            Prompt(
                kind, title: "Write the plan as a route of the map mode", text: text,
                about: "in metres, x along the nose at take-off", hint: "route.csv")
        }
    }
}
