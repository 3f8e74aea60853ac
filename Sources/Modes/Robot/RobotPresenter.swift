internal import GameController
internal import FlightControl
package import ModeKit
internal import RouteFlight
internal import UAVLink
internal import VehicleAccess

/// The view of the mode.
package typealias RobotView = StateView<RobotScreenState>

/// What is done to the list of tasks once it is confirmed.
private enum RobotTaskChange {
    case delete(RobotTask, at: Int)
    case restore
}

/// Turns the user's intents into what the robot gets, and what is known of it into what the screen shows.
@MainActor
package final class RobotPresenter: ModePresenter {
    package weak var view: (any RobotView)?
    private let interactor: RobotInteractor
    private let router: ModeRouter
    private let tasks: TaskBag
    private var state = RobotScreenState()
    private var firstLineAt: MonotonicTime?
    /// What the open confirmation is about.
    private var asked: RobotTaskChange?
    /// The vehicle whose tasks the open question is about.
    private var askedOf: Int?

    package init(interactor: RobotInteractor, router: ModeRouter, tasks: TaskBag) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
        state.tab = interactor.tab
    }

    /// Shows the first state.
    package func begin() { refresh() }

    /// Called again and again while the mode is open: holds what is held, and shows what has come.
    package func look() {
        tick()
        refresh()
    }

    /// Holds what is held.
    package func tick() {
        let buttons = interactor.takeButtons()
        if buttons.stops { handle(.stop) }
        for function in buttons.functions where !buttons.stops { handle(.function(function)) }
        interactor.drive()
    }

    /// Handles an intent of the user.
    package func handle(_ intent: RobotIntent) {
        do throws(LinkError) { try act(intent) } catch { router.say(Notice(.error, error.description)) }
        refresh()
    }

    private func act(_ intent: RobotIntent) throws(LinkError) {
        switch intent {
        case .turn(let step):
            interactor.letGo()
            let count = RobotTab.allCases.count
            state.tab = RobotTab(rawValue: ((state.tab.rawValue + step) % count + count) % count) ?? .control
            interactor.tab = state.tab
        case .leave:
            interactor.letGo()
            router.leave()
        case .stop: try interactor.stop()
        case .press(let direction): interactor.press(direction)
        case .repeats(let direction): interactor.repeats(direction)
        case .release(let direction): interactor.release(direction)
        case .otherKey: interactor.otherKey()
        case .lostFocus: interactor.letGo()
        case .function(let function): try interactor.send(function)
        case .speed(let steps): try interactor.changeSpeed(steps)
        case .toggleController: interactor.toggleController()
        case .moveSelection, .start, .moveTask: try edit(intent)
        case .delete: askToDelete()
        case .restoreTasks: askToRestore()
        case .askTask: state.prompt = RobotTexts.newTask
        case .answer(let line): addTask(line)
        case .cancelPrompt: state.prompt = nil
        case .confirm: confirm()
        case .decline: state.confirmation = nil
        case .send(let line):
            try interactor.send(line: line)
            state.sentLines &+= 1
        case .scan: interactor.robot?.radio?.startScan()
        case .endScan: try interactor.endScan()
        case .moveBoard(let step):
            guard let radio = state.radio else { return }
            state.radio?.selected = min(max(radio.selected + step, 0), max(radio.boards.count - 1, 0))
        case .choose:
            guard let radio = state.radio, radio.boards.indices.contains(radio.selected) else { return }
            try interactor.choose(radio.boards[radio.selected].keys)
        case .toggleHex: interactor.isHex.toggle()
        case .scroll(let lines): state.scrolled = max(0, min(state.scrolled + lines, max(0, state.lines.count - 1)))
        case .save: save()
        }
    }

    private func edit(_ intent: RobotIntent) throws(LinkError) {
        let list = interactor.tasks
        let selected = state.selected
        switch intent {
        case .moveSelection(let step): state.selected = min(max(selected + step, 0), max(list.count - 1, 0))
        case .start where list.indices.contains(selected): try interactor.start(list[selected])
        case .moveTask(let step):
            let target = selected + step
            guard list.indices.contains(selected), list.indices.contains(target) else { return }
            interactor.change { $0.swapAt(selected, target) }
            state.selected = target
        default: break
        }
    }

    // MARK: Questions

    /// Adds the typed task; a line that is none stays in the prompt, with the reason.
    private func addTask(_ line: String) {
        guard state.prompt != nil, interactor.vehicle?.id == askedOf else { return }
        do throws(LinkError) {
            try interactor.add(line)
            state.prompt = nil
            state.selected = interactor.tasks.count - 1
        } catch { state.prompt?.note = error.description }
    }

    private func askToDelete() {
        guard interactor.tasks.indices.contains(state.selected) else { return }
        let task = interactor.tasks[state.selected]
        asked = .delete(task, at: state.selected)
        state.confirmation = RobotTexts.deleting(task)
    }

    private func askToRestore() {
        let lost = interactor.tasksLostByRestoring
        guard let lost else { return router.say(Notice(.information, "these are the default tasks already")) }
        asked = .restore
        state.confirmation = RobotTexts.restoring(lost)
    }

    private func confirm() {
        guard state.confirmation != nil, interactor.vehicle?.id == askedOf else { return }
        state.confirmation = nil
        switch asked {
        case .delete(let task, let index):
            interactor.change { if $0.indices.contains(index), $0[index] == task { $0.remove(at: index) } }
        case .restore: interactor.restoreTasks()
        case nil: break
        }
    }

    /// Ends every motion, for a reason from outside.
    package func stop(_ cause: StopCause) {
        switch cause {
        // The frame sends the vehicle's stop itself.
        case .user, .command, .otherVehicle, .terminalSilent, .suspended: interactor.letGo()
        }
        refresh()
    }

    private func save() {
        let text = state.lines.map { "\($0.time)  \(RobotTexts.sign($0.kind))  \($0.text)\n" }.joined()
        tasks.start { [interactor, router] in
            do throws(FileAccessError) {
                let path = try await interactor.save(text)
                router.say(Notice(.success, "console saved to \(path)"))
            } catch { router.say(Notice(.error, error.what)) }
        }
    }

    // MARK: What is shown

    /// Reads the robot, and shows it.
    private func refresh() {
        // A question about the tasks of one vehicle must not change those of the next.
        if interactor.vehicle?.id != askedOf { (state.prompt, state.confirmation) = (nil, nil) }
        askedOf = interactor.vehicle?.id
        guard let robot = interactor.robot else {
            (state.prompt, state.confirmation) = (nil, nil)
            let machine = interactor.vehicle?.link.vehicleCapabilities.machine.sanitizedLine
            state.obstacle = machine.map { "\($0) is not driven by text" } ?? "no vehicle is logged in"
            view?.show(state)
            return
        }
        let (known, program) = (robot.robot, robot.program)
        state.obstacle = nil
        let radio = robot.radio?.radioState
        (state.indicator, state.connection) = RobotTexts.connection(known.phase, radio)
        state.radio = radio.map { RobotTexts.radio($0, selected: state.radio) }
        state.tasks = interactor.tasks
        state.selected = min(state.selected, max(state.tasks.count - 1, 0))
        state.active = known.task.flatMap { task in state.tasks.firstIndex { $0.text == task.text } }
        state.currentTask = known.task.map { $0.name.sanitizedLine }
        state.direction = known.direction
        (state.speed, state.mostSpeed) = (interactor.speed, program.mostSpeed)
        state.keyTexts = Dictionary(
            uniqueKeysWithValues: RobotProgram.Key.allCases.map {
                ($0, String(decoding: program.bytes($0), as: UTF8.self))
            })
        state.lastLine = known.lastLine.map { $0.value.sanitizedLine }
        state.controller = interactor.gamepads.map { RobotTexts.controller($0.state) }
        state.isHex = interactor.isHex
        let log = robot.log(after: 0)
        if firstLineAt == nil { firstLineAt = log.first?.at }
        state.lines = log.map { RobotTexts.line($0, since: firstLineAt ?? $0.at, isHex: interactor.isHex) }
        state.scrolled = min(state.scrolled, max(0, state.lines.count - 1))
        state.facts = RobotTexts.facts(
            address: interactor.vehicle?.profile.link.word ?? "", known, lines: log, now: interactor.now)
        view?.show(state)
    }
}
