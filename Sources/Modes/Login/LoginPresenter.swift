internal import FlightControl
internal import ModeKit
internal import UAVLink
internal import VehicleAccess

/// Turns what is typed into a log-in, and what comes of it into words.
@MainActor
public final class LoginPresenter {
    /// Where it shows things.
    public weak var view: (any LoginView)?
    private let interactor: LoginInteractor
    private let router: LoginRouter
    private let tasks: TaskBag
    private let preset: LoginPreset?
    private var state = LoginScreenState()
    private var choices: LoginChoices
    /// Whether the person has done anything yet: what they began is not taken from under their hands.
    private var isTouched = false
    private var running: (attempt: LoginAttempt, task: Task<Void, Never>)?
    private var lastAttempt = 0

    init(interactor: LoginInteractor, router: LoginRouter, tasks: TaskBag, preset: LoginPreset?) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
        self.preset = preset
        choices = LoginChoices(named: preset?.profile)
    }

    /// Shows the log-in for the first time, and begins at once when the command line said which vehicle.
    public func begin() {
        state.choices = choices.all
        choose(preset == nil ? state.choices.count - 1 : 0)
        show()
        if preset?.startsAtOnce == true { logIn() }
    }

    /// Reads which vehicles there are.
    func readConfiguration() async {
        switch await interactor.configuration() {
        case .success(let read): choices.configuration = read
        case .failure(let error):
            if state.dialog == nil, !state.isLoggingIn { state.dialog = LoginWords.unreadableConfiguration(error) }
        }
        listChanged()
    }

    /// Looks which vehicles are on this machine: a simulator may have been started in another terminal meanwhile.
    func lookAround() async {
        let found = await interactor.vehiclesHere()
        guard found != choices.here else { return }
        choices.here = found
        listChanged()
    }

    /// Does what the person asked for.
    public func handle(_ intent: LoginIntent) {
        switch intent {
        case .yes: answer(true)
        case .cancel: cancel()
        default:
            // Behind a dialog or a log-in under way nothing is changed.
            guard state.dialog == nil, !state.isLoggingIn else { return }
            isTouched = true
            change(intent)
        }
        show()
    }

    private func change(_ intent: LoginIntent) {
        switch intent {
        case .focus(let field): state.focus = field
        case .moveFocus(let step): moveFocus(step)
        case .moveChoice(let step): choose(min(max(state.chosen + step, 0), state.choices.count - 1))
        case .choose(let index):
            choose(index)
            state.focus = .list
        case .typeAddress(let text):
            choose(state.choices.count - 1)
            state.form.address = text
            state.focus = .address
        case .edit(let field, let text):
            state.form.set(field, to: text)
            edited(field)
        case .editPassword(let password):
            state.form.password = password
            edited(.password)
        case .changeLink(let step): changeLink(step)
        case .toggleStoring: state.form.storesPassword.toggle()
        case .logIn: logIn()
        case .yes, .cancel: break
        }
    }

    private func edited(_ field: LoginField) {
        if state.problem?.field == field { state.problem = nil }
        state.steps = nil
    }

    private func moveFocus(_ step: Int) {
        let fields = LoginField.allCases
        let at = fields.firstIndex(of: state.focus) ?? 0
        state.focus = fields[(at + step + fields.count) % fields.count]
    }

    private func changeLink(_ step: Int) {
        let choices = VehicleProfile.LinkChoice.words.compactMap(VehicleProfile.LinkChoice.init(word:))
        let at = choices.firstIndex(of: state.form.link) ?? 0
        state.form.link = choices[(at + step + choices.count) % choices.count]
        edited(.address)
    }

    // MARK: The list

    private func choose(_ index: Int) {
        guard state.choices.indices.contains(index) else { return }
        state.chosen = index
        state.form = state.choices[index].form
        state.problem = nil
        state.steps = nil
    }

    /// Makes the list anew; what the person has chosen stays chosen, and before they did anything the likeliest is.
    private func listChanged() {
        let before = state.choices.indices.contains(state.chosen) ? state.choices[state.chosen] : .other
        let chosen = choices.current(before)
        state.choices = choices.all
        state.chosen = state.choices.firstIndex(of: chosen) ?? state.choices.count - 1
        if chosen != before { state.form.isSaved = true }
        if !isTouched, !state.isLoggingIn, preset == nil {
            let likeliest = choices.likeliest.flatMap { state.choices.firstIndex(of: $0) }
            choose(likeliest ?? state.choices.count - 1)
            state.focus = likeliest == nil ? .address : .list
        }
        show()
    }

    // MARK: Logging in

    private func logIn() {
        let request: LoginRequest
        do {
            request = try state.form.request(knownNames: choices.knownNames)
        } catch {
            state.problem = error
            state.focus = error.field
            return show()
        }
        state.problem = nil
        if let present = interactor.selectLoggedIn(request) {
            router.say(Notice(.information, "already logged in to \(present.title)"))
            return router.openMenu()
        }
        state.isLoggingIn = true
        state.steps = LoginSteps()
        lastAttempt += 1
        let number = lastAttempt
        let attempt = interactor.attempt(request) { [weak self] in self?.take($0, ofAttempt: number) }
        let task = tasks.start { [weak self] in
            let outcome = await attempt.run()
            self?.finish(attempt, outcome)
        }
        running = (attempt, task)
        show()
    }

    private func take(_ news: LoginNews, ofAttempt number: Int) {
        // One that was cancelled may still have something to say.
        guard state.isLoggingIn, number == lastAttempt else { return }
        switch news {
        case .steps(let steps): state.steps = steps
        case .question(let question): state.dialog = question.map(LoginWords.dialog)
        }
        show()
    }

    private func finish(_ attempt: LoginAttempt, _ outcome: LoginOutcome) {
        if case .loggedIn(let vehicle, let saved) = outcome {
            // Even when it was cancelled in the very last moment: the vehicle is in the fleet.
            state.form.password = TypedPassword()
            router.say(LoginWords.welcome(vehicle, saved))
            return router.openMenu()
        }
        // Another attempt, or none, is what the person sees by now.
        guard running?.attempt === attempt else { return }
        running = nil
        state.isLoggingIn = false
        state.dialog = nil
        if case .failed(let error) = outcome {
            state.dialog = LoginWords.dialog(error, hasPassword: !state.form.password.text.isEmpty)
        } else {
            state.steps = nil
            router.say(LoginWords.cancelled)
        }
        show()
    }

    private func answer(_ isYes: Bool) {
        guard let dialog = state.dialog else { return }
        if dialog.yes == nil {
            state.dialog = nil
        } else {
            running?.attempt.answer(isYes)
        }
    }

    private func cancel() {
        if state.dialog != nil { return answer(false) }
        guard let running else { return interactor.hasVehicles ? router.goBack() : router.say(LoginWords.howToLeave) }
        self.running = nil
        running.task.cancel()
        state.isLoggingIn = false
        state.steps = nil
        router.say(LoginWords.cancelled)
    }

    private func show() {
        state.help = LoginWords.help(state.focus, state.form)
        state.advice =
            state.isLoggingIn
            ? nil
            : LoginWords.advice(
                state.form, hasVehicles: choices.hasVehicles || interactor.hasVehicles, vehiclesHere: choices.here)
        view?.show(state)
    }
}
