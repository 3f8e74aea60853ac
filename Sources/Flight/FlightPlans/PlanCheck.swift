package import Tello
internal import UAVLink

/// Whether a plan can be flown, and what it takes.
package struct PlanCheck: Hashable, Sendable {
    /// What is wrong, by line; the plan is flown only if none is an error.
    package private(set) var problems: [PlanProblem]
    /// The plan moved without flying.
    package let run: DryRun
    /// The first edition of the SDK that knows all its commands; `nil` if none does.
    package private(set) var needs: TelloVersion?

    /// Percent that must be left at the end: below 10 the drone lands by itself, and batteries age.
    package static let reserve = 15.0
    /// A move that takes longer the drone gives up, seconds (15.2 were measured by others).
    private static let longestMove = 15.0
    /// Farther from straight above a pad it is not seen for certain, metres.
    private static let padReach = 0.6

    /// Whether it can be flown.
    package var isOK: Bool { !problems.contains { !$0.isWarning } }
    /// Whether the file is no flight plan at all, which is then the only problem.
    package var isOfOtherFile: Bool { problems.contains { $0.kind == .noPlan } }
    /// Seconds from take-off to landing.
    package var seconds: Double { run.moments.last?.seconds ?? 0 }
    /// Percent of a full battery.
    package var battery: Double { run.moments.last?.battery ?? 0 }

    /// Checks a plan.
    ///
    /// - Parameters:
    ///   - found: what its reader found.
    ///   - version: the edition of the drone that is to fly it; `nil` for any.
    ///   - battery: its charge, percent.
    package init(
        _ plan: FlightPlan, found: [PlanProblem] = [], for version: TelloVersion? = nil, battery: Double = 100
    ) {
        run = DryRun(plan)
        problems = found
        guard !isOfOtherFile else { return }
        checkOrder(plan)
        checkCommands(plan, version)
        checkPads(plan)
        for (step, moment) in zip(plan.steps, run.moments) { check(step, moment, plan) }
        checkBattery(plan, battery)
        // A problem of one line is read beside the others of that line; those of the whole plan come last.
        problems.sort { ($0.line ?? .max, $0.what) < ($1.line ?? .max, $1.what) }
    }

    private mutating func add(_ line: Int?, _ what: String, isWarning: Bool = false) {
        // Counted apart: however many warnings there are, none hides an error, with which the plan is not flown.
        guard problems.count(where: { $0.isWarning == isWarning }) < PlanReader.mostProblems else { return }
        problems.append(PlanProblem(line: line, what, isWarning: isWarning))
    }

    private mutating func checkOrder(_ plan: FlightPlan) {
        let flown = plan.steps.filter { !$0.isSetting }
        guard let first = flown.first, let last = plan.steps.last else {
            return add(nil, "the plan has no commands: it needs 'takeoff' first and 'land' last")
        }
        if first.action != .send(.takeoff) { add(first.line, "the first command must be 'takeoff'") }
        if last.action != .send(.land) { add(last.line, "the last command must be 'land'") }
        for step in flown.dropFirst() where step.action == .send(.takeoff) {
            add(step.line, "a second 'takeoff': a plan is one flight")
        }
        for step in plan.steps.dropLast() where step.action == .send(.land) {
            add(step.line, "'land' before the end: a plan is one flight")
        }
    }

    private mutating func checkCommands(_ plan: FlightPlan, _ version: TelloVersion?) {
        var editions = Set(TelloVersion.allCases)
        for step in plan.steps {
            guard case .send(let command) = step.action else { continue }
            for edition in editions where (try? command.validate(for: edition)) == nil { editions.remove(edition) }
            do throws(LinkError) {
                try command.validate(for: version ?? .sdk30)
            } catch {
                add(step.line, error.hint.isEmpty ? error.what : "\(error.what); \(error.hint)")
            }
        }
        needs = editions.min()
    }

    private mutating func checkPads(_ plan: FlightPlan) {
        var isLooking = false
        for (index, step) in plan.steps.enumerated() {
            guard case .send(let command) = step.action else { continue }
            switch command {
            case .padDetection(let isOn): isLooking = isOn
            case .padDirection: if !isLooking { add(step.line, "'mdirection' needs 'mon' before") }
            case .goOverPad(_, _, let pad), .curve(_, _, let pad?), .jump(_, _, _, let pad, _):
                guard isLooking else {
                    add(step.line, "mission pads are not looked for: 'mon' is needed before")
                    continue
                }
                let before = index > 0 ? run.moments[index - 1].place : nil
                guard let place = plan.pads[pad.number], let before else { continue }
                let away = Vector3(x: before.x - Double(place.x) / 100, y: before.y - Double(place.y) / 100, z: 0)
                    .length
                guard away > Self.padReach else { continue }
                let metres = Self.spelled(away)
                add(step.line, "\(pad.text) lies \(metres) m beside the drone: it may not be seen", isWarning: true)
            default: break
            }
        }
    }

    private mutating func check(_ step: FlightPlan.Step, _ moment: DryRun.Moment, _ plan: FlightPlan) {
        guard case .send(let command) = step.action else { return }
        switch command {
        case .takeoff, .land: return
        case .move, .go, .curve, .goOverPad, .jump:
            if moment.takes > Self.longestMove {
                add(step.line, "takes about \(Self.spelled(moment.takes)) s: the Tello gives up a move after 15 s")
            }
        default: break
        }
        let (floor, ceiling) = (Double(plan.floor) / 100, Double(plan.ceiling) / 100)
        if moment.passed.least < floor - 0.001, moment.passed.most > 0 {
            add(
                step.line,
                "may come down to \(Self.spelled(moment.passed.least)) m, below the floor of \(Self.spelled(floor)) m: "
                    + "take-offs end between 0.5 and 1 m")
        }
        if moment.passed.most > ceiling + 0.001 {
            add(
                step.line,
                "may rise to \(Self.spelled(moment.passed.most)) m, above the ceiling of \(Self.spelled(ceiling)) m")
        }
    }

    private mutating func checkBattery(_ plan: FlightPlan, _ battery: Double) {
        for (step, moment) in zip(plan.steps, run.moments) {
            guard case .send(.flip) = step.action, battery - moment.battery < Double(TelloCommand.flipBattery) else {
                continue
            }
            let left = Self.spelled(battery - moment.battery)
            add(step.line, "a flip needs a battery of \(TelloCommand.flipBattery) %: it is then at \(left) %")
        }
        guard battery - self.battery < Self.reserve else { return }
        add(
            nil,
            "the plan takes about \(Self.spelled(self.battery)) % of the battery, which is at \(Self.spelled(battery)) %: "
                + "\(Self.spelled(Self.reserve)) % must be left")
    }

    /// With one decimal.
    static func spelled(_ value: Double) -> String {
        guard value.isFinite, let tenths = Int(exactly: (value * 10).rounded()) else { return "?" }
        let sign = tenths < 0 ? "-" : ""
        return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }
}

extension FlightPlan.Step {
    /// Whether it moves nothing.
    var isSetting: Bool { if case .send(let command) = action { command.isSetting } else { false } }
}
