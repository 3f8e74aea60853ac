internal import FlightControl
internal import ModeKit
internal import ReportKit
internal import UAVLink
internal import VehicleAccess

/// Turns the user's input into a log-in, and its progress and result into the screen state.
@MainActor
package final class LoginPresenter {
    package weak var view: (any LoginView)?
    private let interactor: LoginInteractor
    private let router: LoginRouter
    private let tasks: TaskBag
    private let preset: LoginPreset?
    private var state = LoginScreenState()
    private var choices: LoginChoices
    /// The entry of the list that the form was filled in from.
    private var origin = LoginChoice.other
    /// Whether the user has done anything yet: from then on the selection is not changed automatically.
    private var hasUserActed = false
    private var running: (attempt: LoginAttempt, task: Task<Void, Never>)?
    private var lastAttempt = 0

    init(interactor: LoginInteractor, router: LoginRouter, tasks: TaskBag, preset: LoginPreset?) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
        self.preset = preset
        choices = LoginChoices(named: preset?.profile)
    }

    /// Shows the log-in for the first time; logs in at once if the command line requested it.
    package func begin() {
        state.choices = choices.all
        choose(preset == nil ? state.choices.count - 1 : 0)
        show()
        if preset?.logsInImmediately == true { logIn() }
    }

    /// Reads the saved vehicles.
    func readConfiguration() async {
        switch await interactor.configuration() {
        case .success(let read): choices.configuration = read
        case .failure(let error):
            if state.dialog == nil, !state.isLoggingIn { state.dialog = LoginText.unreadableConfiguration(error) }
        }
        listChanged()
    }

    /// Updates the vehicles on this machine: a simulator may have been started in another terminal.
    func lookAround() async {
        let found = await interactor.localVehicles()
        guard found != choices.here else { return }
        choices.here = found
        listChanged()
    }

    /// Handles an intent of the user.
    package func handle(_ intent: LoginIntent) {
        switch intent {
        case .yes: answer(.yes)
        case .answer(let typed): answer(.line(typed.line))
        case .cancel: cancel()
        default:
            // Nothing can be changed during a dialog or a log-in.
            guard state.dialog == nil, !state.isLoggingIn else { return }
            hasUserActed = true
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
        case .edit(.port, let text):
            let problem = state.form.setPort(text)
            edited(.port)
            if let problem { state.problem = problem }
        case .edit(let field, let text):
            state.form.set(field, to: text)
            // Who types an address wants the vehicle there, not the simulator in this program.
            let hasNoAddress = state.form.link == .only(.sim) || state.form.link.machine != nil
            if field == .address, !text.isBlank, hasNoAddress { state.form.link = .automatic }
            edited(field)
        case .editPassword(let password):
            state.form.password = password
            edited(.password)
        case .changeLink(let step): changeLink(step)
        case .toggleStoring: state.form.storesPassword.toggle()
        case .toggleMore: state.form.showsMore.toggle()
        case .logIn: logIn()
        case .yes, .answer, .cancel: break
        }
    }

    private func edited(_ field: LoginField) {
        markChoice()
        if state.problem?.field == field { state.problem = nil }
        state.steps = nil
    }

    private func moveFocus(_ step: Int) {
        let fields = state.form.fields
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
        origin = state.choices[index]
        state.form = origin.form
        state.problem = nil
        state.steps = nil
    }

    /// Marks "another vehicle" while the form is about another one than the entry it was filled in from, and than those on this machine:
    /// Enter logs in to the vehicle of the form, which must not differ from the marked one.
    private func markChoice() {
        var marked: Int?
        if state.form.isSameVehicle(as: origin.form) {
            marked = state.choices.firstIndex(of: origin)
        } else if origin != .other {
            marked = indexOnThisMachine
        }
        state.chosen = marked ?? state.choices.count - 1
    }

    /// The entry of the vehicle on this machine that the form is about.
    private var indexOnThisMachine: Int? {
        state.choices.firstIndex { choice in
            guard case .thisMachine = choice else { return false }
            return state.form.isSameVehicle(as: choice.form)
        }
    }

    /// Rebuilds the list and keeps the selection; before the user has done anything the default is selected.
    private func listChanged() {
        let current = choices.current(origin)
        if current != origin { state.form.isSaved = true }
        origin = current
        state.choices = choices.all
        markChoice()
        if !hasUserActed, !state.isLoggingIn, preset == nil {
            let initialChoice = choices.initialChoice.flatMap { state.choices.firstIndex(of: $0) }
            choose(initialChoice ?? state.choices.count - 1)
            state.focus = initialChoice == nil ? .address : .list
        }
        show()
    }

    // MARK: Logging in

    private func logIn() {
        let request: LoginRequest
        do {
            // An empty address is that of this machine, which has an entry of its own in the list: whoever left this one marked
            // wants another vehicle, and must not get the one here.
            if state.isOther { try state.form.requireAddress() }
            request = try state.form.request(knownNames: choices.knownNames)
        } catch {
            state.problem = error
            state.focus = error.field
            return show()
        }
        state.problem = nil
        if let present = interactor.selectLoggedIn(request) {
            router.say(Notice(.information, "already logged in to \(present.title)", scope: .vehicle))
            return router.openMenu()
        }
        // In the place of how the last one ended.
        if lastAttempt > 0 { router.say(LoginText.again) }
        state.isLoggingIn = true
        state.steps = LoginSteps()
        state.secondsWaited = 0
        lastAttempt += 1
        let number = lastAttempt
        tasks.start { [weak self, interactor] in
            while await interactor.pause(.seconds(1)), self?.hasWaited(number) == true {}
        }
        let attempt = interactor.attempt(request) { [weak self] in self?.take($0, ofAttempt: number) }
        let task = tasks.start { [weak self] in
            let outcome = await attempt.run()
            self?.finish(attempt, outcome)
        }
        running = (attempt, task)
        show()
    }

    /// Counts a second; `false` when the attempt has ended.
    private func hasWaited(_ number: Int) -> Bool {
        guard state.isLoggingIn, number == lastAttempt else { return false }
        state.secondsWaited += 1
        show()
        return true
    }

    private func take(_ event: LoginEvent, ofAttempt number: Int) {
        // A cancelled attempt may still report progress.
        guard state.isLoggingIn, number == lastAttempt else { return }
        switch event {
        case .steps(let steps): state.steps = steps
        case .question(let question): state.dialog = question.map(LoginText.dialog)
        }
        show()
    }

    private func finish(_ attempt: LoginAttempt, _ outcome: LoginOutcome) {
        if case .loggedIn(let vehicle, let saved, let warnings) = outcome {
            // Even if it was cancelled at the last moment: the vehicle is in the fleet.
            state.form.password = TypedPassword()
            router.say(LoginText.welcome(vehicle, saved))
            // Last, so that it is the one that is read.
            if !warnings.isEmpty {
                router.say(Notice(.warning, warnings.joined(separator: "; "), scope: .vehicle))
            }
            return router.openMenu()
        }
        // The user now sees another attempt, or none.
        guard running?.attempt === attempt else { return }
        running = nil
        state.isLoggingIn = false
        state.dialog = nil
        if case .failed(let error) = outcome {
            // Whole, and to be read again: the steps are shortened where the screen is small.
            router.say(LoginText.failed(error, state.steps))
            state.dialog = LoginText.dialog(
                error, hasPassword: !state.form.password.text.isEmpty, companion: state.form.companion)
        } else {
            state.steps = nil
            router.say(LoginText.cancelled)
        }
        show()
    }

    private func answer(_ reply: LoginReply) {
        guard let dialog = state.dialog else { return }
        if dialog.yes == nil {
            state.dialog = nil
        } else {
            running?.attempt.answer(reply)
        }
    }

    private func cancel() {
        if state.dialog != nil { return answer(.no) }
        guard let running else { return interactor.hasVehicles ? router.goBack() : router.say(LoginText.quitHint) }
        self.running = nil
        running.task.cancel()
        state.isLoggingIn = false
        state.steps = nil
        router.say(LoginText.cancelled)
    }

    private func show() {
        state.help = LoginText.help(state.focus, state.form, isOther: state.isOther)
        state.advice =
            state.isLoggingIn
            ? nil
            : LoginText.advice(
                state.form, hasVehicles: choices.hasVehicles || interactor.hasVehicles, localVehicles: choices.here,
                isOther: state.isOther)
        view?.show(state)
    }
}
