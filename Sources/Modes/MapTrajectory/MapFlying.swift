internal import FlightControl
internal import ModeKit
internal import RouteFlight
internal import RouteKit
internal import ReportKit
internal import Synchronization
internal import Trajectories
internal import UAVLink

/// Confirms, sends and flies the trajectory, and tracks its progress.
@MainActor
final class MapFlying {
    /// The action that waits for a confirmation.
    enum Pending {
        case send(FlightConfirmation)
        case goToStart
        case start
        case resume
    }

    /// The fraction of an upload that has reached the vehicle; written from any thread.
    private final class Uploaded: Sendable {
        let fraction = Mutex(0.0)
    }

    private(set) var pending: Pending?
    private var upload: Uploaded?
    private var isFlyingToStart = false
    private var wasTracking = false
    private var wasStopped = false
    private let interactor: MapTrajectoryInteractor
    private let tasks: TaskBag
    private let tell: @MainActor (Notice) -> Void
    /// Called when the state changed asynchronously and must be shown.
    var changed: @MainActor () -> Void = {}

    init(_ interactor: MapTrajectoryInteractor, tasks: TaskBag, tell: @escaping @MainActor (Notice) -> Void) {
        self.interactor = interactor
        self.tasks = tasks
        self.tell = tell
    }

    // MARK: Asking

    /// Drops the pending confirmation.
    func forget() { pending = nil }

    /// Resets all state for another vehicle.
    func resetForVehicle() {
        (pending, upload) = (nil, nil)
        (isFlyingToStart, wasTracking, wasStopped) = (false, false, false)
    }

    /// Opens the confirmation for sending the trajectory.
    func askToSend() {
        guard interactor.flight != nil else { return tell(Notice(.warning, "not logged in to a vehicle")) }
        guard upload == nil else { return tell(Notice(.warning, "a trajectory is already being sent")) }
        tasks.start { [interactor, weak self] in
            let confirmation = await interactor.confirmation()
            guard let self else { return }
            if let confirmation {
                pending = .send(confirmation)
            } else {
                tell(Notice(.warning, interactor.planProblem?.what ?? "a trajectory needs at least two points"))
            }
            changed()
        }
    }

    /// Opens the confirmation for an action that moves the vehicle.
    func ask(_ what: Pending) {
        guard interactor.flight?.loaded != nil else {
            return tell(Notice(.warning, TrajectoryFlightFailure.nothingLoaded.description))
        }
        pending = what
    }

    // MARK: Doing

    /// Accepts the confirmation and executes the action.
    func accept(force: Bool) {
        guard let pending else { return }
        if case .send(let confirmation) = pending {
            do {
                let confirmed = try confirmation.accept(force: force)
                self.pending = nil
                send(confirmed)
            } catch {
                tell(Notice(.error, error.description))
            }
            return
        }
        self.pending = nil
        guard let flight = interactor.flight else { return }
        switch pending {
        case .send: break
        case .goToStart:
            run("flying to the start") { () throws(TrajectoryFlightFailure) in
                try await flight.goToStart()
            } then: {
                $0.isFlyingToStart = true
                $0.wasStopped = false
            }
        case .start:
            run("trajectory started") { () throws(TrajectoryFlightFailure) in
                try await flight.start()
            } then: {
                $0.wasStopped = false
            }
        case .resume:
            run("trajectory resumed") { () throws(TrajectoryFlightFailure) in
                try await flight.resume()
            } then: {
                $0.wasStopped = false
            }
        }
    }

    /// Stops at once, without a confirmation.
    func stop() {
        pending = nil
        guard let flight = interactor.flight else { return tell(Notice(.warning, "not logged in to a vehicle")) }
        run("stopped") { () throws(TrajectoryFlightFailure) in
            try await flight.stop()
        } then: {
            $0.wasStopped = true
            $0.isFlyingToStart = false
        }
    }

    /// Takes the snapshots of the points that were reached.
    func takeSnapshots(_ points: [Int]) {
        guard let flight = interactor.flight else { return }
        for point in points {
            run("snapshot taken at point \(point + 1)") { () throws(TrajectoryFlightFailure) in
                try await flight.takeSnapshot()
            }
        }
    }

    private func send(_ confirmed: ConfirmedPlan) {
        guard let flight = interactor.flight else { return }
        let upload = Uploaded()
        self.upload = upload
        wasStopped = false
        tasks.start { [tell, weak self] in
            do throws(TrajectoryFlightFailure) {
                let reply = try await flight.send(confirmed) { fraction in upload.fraction.withLock { $0 = fraction } }
                tell(
                    flight.isChangedByVehicle
                        ? Notice(.error, TrajectoryFlightFailure.changedByVehicle.description)
                        : Notice(.success, "sent: \(reply.message.isEmpty ? "accepted" : reply.message)"))
            } catch {
                tell(Notice(.error, error.description))
            }
            self?.upload = nil
            self?.changed()
        }
    }

    private func run(
        _ what: String, _ body: @escaping @MainActor () async throws(TrajectoryFlightFailure) -> Void,
        then: @escaping @MainActor (MapFlying) -> Void = { _ in }
    ) {
        tasks.start { [tell, weak self] in
            do throws(TrajectoryFlightFailure) {
                try await body()
                tell(Notice(.success, what))
                if let self {
                    then(self)
                    changed()
                }
            } catch {
                tell(Notice(.error, error.description))
            }
        }
    }

    // MARK: How far it is

    /// The stage of the trajectory.
    func stage(isPlanOK: Bool?) -> RouteStage {
        if upload != nil { return .sending }
        let progress = interactor.flight?.progress ?? .init()
        if progress.isTracking {
            (wasTracking, isFlyingToStart) = (true, false)
            return .flying
        }
        if wasTracking, !wasStopped, interactor.flight?.loaded != nil { return .flown }
        if wasStopped { return .stopped }
        if isFlyingToStart, progress.hasGoal { return .toStart }
        if let loaded = interactor.flight?.loaded, loaded.generated == interactor.plan?.generated { return .sent }
        if !interactor.isPlanCurrent, interactor.desk.editor.points.count > 1 { return .planning }
        return isPlanOK.map { $0 ? .ready : .failed } ?? .nothing
    }

    /// Progress of the upload or the flight, 0 to 1; `nil` when neither is in progress.
    var progress: Double? {
        if let upload { return upload.fraction.withLock { $0 } }
        guard let progress = interactor.flight?.progress, progress.isTracking else { return nil }
        return progress.fraction
    }

    /// The pending confirmation.
    var confirmation: ConfirmationRequest? {
        switch pending {
        case nil: return nil
        case .send(let confirmation):
            return ConfirmationRequest(
                title: "send this trajectory?", facts: facts(confirmation),
                findings: MapFormatter.lines(confirmation.findings), needsForce: !confirmation.isClear)
        case .goToStart: return question("fly to the first point?")
        case .start: return question("fly the trajectory?")
        case .resume: return question("resume the trajectory?")
        }
    }

    private func question(_ title: String) -> ConfirmationRequest {
        guard var plan = interactor.flight?.loaded else { return ConfirmationRequest(title: title, facts: []) }
        plan.vehiclePosition = interactor.flight?.vehiclePosition
        let confirmation = FlightConfirmation(plan)
        return ConfirmationRequest(
            title: title, facts: facts(confirmation), findings: MapFormatter.lines(confirmation.findings))
    }

    private func facts(_ confirmation: FlightConfirmation) -> [LabeledValue] {
        var facts = MapFormatter.facts(confirmation.plan.report)
        if let way = confirmation.distanceToStartMetres {
            facts.append(
                LabeledValue("to the start", "\(way.formatted(decimals: 1)) m, straight", isWarning: way > 20))
        }
        return facts
    }
}
