internal import FlightControl
internal import ModeKit
internal import ReportKit
internal import UAVLink

/// Turns what is known of vehicle and link into the bars around every screen, and the keys that always work into commands.
@MainActor
public final class WorkspacePresenter {
    /// How long a line stays.
    static let noticeStays: Duration = .seconds(8)

    /// Where it shows things.
    public weak var view: (any WorkspaceView)?
    private let interactor: WorkspaceInteractor
    private let router: WorkspaceRouter
    private let tasks: TaskBag
    private let clock: any MonotonicClock
    private var state = WorkspaceState()
    private var noticeUntil: MonotonicTime?
    private var isEnding = false
    /// From whom command would be taken, while that is asked.
    private var takesFrom: WorkspaceInteractor.CommandHolder.Pilot?

    init(interactor: WorkspaceInteractor, router: WorkspaceRouter, tasks: TaskBag, clock: any MonotonicClock) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
        self.clock = clock
    }

    /// Shows what is known now.
    public func refresh() {
        if let until = noticeUntil, clock.now >= until {
            state.notice = nil
            noticeUntil = nil
        }
        state.commandsAll = interactor.commandsAll
        if let (title, position, snapshot) = interactor.selected {
            state.link = Self.linkBar(snapshot)
            state.vehicle = Self.vehicleBar(snapshot, title: title, position: position)
            // Where the vehicle's end decides who flies, it says who does.
            if case .undecided = interactor.commandHolder, interactor.isSteering() { state.vehicle?.control = "you" }
        } else {
            state.link = nil
            state.vehicle = nil
        }
        view?.show(state)
        if let warning = interactor.newVersionWarning() { say(warning) }
    }

    func opened(_ module: Module) {
        state.mode = module.mode
        view?.put(module.view)
        refresh()
    }

    func say(_ notice: Notice) {
        state.notice = notice
        noticeUntil = clock.now + Self.noticeStays
        view?.show(state)
    }

    /// Does what the person asked for.
    public func handle(_ intent: WorkspaceIntent) {
        switch intent {
        case .hover:
            router.stopMotion(.person)
            perform(.hover)
        case .emergencyLand: askEmergencyLand()
        case .takeCommand: takeCommand()
        case .confirm: confirm()
        case .confirmBecause(let reason): takeOver(because: reason)
        case .decline:
            state.confirmation = nil
            view?.show(state)
        case .nextVehicle:
            router.stopMotion(.otherVehicle)
            interactor.selectNext()
            refresh()
        case .commandAll: commandAll()
        case .back: router.goBack()
        case .quit: quit()
        case .terminalSilent: router.stopMotion(.terminalSilent)
        case .suspend: router.stopMotion(.suspended)
        }
    }

    /// Detaches what is on the stage and logs out of every vehicle; returns when that is done.
    public func finish() async {
        await router.detachAndSettle()
        await interactor.logOutOfAll()
        tasks.cancelAll()
    }

    private func perform(_ command: Command) {
        guard interactor.hasVehicle else { return say(Notice(.warning, "nobody is logged in")) }
        say(Notice(.information, "\(command.name) ..."))
        tasks.start { [interactor, weak self] in
            for notice in await interactor.perform(command) { self?.say(notice) }
        }
    }

    private func ask(
        _ question: Confirmation.Question, title: String, text: String, action: String, reason: String? = nil
    ) {
        state.confirmation = Confirmation(
            question: question, title: title, text: text, action: action, reason: reason)
        view?.show(state)
    }

    private func takeCommand() {
        switch interactor.commandHolder {
        case nil: say(Notice(.warning, "nobody is logged in"))
        case .undecided(let kind): say(Notice(.warning, "over \(kind.rawValue) nobody decides who flies"))
        case .unknown: say(Notice(.warning, "the companion has not told yet who flies"))
        case .nobodys: tell { await $0.takeCommand() }
        case .yours(isSteering: true): say(Notice(.information, "you steer; give control back there first"))
        case .yours(isSteering: false): tell { await $0.giveCommandBack() }
        case .another(let pilot): askToTakeOver(from: pilot)
        }
    }

    private func askToTakeOver(from pilot: WorkspaceInteractor.CommandHolder.Pilot) {
        takesFrom = pilot
        let holds = interactor.pilotHolds
        let time = holds.map { " for \(Self.age($0.time))" } ?? ""
        ask(
            .takeCommand, title: "Take over",
            text: "\(pilot.name.harmlessLine) has been in command of \(pilot.vehicle.harmlessLine)\(time)"
                + "\(holds?.isSteering == true ? " and steers: the vehicle stops" : ""). The reason is told to everybody:",
            action: "take over", reason: "from the front end")
    }

    private func takeOver(because reason: String) {
        guard state.confirmation?.question == .takeCommand else { return }
        guard let reason = CommandOfVehicle.reason(from: reason) else {
            return say(Notice(.warning, "the other pilot is told why: type a reason"))
        }
        state.confirmation = nil
        view?.show(state)
        let isAgreed =
            switch interactor.commandHolder {
            case .another(let pilot): pilot == takesFrom
            case .nobodys: true
            default: false
            }
        guard isAgreed else { return takeCommand() }
        tell { await $0.takeCommand(because: reason) }
    }

    private func tell(_ work: @escaping @MainActor @Sendable (WorkspaceInteractor) async -> Notice) {
        tasks.start { [interactor, weak self] in
            let notice = await work(interactor)
            self?.say(notice)
        }
    }

    private func askEmergencyLand() {
        guard interactor.hasVehicle else { return say(Notice(.warning, "nobody is logged in")) }
        ask(
            .emergencyLand, title: "Emergency landing",
            text:
                "\(interactor.targets.joined(separator: ", ")) lands at once where it is, and takes no other command. "
                + "F7 only stops.",
            action: "land now")
    }

    private func commandAll() {
        if interactor.commandsAll {
            interactor.setCommandsAll(false)
            return say(Notice(.information, "commands go to the selected vehicle only"))
        }
        guard interactor.vehicleCount > 1 else {
            return say(Notice(.warning, "there is only one vehicle; n in the menu logs in to another"))
        }
        ask(
            .commandAll, title: "Command all \(interactor.vehicleCount) vehicles",
            text: "Take-off, landing, hover and emergency landing go to every one of them until F5 is pressed again. "
                + "Steering stays with the selected one.",
            action: "command all")
    }

    private func quit() {
        let airborne = interactor.airborne
        guard !airborne.isEmpty else { return end() }
        ask(
            .quit, title: "Quit in flight",
            text: "\(airborne.joined(separator: ", ")) is in the air and stays there, hovering, when you leave.",
            action: "quit")
    }

    private func confirm() {
        guard let question = state.confirmation?.question, question != .takeCommand else { return }
        state.confirmation = nil
        switch question {
        case .emergencyLand:
            router.stopMotion(.person)
            perform(.emergencyLand)
        case .commandAll:
            interactor.setCommandsAll(true)
            say(Notice(.warning, "commands go to all \(interactor.vehicleCount) vehicles"))
        case .quit: end()
        // It goes with a reason.
        case .takeCommand: break
        }
        refresh()
    }

    private func end() {
        guard !isEnding else { return }
        isEnding = true
        view?.end()
    }
}
