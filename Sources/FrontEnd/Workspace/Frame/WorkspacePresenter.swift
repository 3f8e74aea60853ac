internal import FlightControl
internal import ModeKit
internal import ReportKit
internal import UAVLink

/// Turns the state of vehicle and link into the bars around every screen, and the global keys into commands.
@MainActor
package final class WorkspacePresenter {
    package weak var view: (any WorkspaceView)?
    /// What calls ``refresh()``.
    var updates: UpdateLimiter.Observation?
    let interactor: WorkspaceInteractor
    let router: WorkspaceRouter
    let tasks: TaskBag
    private let clock: any MonotonicClock
    let losses: @MainActor () -> [String]
    var state = WorkspaceState()
    private var notices: NoticeLine
    private var alarms = VehicleAlarms()
    private var isEnding = false
    /// The pilot named in the open take-over dialog.
    private var takesFrom: WorkspaceInteractor.ControlAuthorityState.Pilot?
    /// Whether that dialog says that the pilot has lost control.
    private var takesFromNobody = false
    private var brakes = BrakeWatch()

    init(
        interactor: WorkspaceInteractor, router: WorkspaceRouter, tasks: TaskBag, clock: any MonotonicClock,
        losses: @escaping @MainActor () -> [String]
    ) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
        self.clock = clock
        notices = NoticeLine(now: clock.now)
        self.losses = losses
    }

    /// Updates the screen state.
    package func refresh() {
        notices.expire(now: clock.now, commands: interactor.commandsBegun)
        state.notice = notices.notice
        state.commandsAll = interactor.commandsAll
        state.activity = interactor.underWay
        if let (title, position, snapshot) = interactor.selected {
            state.link = Self.linkBar(snapshot)
            let isSteering = interactor.isSteered || snapshot.telemetry?.control?.value.isSteering == true
            let isBraking = brakes.look(at: interactor.selectedID, isSteered: isSteering, now: clock.now)
            state.vehicle = Self.vehicleBar(
                snapshot, title: title, position: position, isSteered: interactor.isSteered, isBraking: isBraking)
            state.vehicle?.control = ControlText.who(
                interactor.controlAuthority, isSteered: interactor.isSteered, snapshot)
            if case .another(let pilot)? = interactor.controlAuthority, interactor.isOwnMeasurement(pilot.name) {
                state.vehicle?.control = "this measurement"
                state.vehicle?.isControlledByOther = false
            }
            if case .undecided? = interactor.controlAuthority {
                state.vehicle?.hasControlAuthority = false
            } else {
                state.vehicle?.hasControlAuthority = true
            }
            state.vehicle?.isRecorded = interactor.isRecorded
            state.vehicle?.isDrivenByText = interactor.isDrivenByText
            state.vehicle?.isSimulated = interactor.isSimulated
            state.vehicle?.capabilities = interactor.capabilities
            state.vehicle?.isReachedDirectly = interactor.isReachedDirectly
            state.vehicle?.hasEmergency = interactor.emergencyQuestion.refusal == nil
            state.vehicle?.hasNothingToStop = interactor.hasNothingToStop
            state.vehicle?.takeOffObstacle = interactor.takeOffObstacle
            let fleet = interactor.fleet
            state.vehicle?.takesNoReferences = fleet.selected.map { fleet.takesNoReferences($0) } ?? false
            state.vehicle?.takeOffClearsEmergency = interactor.takeOffTargets.clearsEmergency
            state.vehicle?.othersTakeOff = interactor.commandsAll && !interactor.takeOffTargets.vehicles.isEmpty
        } else {
            state.link = nil
            state.vehicle = nil
        }
        updateTakeOver()
        view?.show(state)
        if let warning = interactor.nextVersionWarning() { say(warning) }
        for alarm in alarms.look(at: interactor.readings) {
            say(alarm, isNews: true)
            if alarm.weight == .warning || alarm.weight == .error { view?.ring() }
        }
    }

    func opened(_ instance: ModeInstance) {
        state.mode = instance.mode
        notices.screenChanged(now: clock.now)
        view?.put(instance.view)
        refresh()
    }

    func say(_ notice: Notice) { say(notice, isNews: false) }

    private func say(_ notice: Notice, isNews: Bool) {
        var notice = notice
        notice.text = ControlAuthorityClient.onScreen(notice.text)
        let (now, commands) = (clock.now, interactor.commandsBegun)
        if isNews {
            notices.note(notice, now: now, commands: commands)
        } else {
            notices.say(notice, now: now, commands: commands)
        }
        (state.notice, state.history) = (notices.notice, notices.history)
        view?.show(state)
    }

    /// Handles an intent of the user.
    package func handle(_ intent: WorkspaceIntent) {
        switch intent {
        case .hover:
            router.stopMotion(.user)
            perform(.hover)
        case .emergencyLand: askEmergencyLand()
        case .fly(let action): fly(action)
        case .open(let mode): open(mode)
        case .record(let path): record(at: path)
        case .stopRecording: tell { await $0.stopRecording() }
        case .takeCommand: takeCommand()
        case .confirm: confirm()
        case .confirmWithReason(let reason): takeOver(because: reason)
        case .decline:
            state.confirmation = nil
            view?.show(state)
        case .nextVehicle: nextVehicle()
        case .commandAll: commandAll()
        case .back: router.goBack()
        case .quit: quit()
        case .terminalSilent: router.stopMotion(.terminalSilent)
        case .suspend: router.stopMotion(.suspended)
        }
    }

    /// Detaches the open mode and logs out of every vehicle; returns when that is done.
    package func finish() async {
        await router.detachAndWait()
        await interactor.logOutOfAll()
        updates?.end()
        tasks.cancelAll()
    }

    func clearNotice() {
        notices.clear()
        refresh()
    }

    func ask(
        _ question: Confirmation.Question, title: String, text: String, action: String, otherwise: String? = nil,
        reason: String? = nil
    ) {
        state.confirmation = Confirmation(
            question: question, title: title, text: text, action: action, otherwise: otherwise, reason: reason)
        view?.show(state)
    }

    // MARK: Control authority

    private func takeCommand() {
        switch interactor.controlAuthority {
        case nil: say(Notice(.warning, "no vehicle is logged in"))
        case .undecided(let kind): say(Notice(.warning, PaletteItem.noControlAuthority(over: kind.rawValue)))
        case .unknown: say(Notice(.warning, "no control authority status received yet"))
        case .unclaimed: tell { await $0.takeCommand() }
        case .yours(isSteering: true):
            say(Notice(.information, "you are steering; stop steering before releasing control"))
        case .yours(isSteering: false): tell { await $0.releaseControl() }
        case .another(let pilot) where interactor.isOwnMeasurement(pilot.name):
            say(Notice(.information, "the measurement on this screen has control; Esc ends it"))
        case .another(let pilot): askToTakeOver(from: pilot)
        }
    }

    private func askToTakeOver(from pilot: WorkspaceInteractor.ControlAuthorityState.Pilot) {
        (takesFrom, takesFromNobody) = (pilot, false)
        let holds = interactor.currentControl
        let time = holds.map { " for \(Self.age($0.time))" } ?? ""
        ask(
            .takeCommand, title: "Take over",
            text: "\(pilot.name.sanitizedLine) has had control of \(pilot.vehicle.sanitizedLine)\(time)"
                + "\(holds?.isSteering == true ? " and is steering: the vehicle will stop" : ""). The reason is sent to all pilots:",
            action: "take over", reason: "from the front end")
    }

    /// Says in the open take-over dialog that the pilot named there has lost control. It stays open: a letter of the reason must not be
    /// a command for the screen below.
    private func updateTakeOver() {
        guard state.confirmation?.question == .takeCommand, let takesFrom else { return }
        switch interactor.controlAuthority {
        case .unclaimed where !takesFromNobody:
            takesFromNobody = true
            state.confirmation?.text =
                "\(takesFrom.name.sanitizedLine) has lost control of \(takesFrom.vehicle.sanitizedLine): nobody has it now. "
                + "The reason is sent to all pilots:"
        case .another(let pilot) where takesFromNobody: askToTakeOver(from: pilot)
        default: break
        }
    }

    private func takeOver(because reason: String) {
        guard state.confirmation?.question == .takeCommand else { return }
        guard let reason = ControlAuthorityClient.reason(from: reason) else {
            return say(Notice(.warning, "enter a reason; it is sent to the other pilot"))
        }
        state.confirmation = nil
        view?.show(state)
        let isAgreed =
            switch interactor.controlAuthority {
            case .another(let pilot): pilot == takesFrom
            case .unclaimed: true
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
        guard interactor.hasVehicle else { return say(Notice(.warning, "no vehicle is logged in")) }
        let question = interactor.emergencyQuestion
        if let refusal = question.refusal { return say(refusal) }
        guard !interactor.areTargetsDisarmed else {
            let targets = interactor.targets.joined(separator: ", ")
            return say(
                Notice(.information, "\(targets): on the ground with its motors off, nothing to land", scope: .vehicle))
        }
        guard !interactor.areMotorsCut else {
            let targets = interactor.targets.joined(separator: ", ")
            return say(Notice(.information, "\(targets): its motors are cut already", scope: .vehicle))
        }
        ask(
            .emergencyLand, title: question.title, text: question.text, action: question.action,
            otherwise: question.otherwise)
    }

    private func confirm() {
        guard let question = state.confirmation?.question, question != .takeCommand else { return }
        state.confirmation = nil
        switch question {
        case .emergencyLand:
            router.stopMotion(.user)
            perform(.emergencyLand)
        case .commandAll:
            interactor.setCommandsAll(true)
            say(Notice(.warning, "commands go to all \(interactor.vehicleCount) vehicles", scope: .vehicle))
        case .quit: end()
        case .fly(let action): begin(action)
        // Confirmed with a reason instead.
        case .takeCommand: break
        }
        refresh()
    }

    func end() {
        guard !isEnding else { return }
        isEnding = true
        view?.end()
    }
}
