package import FlightControl
package import ModeKit
internal import ReportKit
package import RouteFlight
package import UAVLink

/// Asks before the vehicle gets or flies a route, does what was confirmed, and shows what the vehicle does with the route: the same on
/// the map and indoors.
@MainActor
package final class RouteFlying {
    /// The action that waits for a confirmation.
    private enum Pending {
        case send(FlightConfirmation)
        case act(RouteAction)
    }

    private let route: any EditedRoute
    private let words: RouteFlightWords
    private let tasks: TaskBag
    private let say: @MainActor (Notice) -> Void
    private var pending: Pending?
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
    package func forget() { pending = nil }

    /// Asks before an action; stops without asking.
    private func ask(_ action: RouteAction) {
        guard action != .stop else { return stop() }
        guard let controller = route.controller else { return warn(Self.noVehicle) }
        if let refusal = controller.refusal(of: action) {
            return warn(refusal == .nothingLoaded ? words.nothingSent : refusal.description)
        }
        guard action == .send else {
            pending = .act(action)
            return
        }
        tasks.start { [route, weak self] in
            let confirmation = await route.confirmation()
            guard let self else { return }
            if let confirmation {
                pending = .send(confirmation)
            } else {
                warn(route.confirmationProblem)
            }
            changed()
        }
    }

    /// The question that is open.
    package var confirmation: ConfirmationRequest? {
        switch pending {
        case nil: return nil
        case .send(let confirmation):
            return ConfirmationRequest(
                title: words.title(.send), facts: facts(confirmation), findings: words.findings(confirmation),
                needsForce: !confirmation.isClear)
        case .act(let action):
            guard let controller = route.controller, let held = controller.held else {
                return ConfirmationRequest(title: words.title(action), facts: [])
            }
            var plan = held.plan
            plan.vehiclePosition = controller.flight.vehiclePosition
            let confirmation = FlightConfirmation(plan, leastClearanceMetres: held.leastClearanceMetres)
            let warnings = olderWarning(held).map { [FindingLine(text: $0, isFailure: false)] } ?? []
            return ConfirmationRequest(
                title: words.title(action), facts: facts(confirmation),
                findings: warnings + (words.repeatsFindings ? words.findings(confirmation) : []))
        }
    }

    private func facts(_ confirmation: FlightConfirmation) -> [LabeledValue] {
        var facts = words.facts(confirmation)
        if let way = confirmation.distanceToStartMetres {
            facts.append(
                LabeledValue("to the start", "\(way.formatted(decimals: 1)) m, straight", isWarning: way > 20))
        }
        return facts
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

    /// Does what was asked; a plan that failed a check needs `force`, and one that did not takes none.
    private func accept(force: Bool) {
        guard let pending else { return }
        switch pending {
        case .send(let confirmation):
            guard !(force && confirmation.isClear) else { return }
            do throws(TrajectoryFlightFailure) {
                let confirmed = try confirmation.accept(force: force)
                self.pending = nil
                send(confirmed)
            } catch {
                fail(error)
            }
        case .act(let action):
            guard !force else { return }
            self.pending = nil
            guard let controller = route.controller else { return }
            run(action, controller)
        }
    }

    private func send(_ confirmed: ConfirmedPlan) {
        guard let controller = route.controller else { return }
        tasks.start { [words, weak self] in
            do throws(TrajectoryFlightFailure) {
                let reply = try await controller.send(confirmed)
                if controller.held?.isChangedByVehicle == true { throw .changedByVehicle }
                self?.tell(words.sent(reply))
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
        pending = nil
        guard let controller = route.controller else { return warn(Self.noVehicle) }
        Task { @MainActor [say, words, weak self] in
            do throws(TrajectoryFlightFailure) {
                try await controller.stop()
                if let text = words.done(.stop) { say(Notice(.success, text)) }
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
        if let text = words.done(action) { tell(text) }
        changed()
    }

    private func tell(_ text: String) { say(Notice(.success, text)) }
    private func warn(_ text: String) { say(Notice(.warning, text)) }
    private func fail(_ failure: TrajectoryFlightFailure) { say(Notice(.error, failure.description)) }

    private static let noVehicle = "not logged in to a vehicle"

    // MARK: Showing

    /// Compares the route that the vehicle holds with the edited one, and shows stage and progress.
    ///
    /// - Parameter plan: the stage of the plan of the edited route, for as long as the vehicle does nothing else.
    package func show(plan: RouteStage, in state: inout RouteScreenState) {
        let controller = route.controller
        controller?.edits(route.version)
        state.stage = controller.map { RouteStage($0.state, plan: plan) } ?? plan
        state.progress = controller?.progress
    }
}

/// The words of a mode for flying a route.
package struct RouteFlightWords {
    /// The question before an action.
    package var title: @MainActor (RouteAction) -> String
    /// What is said when an action was accepted; `nil`: nothing.
    package var done: @MainActor (RouteAction) -> String?
    /// What is said when the route was sent, after the vehicle's answer.
    package var sent: @MainActor (CommandReply) -> String
    /// What is said when nothing was sent that could be flown.
    package var nothingSent: String
    /// The values of a plan in a question.
    package var facts: @MainActor (FlightConfirmation) -> [LabeledValue]
    /// The findings of a plan in a question.
    package var findings: @MainActor (FlightConfirmation) -> [FindingLine]
    /// Whether the findings are listed again before the sent route is flown.
    package var repeatsFindings: Bool

    /// The words of a mode.
    package init(
        title: @escaping @MainActor (RouteAction) -> String, done: @escaping @MainActor (RouteAction) -> String?,
        sent: @escaping @MainActor (CommandReply) -> String, nothingSent: String,
        facts: @escaping @MainActor (FlightConfirmation) -> [LabeledValue],
        findings: @escaping @MainActor (FlightConfirmation) -> [FindingLine], repeatsFindings: Bool
    ) {
        self.title = title
        self.done = done
        self.sent = sent
        self.nothingSent = nothingSent
        self.facts = facts
        self.findings = findings
        self.repeatsFindings = repeatsFindings
    }
}
