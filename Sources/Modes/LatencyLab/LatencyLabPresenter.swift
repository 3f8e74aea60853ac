internal import LatencyOutput
internal import FlightControl
internal import LatencyMeasurement
internal import ModeKit
internal import ReportKit
internal import TextScreen
internal import UAVLink

/// Turns the user's selection into a measurement, its events into progress, and its results into pages.
@MainActor
package final class LatencyLabPresenter: ModePresenter {
    package weak var view: (any LatencyLabView)?
    let interactor: LatencyLabInteractor
    let router: ModeRouter
    let tasks: TaskBag
    /// The screen's area; until it is known, that of a terminal with 80 columns.
    private(set) var area = ScreenArea(rows: 20, columns: 80)
    var choices: LatencyChoices
    var selected = 0
    var problem: LatencyProblem?
    var reading: LatencyResultsState?
    var prompt: LatencyPrompt?
    var question: Question?
    private(set) var run: Run?
    private var runs = 0

    /// A running measurement.
    struct Run {
        /// The events so far.
        var log: MeasurementProgress
        /// The number of the run: a new one may start before the end of the last one is reported.
        let number: Int
        let task: Task<Void, Never>?
        /// Whether the vehicle was (or may have been) in flight at the start, which the user confirmed.
        let isInFlight: Bool
        let moves: Bool
        let vehicle: String
        var isEnding = false
    }

    /// An open confirmation.
    enum Question {
        case start(ConfirmationRequest)
        case replace(path: String, kind: LatencyFile)
    }

    init(interactor: LatencyLabInteractor, router: ModeRouter, tasks: TaskBag) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
        choices = interactor.desk.choices ?? LatencyChoices(interactor.vehicle?.profile)
    }

    /// Updates the progress; called for new telemetry, and for the time that passes.
    package func look() {
        if let run, !run.isEnding { watchVehicle(run) }
        choices.isSimulated = interactor.vehicle?.isSimulated ?? false
        refresh()
    }

    /// Handles an intent of the user.
    package func handle(_ intent: LatencyLabIntent) {
        // A size is no choice of the user's: what is kept stays the default of the vehicle that is selected then.
        if case .resize(let rows, let columns) = intent {
            area = ScreenArea(rows: rows, columns: columns)
            return refresh()
        }
        choices.isSimulated = interactor.vehicle?.isSimulated ?? false
        if !handlePrompt(intent), !handleResults(intent) { handleSetup(intent) }
        interactor.desk.choices = choices
        refresh()
    }

    // MARK: Measuring

    /// Starts the selected measurement, after a confirmation when the vehicle is or may be in flight.
    func start(isAgreed: Bool = false) {
        guard run == nil else { return }
        if let obstacle {
            problem = .refusedStart(obstacle)
            if interactor.vehicle != nil, interactor.measuring == nil { router.say(Notice(.warning, obstacle)) }
            return
        }
        problem = nil
        guard let vehicle = interactor.vehicle, let measuring = interactor.measuring else { return }
        let state = interactor.flightState
        let plan = choices.plan(for: vehicle.profile)
        let asked = LatencyLabTexts.confirmation(
            plan, vehicle, state, seconds: choices.plannedSeconds(for: vehicle.profile))
        if let question = asked ?? (interactor.desk.hasUnsavedResult ? LatencyLabTexts.replacement : nil), !isAgreed {
            self.question = .start(question)
            return
        }
        begin(plan, measuring, isInFlight: asked != nil)
    }

    /// What stands against a start now; `nil` for nothing.
    private var obstacle: String? {
        guard let vehicle = interactor.vehicle else { return LatencyLabTexts.noVehicle }
        if interactor.desk.isBusy { return "the last measurement's links are still being closed" }
        if interactor.measuring == nil { return LatencyLabTexts.noLinks }
        return choices.problem(for: vehicle.profile) ?? LatencyLabTexts.obstacle(
            interactor.pilot, choices.links(for: vehicle.profile))
            ?? (interactor.isFlownByRadio
                ? LatencyLabTexts.flownByRadio : LatencyLabTexts.obstacle(interactor.flightState))
    }

    private func begin(_ plan: MeasuringPlan, _ measuring: any Measuring, isInFlight: Bool) {
        runs += 1
        let number = runs
        let task = tasks.start { [interactor, weak self] in
            let outcome = await interactor.measure(plan, with: measuring) { self?.handle($0, number) }
            self?.ended(outcome, number)
        }
        run = Run(
            log: MeasurementProgress(plan), number: number, task: task, isInFlight: isInFlight,
            moves: plan.measuresMotion,
            vehicle: interactor.vehicle.map(LatencyLabTexts.name) ?? "")
    }

    private func handle(_ event: MeasuringEvent, _ number: Int) {
        guard run?.number == number else { return }
        run?.log.take(event, at: interactor.clock.now)
        if case .figures = event { refresh() }
    }

    private func ended(_ outcome: Result<LatencyLabResult?, LinkError>, _ number: Int) {
        guard let run, run.number == number else { return }
        self.run = nil
        switch outcome {
        case .success(let shown?):
            read(shown)
            let report = shown.result.report
            if run.isEnding {
                router.say(Notice(.warning, "ended early; the results so far are shown"))
            } else if let note = report.endedEarly {
                router.say(Notice(.warning, note))
            } else {
                router.say(Notice(.success, "measured in \(LatencyLabTexts.time(report.lengthSeconds))"))
            }
        case .success(nil): router.say(Notice(.warning, "ended before anything was measured"))
        case .failure where run.isEnding: router.say(Notice(.warning, "ended before anything was measured"))
        case .failure(let error):
            problem = .happened(error.description.sanitizedLine, at: interactor.clock.now)
            router.say(Notice(.error, error.description))
        }
        refresh()
    }

    /// Ends a running measurement; the samples so far are kept.
    func end(_ reason: String? = nil) {
        guard run != nil, run?.isEnding == false else { return }
        run?.isEnding = true
        interactor.desk.isMeasuring = false
        run?.task?.cancel()
        if let reason { router.say(Notice(.warning, "the measurement was ended: \(reason)", scope: .vehicle)) }
    }

    /// Stops the mode's activity on the vehicle.
    func stop(_ cause: StopCause) {
        switch cause {
        case .user: end("a stop command was sent to the vehicle")
        case .suspended: end("the program was suspended")
        case .otherVehicle: end("another vehicle was selected")
        case .command(let command): end("\(command.name) was sent to the vehicle")
        // Neutral setpoints and hover are safe without a user at the keyboard; motion is not.
        case .terminalSilent: if run?.moves == true { end("the terminal is not responding") }
        }
        refresh()
    }

    /// Ends the measurement when the flight state changes: its hover commands could end a take-off or a landing, and would
    /// stop a flight that was not confirmed.
    private func watchVehicle(_ run: Run) {
        if interactor.isFlownByRadio { return end(LatencyLabTexts.flownByRadio) }
        switch interactor.flightState {
        case .landing: end("the vehicle is landing")
        case .emergency: end("the vehicle is in an emergency")
        case .takingOff: end("the vehicle is taking off")
        case .flying: if !run.isInFlight { end("the vehicle has taken off") }
        case .unknown, .disarmed, .armed: return
        }
    }

    // MARK: Screen state

    func refresh() {
        var state = LatencyLabScreenState()
        state.prompt = prompt
        state.confirmation = confirmation
        if let run {
            state.phase = .measuring
            state.progress = run.log.progress(at: interactor.clock.now)
            state.progress.isEnding = run.isEnding
            state.progress.vehicle = run.vehicle
        } else if let reading {
            state.phase = .reading
            state.results = reading
        } else {
            let hasLinks = interactor.vehicle == nil || interactor.measuring != nil
            state.setup.lines = LatencyLabTexts.lines(choices, interactor.vehicle?.profile, hasLinks: hasLinks)
            state.setup.selected = selected
            if hasLinks {
                state.setup.summary = LatencyLabTexts.summary(choices, interactor.vehicle)
            } else {
                let isDirect = interactor.vehicle?.link.kind == .direct
                state.setup.obstacle = isDirect ? LatencyLabTexts.oneLink : LatencyLabTexts.noLinks
            }
            problem = problem?.lasting(obstacle, now: interactor.clock.now)
            state.setup.problem = problem?.text ?? ""
            state.setup.hasResults = interactor.desk.shown != nil
        }
        view?.show(state)
    }

    private var confirmation: ConfirmationRequest? {
        switch question {
        case .start(let confirmation): confirmation
        case .replace(let path, _):
            // Not by Enter, which has just ended the line with the path, and may still be held.
            ConfirmationRequest(
                title: "Replace this file by the results?",
                facts: [LabeledValue("file exists", path.sanitizedLine, isWarning: true)], action: "replace it",
                otherwise: "the file stays as it is")
        case nil: nil
        }
    }
}
