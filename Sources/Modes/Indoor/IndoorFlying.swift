internal import FlightControl
internal import ModeKit
internal import RouteFlight
internal import RouteKit
internal import Trajectories
internal import UAVLink

/// Confirms, sends and flies the trajectory, and tracks its progress.
@MainActor
final class IndoorFlying {
    private let interactor: IndoorInteractor
    private let router: IndoorRouter
    private let tasks: TaskBag
    private var pending: Pending?
    private var vehicleStage: RouteStage {
        get { interactor.desk.vehicleStage }
        set { interactor.desk.vehicleStage = newValue }
    }
    private var sentRevision: Int? {
        get { interactor.desk.sentRevision }
        set { interactor.desk.sentRevision = newValue }
    }
    private var isSending = false
    private var sent = IndoorProgress("")
    private var wasMoving = false

    /// The action that waits for a confirmation.
    private enum Pending {
        case send(FlightConfirmation)
        case act(String, RouteStage)
    }

    init(interactor: IndoorInteractor, router: IndoorRouter, tasks: TaskBag) {
        self.interactor = interactor
        self.router = router
        self.tasks = tasks
    }

    /// The confirmation that is open.
    private(set) var confirmation: ConfirmationRequest?

    /// The stage of the trajectory.
    var stage: RouteStage {
        if isSending { return .sending }
        switch vehicleStage {
        case .toStart, .flying, .stopped: return vehicleStage
        default: break
        }
        if interactor.planProblem != nil { return .failed }
        guard interactor.desk.editor.points.count > 1 else { return .nothing }
        guard interactor.isPlanCurrent, let plan = interactor.plan else { return .planning }
        if sentRevision == interactor.desk.editor.revision, vehicleStage != .nothing { return vehicleStage }
        return plan.trajectory.report.isOK ? .ready : .failed
    }

    /// Progress of the upload or the flight, 0 to 1; `nil` when neither is in progress.
    var progress: Double? {
        if isSending { return sent.line.fraction }
        return vehicleStage == .flying ? interactor.flight?.progress.fraction : nil
    }

    func handle(_ intent: IndoorIntent) {
        switch intent {
        case .send: send()
        case .confirm: decide(force: false)
        case .force: decide(force: true)
        case .decline: (pending, confirmation) = (nil, nil)
        case .goToStart: ask("Fly to the first point?", .toStart)
        case .start: ask("Start the trajectory?", .flying)
        case .resume: ask("Resume the trajectory?", .flying, resumes: true)
        case .stop: stop()
        default: return
        }
    }

    /// Another vehicle is selected: drops a confirmation meant for the previous one.
    func vehicleChanged() {
        (pending, confirmation) = (nil, nil)
        wasMoving = false
        let flight = interactor.flight
        if flight?.loaded == nil {
            (vehicleStage, sentRevision) = (.nothing, nil)
        } else {
            vehicleStage =
                flight?.progress.isTracking == true ? .flying : vehicleStage == .nothing ? .sent : vehicleStage
        }
    }

    /// Updates the stage from the flight's progress, and takes the snapshots that are due.
    func look(dueSnapshots: [Int]) {
        guard let flight = interactor.flight else { return }
        for point in dueSnapshots { takeSnapshot(point, flight) }
        let progress = flight.progress
        switch vehicleStage {
        case .flying where wasMoving && !progress.isTracking:
            vehicleStage = progress.fraction > 0.98 ? .flown : .stopped
        case .toStart where wasMoving && !progress.hasGoal: vehicleStage = .sent
        default: break
        }
        wasMoving = vehicleStage == .toStart ? progress.hasGoal : progress.isTracking
    }

    // MARK: Asking

    private func send() {
        guard interactor.flight != nil else { return say("not logged in to a vehicle") }
        guard interactor.desk.editor.points.count > 1 else { return say("a trajectory needs at least two points") }
        tasks.start { [weak self, interactor] in
            let asked = await interactor.confirmation()
            guard let self else { return }
            guard let asked else {
                return say(interactor.planProblem?.text ?? "planning is still in progress; try again")
            }
            pending = .send(asked)
            confirmation = IndoorFormatter.confirmation(asked)
        }
    }

    private func ask(_ title: String, _ next: RouteStage, resumes: Bool = false) {
        guard let flight = interactor.flight, let loaded = flight.loaded else {
            return say("no trajectory was sent yet; e sends it")
        }
        pending = .act(resumes ? "resume" : "", next)
        let facts = IndoorFormatter.facts(loaded.report, leastClearanceMetres: interactor.plan?.leastClearanceMetres)
        let isOther = sentRevision != interactor.desk.editor.revision
        let other =
            isOther
            ? [
                FindingLine(
                    text: "the route has changed; the vehicle has the version that was sent", isFailure: false)
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
        let meter = IndoorProgress("")
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
        vehicleStage = .sent
        if flight.isChangedByVehicle {
            router.say(Notice(.error, TrajectoryFlightFailure.changedByVehicle.description))
        } else {
            router.say(Notice(.success, "trajectory sent; g flies to its start, s starts it"))
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
                self?.vehicleStage = next
                self?.wasMoving = false
            } catch {
                self?.failed(error)
            }
        }
    }

    private func stop() {
        guard let flight = interactor.flight else { return say("not logged in to a vehicle") }
        tasks.start { [weak self] in
            do throws(TrajectoryFlightFailure) {
                try await flight.stop()
                if self?.vehicleStage != .nothing { self?.vehicleStage = .stopped }
            } catch {
                self?.failed(error)
            }
        }
    }

    private func takeSnapshot(_ point: Int, _ flight: TrajectoryFlight) {
        tasks.start { [router] in
            do throws(TrajectoryFlightFailure) {
                try await flight.takeSnapshot()
                router.say(Notice(.success, "snapshot taken at point \(point + 1)"))
            } catch {
                router.say(Notice(.error, "snapshot at point \(point + 1) failed: \(error.description)"))
            }
        }
    }

    private func failed(_ failure: TrajectoryFlightFailure) { router.say(Notice(.error, failure.description)) }

    private func say(_ text: String) { router.say(Notice(.warning, text)) }
}
