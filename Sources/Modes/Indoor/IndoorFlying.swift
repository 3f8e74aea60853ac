internal import FlightControl
internal import ModeKit
internal import RouteFlight
internal import RouteKit
internal import Trajectories
internal import UAVLink

/// Confirms, sends and flies the trajectory, and knows how far that is.
@MainActor
final class IndoorFlying {
    private let interactor: IndoorInteractor
    private let router: IndoorRouter
    private let tasks: TaskBag
    private var pending: Pending?
    private var onVehicle: RouteStage {
        get { interactor.desk.onVehicle }
        set { interactor.desk.onVehicle = newValue }
    }
    private var sentRevision: Int? {
        get { interactor.desk.sentRevision }
        set { interactor.desk.sentRevision = newValue }
    }
    private var isSending = false
    private var sent = IndoorWork("")
    private var wasMoving = false

    /// What a yes would do.
    private enum Pending {
        case send(FlightConfirmation)
        case act(String, RouteStage)
    }

    init(interactor: IndoorInteractor, router: IndoorRouter, tasks: TaskBag) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
    }

    /// What must be agreed to.
    private(set) var confirmation: ConfirmationRequest?

    /// What happens with the trajectory.
    var stage: RouteStage {
        if isSending { return .sending }
        switch onVehicle {
        case .toStart, .flying, .stopped: return onVehicle
        default: break
        }
        if interactor.planProblem != nil { return .failed }
        guard interactor.desk.editor.points.count > 1 else { return .nothing }
        guard interactor.isPlanCurrent, let plan = interactor.plan else { return .planning }
        if sentRevision == interactor.desk.editor.revision, onVehicle != .nothing { return onVehicle }
        return plan.trajectory.report.isOK ? .ready : .failed
    }

    /// How much of it is done, while something is under way.
    var progress: Double? {
        if isSending { return sent.line.fraction }
        return onVehicle == .flying ? interactor.flight?.progress.fraction : nil
    }

    func handle(_ intent: IndoorIntent) {
        switch intent {
        case .send: send()
        case .confirm: decide(force: false)
        case .force: decide(force: true)
        case .decline: (pending, confirmation) = (nil, nil)
        case .goToStart: ask("Fly to the first point?", .toStart)
        case .start: ask("Start to follow the trajectory?", .flying)
        case .resume: ask("Go on where it was stopped?", .flying, resumes: true)
        case .stop: stop()
        default: return
        }
    }

    /// Another vehicle is selected: a question about the one before is void.
    func vehicleChanged() {
        (pending, confirmation) = (nil, nil)
        wasMoving = false
        let flight = interactor.flight
        if flight?.loaded == nil {
            (onVehicle, sentRevision) = (.nothing, nil)
        } else {
            onVehicle = flight?.progress.isTracking == true ? .flying : onVehicle == .nothing ? .sent : onVehicle
        }
    }

    /// Looks how far the flight is, and has the snapshots taken that are due.
    func look(dueSnapshots: [Int]) {
        guard let flight = interactor.flight else { return }
        for point in dueSnapshots { takeSnapshot(point, flight) }
        let progress = flight.progress
        switch onVehicle {
        case .flying where wasMoving && !progress.isTracking:
            onVehicle = progress.fraction > 0.98 ? .flown : .stopped
        case .toStart where wasMoving && !progress.hasGoal: onVehicle = .sent
        default: break
        }
        wasMoving = onVehicle == .toStart ? progress.hasGoal : progress.isTracking
    }

    // MARK: Asking

    private func send() {
        guard interactor.flight != nil else { return say("nobody is logged in to a vehicle") }
        guard interactor.desk.editor.points.count > 1 else { return say("a trajectory needs two points at least") }
        tasks.start { [weak self, interactor] in
            let asked = await interactor.confirmation()
            guard let self else { return }
            guard let asked else {
                return say(interactor.planProblem?.text ?? "the trajectory is still being made: try again")
            }
            pending = .send(asked)
            confirmation = IndoorWords.confirmation(asked)
        }
    }

    private func ask(_ title: String, _ next: RouteStage, resumes: Bool = false) {
        guard let flight = interactor.flight, let loaded = flight.loaded else {
            return say("no trajectory was sent yet: e sends it")
        }
        pending = .act(resumes ? "resume" : "", next)
        let facts = IndoorWords.facts(loaded.report, leastClearanceMetres: interactor.plan?.leastClearanceMetres)
        let isOther = sentRevision != interactor.desk.editor.revision
        let other =
            isOther
            ? [
                FindingLine(
                    text: "the route was changed since: the vehicle has the one that was sent", isFailure: false)
            ]
            : []
        confirmation = ConfirmationRequest(title: title, facts: facts, findings: other)
    }

    private func decide(force: Bool) {
        guard let pending, let confirmation, force == confirmation.needsForce else { return }
        (self.pending, self.confirmation) = (nil, nil)
        switch pending {
        case .send(let asked): upload(asked, force: force)
        case .act(let what, let next): act(what, next)
        }
    }

    // MARK: Doing

    private func upload(_ asked: FlightConfirmation, force: Bool) {
        guard let flight = interactor.flight else { return }
        let revision = interactor.desk.editor.revision
        isSending = true
        let meter = IndoorWork("")
        sent = meter
        tasks.start { [weak self] in
            do throws(TrajectoryFlightFailure) {
                try await flight.send(try asked.accept(force: force), told: meter.told)
                self?.isSent(revision, flight)
            } catch {
                self?.failed(error)
            }
            self?.isSending = false
        }
    }

    private func isSent(_ revision: Int, _ flight: TrajectoryFlight) {
        sentRevision = revision
        onVehicle = .sent
        if flight.isChangedByVehicle {
            router.say(Notice(.error, TrajectoryFlightFailure.changedByVehicle.description))
        } else {
            router.say(Notice(.success, "the vehicle has the trajectory: g flies to its start, s starts it"))
        }
    }

    private func act(_ what: String, _ next: RouteStage) {
        guard let flight = interactor.flight else { return }
        tasks.start { [weak self] in
            do throws(TrajectoryFlightFailure) {
                switch (what, next) {
                case ("resume", _): try await flight.resume()
                case (_, .toStart): try await flight.goToStart()
                default: try await flight.start()
                }
                self?.onVehicle = next
                self?.wasMoving = false
            } catch {
                self?.failed(error)
            }
        }
    }

    private func stop() {
        guard let flight = interactor.flight else { return say("nobody is logged in to a vehicle") }
        tasks.start { [weak self] in
            do throws(TrajectoryFlightFailure) {
                try await flight.stop()
                if self?.onVehicle != .nothing { self?.onVehicle = .stopped }
            } catch {
                self?.failed(error)
            }
        }
    }

    private func takeSnapshot(_ point: Int, _ flight: TrajectoryFlight) {
        tasks.start { [router] in
            do throws(TrajectoryFlightFailure) {
                try await flight.takeSnapshot()
                router.say(Notice(.success, "snapshot at point \(point + 1)"))
            } catch {
                router.say(Notice(.error, "no snapshot at point \(point + 1): \(error.description)"))
            }
        }
    }

    private func failed(_ failure: TrajectoryFlightFailure) { router.say(Notice(.error, failure.description)) }

    private func say(_ text: String) { router.say(Notice(.warning, text)) }
}
