internal import FlightControl
internal import LatencyMeasurement
internal import ModeKit
internal import ReportKit
internal import UAVLink

/// Turns what the person chooses into a measurement, what happens into progress, and what came out into pages.
@MainActor
public final class LatencyLabPresenter {
    /// Where it shows things.
    public weak var view: (any LatencyLabView)?
    let interactor: LatencyLabInteractor
    let router: LatencyLabRouter
    let tasks: TaskBag
    var choices: LatencyChoices
    var selected = 0
    var problem = ""
    var reading: LatencyReading?
    var prompt: LatencyPrompt?
    var question: Question?
    private(set) var run: Run?
    private var runs = 0

    /// A measurement under way.
    struct Run {
        /// What has been told of it.
        var log: MeasuringLog
        /// Its number, as a new one may begin before the end of the last is told.
        let number: Int
        let task: Task<Void, Never>?
        /// Whether the vehicle flew when it began, which was agreed to.
        let isInFlight: Bool
        let moves: Bool
        let vehicle: String
        var isEnding = false
    }

    /// What waits for a yes.
    enum Question {
        case start(ConfirmationRequest)
        case replace(path: String, kind: LatencyFile)
    }

    init(interactor: LatencyLabInteractor, router: LatencyLabRouter, tasks: TaskBag) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
        choices = interactor.desk.choices ?? LatencyChoices(interactor.vehicle?.profile)
    }

    /// Shows how far a measurement is; five times a second.
    func look() {
        if let run, !run.isEnding { watchVehicle(run) }
        refresh()
    }

    /// Does what the person asked for.
    public func handle(_ intent: LatencyLabIntent) {
        if !handlePrompt(intent), !handleReading(intent) { handleChoosing(intent) }
        interactor.desk.choices = choices
        refresh()
    }

    // MARK: Measuring

    /// Begins what was chosen, after a question where the vehicle flies.
    func start(isAgreed: Bool = false) {
        guard run == nil, let vehicle = interactor.vehicle else { return }
        let state = interactor.flightState
        problem = ""
        guard !interactor.desk.isBusy else { return refuse("the last measurement's links are still being closed") }
        guard let measuring = interactor.measuring else {
            return refuse(
                "this vehicle is simulated in this program, so there is no network to measure: run 'uavlink sim' elsewhere "
                    + "and log in to it")
        }
        if let wrong = choices.problem(for: vehicle.profile) ?? LatencyLabWords.obstacle(state) { return refuse(wrong) }
        let plan = choices.plan(for: vehicle.profile)
        let asked = LatencyLabWords.confirmation(
            plan, vehicle, state, seconds: choices.plannedSeconds(for: vehicle.profile))
        if let asked, !isAgreed {
            question = .start(asked)
            return
        }
        begin(plan, measuring, isInFlight: asked != nil)
    }

    private func refuse(_ what: String) { problem = what }

    private func begin(_ plan: MeasuringPlan, _ measuring: any Measuring, isInFlight: Bool) {
        runs += 1
        let number = runs
        let task = tasks.start { [interactor, weak self] in
            let outcome = await interactor.measure(plan, with: measuring) { self?.told($0, number) }
            self?.ended(outcome, number)
        }
        run = Run(
            log: MeasuringLog(plan), number: number, task: task, isInFlight: isInFlight, moves: plan.measuresMotion,
            vehicle: interactor.vehicle?.title.harmlessLine ?? "")
    }

    private func told(_ event: MeasuringEvent, _ number: Int) {
        guard run?.number == number else { return }
        run?.log.take(event, at: interactor.clock.now)
        if case .figures = event { refresh() }
    }

    private func ended(_ outcome: Result<LatencyShown?, LinkError>, _ number: Int) {
        guard let run, run.number == number else { return }
        self.run = nil
        switch outcome {
        case .success(let shown?):
            read(shown)
            let took = LatencyLabWords.time(shown.result.report.lengthSeconds)
            router.say(
                run.isEnding
                    ? Notice(.warning, "ended early: what was measured until then is here")
                    : Notice(.success, "measured in \(took)"))
        case .success(nil): router.say(Notice(.warning, "ended before anything was measured"))
        case .failure where run.isEnding: router.say(Notice(.warning, "ended before anything was measured"))
        case .failure(let error):
            problem = error.description.harmlessLine
            router.say(Notice(.error, error.description))
        }
        refresh()
    }

    /// Ends a measurement under way; what was measured stays.
    func end(_ reason: String? = nil) {
        guard run != nil, run?.isEnding == false else { return }
        run?.isEnding = true
        run?.task?.cancel()
        if let reason { router.say(Notice(.warning, "the measurement was ended: \(reason)")) }
    }

    /// Ends what the module does with the vehicle.
    func stop(_ cause: StopCause) {
        switch cause {
        case .person: end("the vehicle was told to stop")
        case .suspended: end("the program was suspended")
        case .otherVehicle: end("another vehicle was selected")
        // Neutral setpoints and hover need nobody at the keyboard; motion does.
        case .terminalSilent: if run?.moves == true { end("the terminal does not answer") }
        }
        refresh()
    }

    /// A hover would break a landing or a take-off off, and who flies has not agreed to be stopped.
    private func watchVehicle(_ run: Run) {
        switch interactor.flightState {
        case .landing: end("the vehicle is landing")
        case .emergency: end("the vehicle is in an emergency")
        case .takingOff: end("the vehicle is taking off")
        case .flying: if !run.isInFlight { end("the vehicle flies now") }
        case .unknown, .disarmed, .armed: return
        }
    }

    // MARK: Showing

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
            state.setup.lines = LatencyLabWords.lines(choices, interactor.vehicle?.profile)
            state.setup.selected = selected
            state.setup.summary = LatencyLabWords.summary(choices, interactor.vehicle, interactor.flightState)
            state.setup.problem = problem
            state.setup.hasResults = interactor.desk.shown != nil
        }
        view?.show(state)
    }

    private var confirmation: ConfirmationRequest? {
        switch question {
        case .start(let confirmation): confirmation
        case .replace(let path, _):
            ConfirmationRequest(
                title: "Write over it?", facts: [LabeledValue("there is already", path.harmlessLine, isWarning: true)])
        case nil: nil
        }
    }
}
