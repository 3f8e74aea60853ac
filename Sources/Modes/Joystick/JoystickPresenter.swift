internal import FlightControl
internal import ModeKit
internal import GameController
internal import ReportKit
internal import UAVLink

/// Turns what a person does with keys and buttons into control, and what is known into words and figures.
@MainActor
public final class JoystickPresenter {
    /// Where it shows things.
    public weak var view: (any JoystickView)?
    private let interactor: JoystickInteractor
    private let router: JoystickRouter
    private let clock: any MonotonicClock
    private var question: Question?
    private var buttons: Gamepad?

    private enum Question {
        case takeOff, land
    }

    init(interactor: JoystickInteractor, router: JoystickRouter, clock: any MonotonicClock) {
        self.interactor = interactor
        self.router = router
        self.clock = clock
    }

    /// Looks after control, then shows what is known now.
    public func refresh() {
        interactor.tick()
        takeButtons()
        show()
    }

    /// Does what the person asked for.
    public func handle(_ intent: JoystickIntent) {
        switch intent {
        case .press, .repeats, .release, .lostFocus: break
        default: interactor.otherKey()
        }
        switch intent {
        case .press(let key): interactor.press(key)
        case .repeats(let key): interactor.repeats(key)
        case .release(let key): interactor.release(key)
        case .takeOrGiveBack: takeOrGiveBack()
        case .leave: leave()
        case .hover: interactor.hover()
        case .takeOff: askToTakeOff()
        case .land: interactor.land()
        case .answer(let isYes): answer(isYes)
        case .cancelCommand: interactor.flight.cancel()
        case .changeFrame: interactor.changeFrame()
        case .speed(let step): interactor.changeSpeed(step)
        case .rate(let step): interactor.changeRate(step)
        case .changeLayout: interactor.changeLayout()
        case .changeSource: interactor.changeSource()
        case .lostFocus: interactor.stop(.focusLost)
        }
        show()
    }

    /// Ends motion for a reason from outside.
    func stop(_ reason: StopReason) {
        interactor.stop(reason)
        show()
    }

    private func takeOrGiveBack() {
        switch interactor.state {
        case .released: interactor.take()
        case .waitsForNeutral, .engaged: interactor.stop(.givenBack)
        case .stopping: break
        }
    }

    private func leave() {
        if question != nil { return question = nil }
        // The first Esc ends the waiting, so that a take-off is not broken off unseen by leaving.
        if interactor.flight.cancel() { return }
        interactor.stop(.givenBack)
        router.leave()
    }

    private func askToTakeOff() {
        switch interactor.selected?.link.latestTelemetry?.flight?.value.state ?? .unknown {
        case .flying, .takingOff, .landing:
            router.say(Notice(.information, "the vehicle is in the air already"))
        case .unknown, .disarmed, .armed, .emergency: question = .takeOff
        }
    }

    private func answer(_ isYes: Bool) {
        defer { question = nil }
        guard isYes else { return }
        switch question {
        case .takeOff: interactor.flight.takeOff(interactor.targets)
        case .land: interactor.land()
        case nil: break
        }
    }

    /// Buttons are counted, so that a press between two looks is not missed. What was pressed before the first look, or
    /// on another controller, means nothing.
    private func takeButtons() {
        let gamepad = interactor.gamepadsState?.gamepad
        defer { buttons = gamepad }
        guard let gamepad, let before = buttons, before.number == gamepad.number else { return }
        for button in GamepadButton.allCases where gamepad.presses(of: button) > before.presses(of: button) {
            pressed(button)
        }
    }

    private func pressed(_ button: GamepadButton) {
        // Somebody who flies by keyboard is not to be surprised by a controller on the table; but a stop is a stop.
        guard button == .b || interactor.settings.source == .controller else { return }
        switch button {
        case .b:
            question = nil
            interactor.hover()
        case .start: takeOrGiveBack()
        case .a: if question != nil { answer(true) }
        case .y: askToTakeOff()
        case .x: if question == nil { question = .land }
        case .leftShoulder: interactor.changeSpeed(-1)
        case .rightShoulder: interactor.changeSpeed(1)
        case .back: interactor.changeFrame()
        }
    }

    private func show() {
        var state = JoystickScreenState()
        JoystickWords(interactor, now: clock.now).fill(&state)
        state.question = question.map { question in
            let who = interactor.targets.map(\.title).joined(separator: ", ").harmlessLine
            return switch question {
            case .takeOff: "Arm the motors of \(who) and take off?"
            case .land: "Land \(who)?"
            }
        }
        view?.show(state)
    }
}
