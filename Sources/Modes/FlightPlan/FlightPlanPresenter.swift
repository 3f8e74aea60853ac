internal import FlightControl
internal import FlightPlans
package import ModeKit
internal import RouteFlight
internal import UAVLink
internal import VehicleAccess

/// Turns the user's intents into files, moves of the simulated drone and flights, and what is known of them into what the screen shows.
@MainActor
package final class FlightPlanPresenter: ModePresenter {
    package weak var view: (any FlightPlanView)?
    let interactor: FlightPlanInteractor
    let router: ModeRouter
    let tasks: TaskBag
    private let flying: FlightTasks
    var state = FlightPlanScreenState()
    /// Of what the shown plan was made: a long one is not spelled out ten times a second.
    private var shown: PlanKey?
    /// What the open confirmation is about.
    var asked: Asked?

    /// What the shown plan depends on.
    private struct PlanKey: Equatable {
        var check: Int
        var moved: Int
    }

    /// What is done once it is confirmed.
    enum Asked: Equatable {
        /// Fly the plan of that revision with the vehicle of that number.
        case fly(stepwise: Bool, revision: Int, vehicle: Int)
        case leave
        /// Replace a file.
        case overwrite(FlightPlanPrompt, String)
        /// Replace a plan that no file has.
        case replace(FlightPlanPrompt, String)
    }

    init(interactor: FlightPlanInteractor, router: ModeRouter, tasks: TaskBag, flying: FlightTasks) {
        (self.interactor, self.router, self.tasks, self.flying) = (interactor, router, tasks, flying)
    }

    private var document: FlightPlanDocument { interactor.document }
    private var flight: PlanFlight? { interactor.flight }
    private var isFlying: Bool { flight?.isUnderWay == true }

    /// Shows the present state; called again and again while the mode is open.
    package func look() {
        interactor.keepPlanning()
        followFlight()
        forgetWhatIsOver()
        show()
    }

    /// The simulated drone moves with the real one, and the end of a flight is said once.
    private func followFlight() {
        guard let flight else { return }
        switch flight.progress {
        case .ready: break
        // It is on its way to where that step ends.
        case .flying(let index) where index + 1 != flight.shown: moveAlong(flight, to: index + 1)
        case .paused(let index) where index != flight.shown: moveAlong(flight, to: index)
        case .flying, .paused: break
        case .ended:
            guard !flight.isEndSaid else { return }
            flight.isEndSaid = true
            if let notice = FlightPlanTexts.end(FlightPlanTexts.flight(flight)) { router.say(notice) }
        }
    }

    /// Only with a change, so that the user can look ahead meanwhile.
    private func moveAlong(_ flight: PlanFlight, to step: Int) {
        flight.shown = step
        if flight.revision == document.revision { document.move(to: step) }
    }

    /// A question about a flight is not answered for another vehicle or plan.
    private func forgetWhatIsOver() {
        switch asked {
        case .fly(_, let revision, let vehicle):
            guard revision != document.revision || vehicle != interactor.vehicle?.id || isFlying else { return }
            forget()
        case .leave: if !isFlying { forget() }
        case .overwrite, .replace, nil: break
        }
    }

    /// Asks, unless another question is open, whose answer would be taken for this one's.
    func ask(_ question: Asked, _ request: ConfirmationRequest) {
        guard state.confirmation == nil else {
            return router.say(Notice(.warning, "\(request.title) Answer the other question first, and ask again"))
        }
        (asked, state.confirmation) = (question, request)
    }

    private func forget() { (asked, state.confirmation) = (nil, nil) }

    // MARK: Intents

    /// Handles an intent of the user.
    package func handle(_ intent: FlightPlanIntent) {
        switch intent {
        case .leave: leave()
        case .resized: return
        case .nextPanel: state.panel = state.panel == .map ? .states : .map
        case .move(let steps): document.move(to: document.moved + min(max(steps, -1000), 1000))
        case .toStart: document.move(to: 0)
        case .toEnd: document.move(to: .max)
        case .ask(let kind): ask(kind)
        case .answer(let text): answer(text)
        case .complete(let text): complete(text)
        case .cancelPrompt: state.prompt = nil
        case .fly: fly()
        case .nextStep: nextStep()
        case .pause: pause()
        case .stop: if isFlying { flight?.order(.stop) } else { sayNotFlown() }
        case .land: land()
        case .confirm: confirm()
        case .decline: decline()
        }
        look()
    }

    private func sayNotFlown() { router.say(Notice(.information, "no plan is flown; F7 hovers all the same")) }

    private func leave() {
        guard isFlying else { return router.leave() }
        ask(.leave, FlightPlanTexts.leaving)
    }

    private func pause() {
        guard isFlying else { return sayNotFlown() }
        flight?.pause()
        if case .paused? = flight?.progress { return }
        router.say(FlightPlanTexts.pauses)
    }

    private func fly() {
        guard case .paused? = flight?.progress else { return askToFly(stepwise: false) }
        flight?.flyOn()
        router.say(FlightPlanTexts.fliesOn)
    }

    private func nextStep() {
        guard isFlying else { return askToFly(stepwise: true) }
        let isPaused = if case .paused? = flight?.progress { true } else { false }
        flight?.oneStep()
        router.say(isPaused ? FlightPlanTexts.fliesStep : FlightPlanTexts.pauses)
    }

    private func askToFly(stepwise: Bool) {
        guard !isFlying else { return }
        if let obstacle = interactor.flightObstacle { return refuse(obstacle) }
        guard let plan = document.plan, let check = interactor.check(), let vehicle = interactor.vehicle else {
            return
        }
        ask(
            .fly(stepwise: stepwise, revision: document.revision, vehicle: vehicle.id),
            FlightPlanTexts.flying(
                plan, check, by: vehicle.title, battery: interactor.battery, stepwise: stepwise))
    }

    private func refuse(_ obstacle: String) {
        let way = interactor.flightState.isAirborne ? ": land it first (l)" : ""
        router.say(Notice(.warning, "the plan is not flown: \(obstacle)\(way)", scope: .vehicle))
    }

    private func land() {
        if isFlying { return flight?.order(.land) ?? () }
        guard let vehicle = interactor.vehicle, interactor.obstacle == nil else { return }
        flying.land([vehicle])
    }

    private func confirm() {
        guard let asked, state.confirmation != nil else { return }
        forget()
        switch asked {
        case .fly(let stepwise, let revision, let vehicle):
            // As long as it was asked about this plan and this vehicle.
            guard revision == document.revision, vehicle == interactor.vehicle?.id else { return }
            if let obstacle = interactor.fly(stepwise: stepwise) { return refuse(obstacle) }
            // In the place of what was said of an older command.
            router.say(stepwise ? FlightPlanTexts.fliesStep : FlightPlanTexts.fliesOn)
        case .leave: router.leave()
        case .overwrite(let kind, let path), .replace(let kind, let path): take(path, kind, replacing: true)
        }
    }

    private func decline() {
        let declined = asked
        forget()
        // The name can be changed.
        if case .overwrite(let kind, let path)? = declined { askAgain(kind, text: path, note: "") }
    }

    /// Ends the flight, for a reason from outside.
    package func stop(_ cause: StopCause) {
        if isFlying {
            switch cause {
            // The frame sends the vehicle's stop itself: the plan is over, whatever becomes of it.
            case .user: flight?.yield(to: .stop)
            case .command(.land), .command(.landHome): flight?.yield(to: .land)
            // While a plan is flown the link refuses every other.
            case .command: break
            case .otherVehicle, .terminalSilent, .suspended: flight?.order(.stop)
            }
        }
        forget()
        look()
    }

    // MARK: What is shown

    private func show() {
        state.obstacle = interactor.obstacle
        state.states = interactor.states
        // What was said of a plan is not said of the next one.
        state.flight = flight.flatMap {
            $0.isUnderWay || $0.revision == document.revision
                ? FlightPlanTexts.flight($0, stands: interactor.flightState == .disarmed) : nil
        }
        state.flightObstacle = interactor.flightObstacle
        state.canFly = document.plan != nil && state.flightObstacle == nil
        state.canLand = interactor.flightState != .disarmed
        if state.obstacle != nil { state.prompt = nil }
        if let plan = document.plan, let check = interactor.check() { show(plan, check) }
        view?.show(state)
    }

    private func show(_ plan: FlightPlan, _ check: PlanCheck) {
        state.name = document.path == nil ? "made of \(document.name.sanitizedLine)" : document.name.sanitizedLine
        let moved = document.moved
        let key = PlanKey(check: interactor.checks, moved: moved)
        guard key != shown else { return }
        if key.check != shown?.check { state.take(plan, check) }
        shown = key
        state.move(to: moved, in: plan, check.run.moments)
    }
}
