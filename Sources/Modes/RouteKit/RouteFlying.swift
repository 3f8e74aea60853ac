package import FlightControl
package import ModeKit
package import RouteFlight
internal import Trajectories
internal import UAVLink

/// Asks before the vehicle gets or flies a route, does what was confirmed, and shows what the vehicle does with the route: the same on
/// the map and indoors.
@MainActor
package final class RouteFlying {
    /// The action that waits for a confirmation.
    private enum Pending {
        case send(FlightConfirmation)
        case act(RouteAction)
    }

    /// A question that is open, and the vehicle that it is about: the answer is for no other one.
    private struct Asked {
        var pending: Pending
        var controller: RouteFlightController
        /// Its name, safe to show.
        var vehicle: String
    }

    private let route: any EditedRoute
    private let words: RouteFlightWords
    private let tasks: TaskBag
    private let say: @MainActor (Notice) -> Void
    private var asked: Asked?
    /// The flight of which it was said last that it did not follow its route.
    private var astray: (controller: ObjectIdentifier, since: MonotonicTime)?
    /// The flight to the start that is watched.
    private var approach = StartApproach()
    private var offers = RouteOffers()
    /// What a check of the route has found, as it was shown last.
    private var failure: (route: RouteVersion, text: String)?
    /// Called when the state changed asynchronously and must be shown.
    package var changed: @MainActor () -> Void = {}

    /// Flies the route of a mode; `tasks` are ended when its screen is left, and `say` shows a notice.
    package init(
        _ route: any EditedRoute, words: RouteFlightWords, tasks: TaskBag, say: @escaping @MainActor (Notice) -> Void
    ) {
        self.route = route
        self.words = words
        self.tasks = tasks
        self.say = say
    }

    /// Handles the intents of flying a route.
    ///
    /// - Returns: `false` for another intent.
    package func handle(_ intent: RouteIntent) -> Bool {
        switch intent {
        case .act(let action): ask(action)
        case .confirm: accept(force: false)
        case .force: accept(force: true)
        case .decline: forget()
        default: return false
        }
        return true
    }

    // MARK: Asking

    /// Takes back the question: it was declined, something was stopped, or another vehicle is selected.
    package func forget() { asked = nil }

    /// Asks before an action; stops without asking. What the vehicle will refuse is not asked about.
    private func ask(_ action: RouteAction) {
        guard action != .stop else { return stop() }
        if let refusal = refusals.words(action) { return warn(refusal) }
        guard let controller = route.controller else { return }
        let vehicle = route.vehicleTitle ?? "the vehicle"
        guard action == .send else {
            asked = Asked(pending: .act(action), controller: controller, vehicle: vehicle)
            return
        }
        tasks.start { [route, weak self] in
            let confirmation = await route.confirmation()
            guard let self else { return }
            if controller !== route.controller {
                // The route was checked for the vehicle that was selected before.
                warn(Self.otherVehicle)
            } else if let confirmation {
                asked = Asked(pending: .send(confirmation), controller: controller, vehicle: vehicle)
            } else {
                warn(route.confirmationProblem)
            }
            changed()
        }
    }

    /// The question that is open.
    package var confirmation: ConfirmationRequest? {
        guard let asked else { return nil }
        switch asked.pending {
        case .send(let confirmation):
            return RouteQuestion(.send, vehicle: asked.vehicle).request(
                facts: words.factsWithWay(confirmation), findings: words.findings(confirmation),
                needsForce: !confirmation.isClear, endsFlight: asked.controller.flight.progress.isTracking)
        case .act(let action):
            return HeldRouteQuestion(
                action, asked.controller, route.confirmation(of: action, asked.controller), vehicle: asked.vehicle,
                olderWarning: asked.controller.held.flatMap { olderWarning($0) }, words: words
            ).request
        }
    }

    private func olderWarning(_ held: HeldRoute) -> String? {
        guard held.isOlder else { return nil }
        switch held.version?.source {
        case let source where source == route.version.source: break
        case .map: return "the vehicle has the route that was sent from the map, not this one"
        case .indoor: return "the vehicle has the route that was sent from the indoor map, not this one"
        case .file, nil: break
        }
        return "the route has changed; the vehicle has the version that was sent"
    }

    // MARK: Doing

    /// Does what was asked; what failed a check, when it was sent or now, needs `force`, and what did not takes none.
    private func accept(force: Bool) {
        guard let asked else { return }
        let controller = asked.controller
        guard controller === route.controller else {
            forget()
            return warn(Self.otherVehicle)
        }
        switch asked.pending {
        case .send(let confirmation):
            guard !(force && confirmation.isClear) else { return }
            do throws(TrajectoryFlightFailure) {
                let confirmed = try confirmation.accept(force: force)
                forget()
                send(confirmed, controller)
            } catch {
                fail(error)
            }
        case .act(let action):
            // Checked again: battery and position may have changed since the question was shown.
            let failure = route.confirmation(of: action, controller)?.findings.first { $0.weight == .failure }
            guard !(force && failure == nil) else { return }
            if let failure, !force {
                let question = RouteQuestion(action, vehicle: asked.vehicle)
                return say(Notice(.error, "\(question.otherwise): \(failure.text)"))
            }
            forget()
            run(action, controller)
        }
    }

    private func send(_ confirmed: ConfirmedPlan, _ controller: RouteFlightController) {
        tasks.start { [weak self] in
            do throws(TrajectoryFlightFailure) {
                let reply = try await controller.send(confirmed)
                if controller.held?.isChangedByVehicle == true { throw .changedByVehicle }
                self?.tell(RouteFlightWords.sent(reply))
            } catch {
                self?.fail(error)
            }
            self?.changed()
        }
    }

    private func run(_ action: RouteAction, _ controller: RouteFlightController) {
        tasks.start { [weak self] in
            do throws(TrajectoryFlightFailure) {
                switch action {
                case .goToStart: try await controller.goToStart()
                case .start: try await controller.start()
                case .resume: try await controller.resume()
                case .send, .stop: return
                }
                self?.done(action)
            } catch {
                self?.fail(error)
            }
        }
    }

    /// Stops at once, without a question. Its task is not among those of the screen: leaving it does not take a stop back.
    private func stop() {
        forget()
        guard let controller = route.controller else { return warn(RouteRefusal.noVehicle) }
        route.selection.beginStop()
        approach.stop()
        Task { @MainActor [say, weak self] in
            do throws(TrajectoryFlightFailure) {
                try await controller.stop()
                if let text = RouteFlightWords.done(.stop) { say(Notice(.success, text)) }
            } catch {
                say(Notice(.error, error.description))
            }
            self?.changed()
        }
    }

    /// Reads the state of the vehicle, and takes the snapshots that are due.
    ///
    /// - Parameter isAnother: called when another vehicle is selected; an open question was taken back.
    package func look(isAnother: () -> Void) {
        let state = route.look()
        if state.isAnother {
            forget()
            isAnother()
        }
        takeSnapshots(state.dueSnapshots)
        sayAstray()
        if let arrived = approach.arrival(route.controller) { tell(arrived) }
    }

    /// Says, once for each flight, that the vehicle came to the end of another trajectory.
    private func sayAstray() {
        guard let controller = route.controller, case .flown(_, let since) = controller.state,
            let metres = controller.strayMetres
        else { return }
        let identifier = ObjectIdentifier(controller)
        guard astray?.controller != identifier || astray?.since != since else { return }
        astray = (identifier, since)
        if let text = RouteFlightEnd.astray(metres: metres).problem(at: nil) { warn(text) }
    }

    /// Takes the snapshots of the points that were reached, counted from 0.
    private func takeSnapshots(_ points: [Int]) {
        guard !points.isEmpty, let flight = route.flight else { return }
        for point in points {
            tasks.start { [weak self] in
                do throws(TrajectoryFlightFailure) {
                    try await flight.takeSnapshot()
                    self?.tell("snapshot taken at point \(point + 1)")
                } catch {
                    self?.say(Notice(.error, "snapshot at point \(point + 1) failed: \(error.description)"))
                }
            }
        }
    }

    private func done(_ action: RouteAction) {
        if let text = RouteFlightWords.done(action) { tell(text) }
        changed()
    }

    private func tell(_ text: String) { say(Notice(.success, text)) }
    private func warn(_ text: String) { say(Notice(.warning, text)) }
    private func fail(_ failure: TrajectoryFlightFailure) {
        say(Notice(.error, RouteText.withKeys(failure.description)))
    }

    private static let otherVehicle = "another vehicle was selected meanwhile; nothing was sent to it"

    // MARK: Showing

    /// Compares the route that the vehicle holds with the edited one, and shows stage, progress and what can be done now.
    ///
    /// - Parameters:
    ///   - plan: the stage of the plan of the edited route, for as long as the vehicle does nothing else.
    ///   - state: what is shown, with the facts on the plan.
    package func show(plan: RouteStage, in state: inout RouteScreenState) {
        let controller = route.controller
        controller?.edits(route.version)
        if let controller { checkHeld(controller) }
        let offered = controller.map { offers.actions(of: $0, plan, route) } ?? []
        state.stage = stage(controller, plan)
        state.missing = state.stage == .failed ? refusals.passed.missing ?? "" : ""
        let failed = plan == .failed ? state.findings.first { $0.isFailure } : nil
        failure = failed.map { (route: route.version, text: $0.text) }
        state.progress = controller?.progress
        state.hasVehicle = controller != nil
        let isSendable = plan == .planning || !state.plan.isEmpty
        // A stop is accepted from every pilot.
        let isRefused = route.selection.authorityObstacle != nil
        state.actions = offered.filter { $0 == .stop || !isRefused && ($0 != .send || isSendable) }
        state.refusals = refusals.all(except: state.actions, asked: offers.reasons)
    }

    private var refusals: RouteRefusal {
        RouteRefusal(route: route, failure: failure?.route == route.version ? failure?.text : nil)
    }

    /// Checks what the vehicle holds in the present world, if it was not, and shows what that has found.
    private func checkHeld(_ controller: RouteFlightController) {
        guard let world = route.presentWorld, controller.beginsCheck(in: world) else { return }
        tasks.start { [weak self] in
            await controller.check(in: world)
            self?.changed()
        }
    }

    /// What would be refused is not said to be ready.
    private func stage(_ controller: RouteFlightController?, _ plan: RouteStage) -> RouteStage {
        guard let controller else { return plan == .ready ? .checked : plan }
        let stage = RouteStage(
            controller.state, plan: plan, isAstray: controller.strayMetres != nil, isFailing: offers.isFailing)
        return stage == .ready ? refusals.passed : stage
    }
}
