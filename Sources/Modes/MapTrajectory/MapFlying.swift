internal import FlightControl
internal import ModeKit
internal import RouteFlight
internal import RouteKit
internal import ReportKit
internal import Synchronization
internal import Trajectories
internal import UAVLink

/// What flies on the map: what waits for a yes, what is under way, and how far it is.
@MainActor
final class MapFlying {
    /// What waits for a yes.
    enum Pending {
        case send(FlightConfirmation)
        case goToStart
        case start
        case resume
    }

    /// How much of an upload has reached the vehicle; written from any thread.
    private final class Uploaded: Sendable {
        let fraction = Mutex(0.0)
    }

    private(set) var pending: Pending?
    private var upload: Uploaded?
    private var goesToStart = false
    private var wasTracking = false
    private var wasStopped = false
    private let interactor: MapTrajectoryInteractor
    private let tasks: TaskBag
    private let tell: @MainActor (Notice) -> Void
    /// Called when something is to be seen that was not asked for just now.
    var changed: @MainActor () -> Void = {}

    init(_ interactor: MapTrajectoryInteractor, tasks: TaskBag, tell: @escaping @MainActor (Notice) -> Void) {
        self.interactor = interactor
        self.tasks = tasks
        self.tell = tell
    }

    // MARK: Asking

    /// Nothing waits for a yes any more.
    func forget() { pending = nil }

    /// Nothing is known of what another vehicle did.
    func startAnew() {
        (pending, upload) = (nil, nil)
        (goesToStart, wasTracking, wasStopped) = (false, false, false)
    }

    /// Asks before the trajectory is sent.
    func askToSend() {
        guard interactor.flight != nil else { return tell(Notice(.warning, "nobody is logged in")) }
        guard upload == nil else { return tell(Notice(.warning, "a trajectory is being sent")) }
        tasks.start { [interactor, weak self] in
            let confirmation = await interactor.confirmation()
            guard let self else { return }
            if let confirmation {
                pending = .send(confirmation)
            } else {
                tell(Notice(.warning, interactor.planProblem?.what ?? "two points at least make a trajectory"))
            }
            changed()
        }
    }

    /// Asks before something that moves the vehicle.
    func ask(_ what: Pending) {
        guard interactor.flight?.loaded != nil else {
            return tell(Notice(.warning, TrajectoryFlightFailure.nothingLoaded.description))
        }
        pending = what
    }

    // MARK: Doing

    /// The person says yes.
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
                $0.goesToStart = true
                $0.wasStopped = false
            }
        case .start:
            run("the trajectory is flown") { () throws(TrajectoryFlightFailure) in
                try await flight.start()
            } then: {
                $0.wasStopped = false
            }
        case .resume:
            run("going on") { () throws(TrajectoryFlightFailure) in
                try await flight.resume()
            } then: {
                $0.wasStopped = false
            }
        }
    }

    /// Stops at once, without asking.
    func stop() {
        pending = nil
        guard let flight = interactor.flight else { return tell(Notice(.warning, "nobody is logged in")) }
        run("stopped") { () throws(TrajectoryFlightFailure) in
            try await flight.stop()
        } then: {
            $0.wasStopped = true
            $0.goesToStart = false
        }
    }

    /// Has snapshots taken of the points that were reached.
    func takeSnapshots(_ points: [Int]) {
        guard let flight = interactor.flight else { return }
        for point in points {
            run("snapshot at point \(point + 1)") { () throws(TrajectoryFlightFailure) in
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

    /// What happens now.
    func stage(isPlanOK: Bool?) -> RouteStage {
        if upload != nil { return .sending }
        let progress = interactor.flight?.progress ?? .init()
        if progress.isTracking {
            (wasTracking, goesToStart) = (true, false)
            return .flying
        }
        if wasTracking, !wasStopped, interactor.flight?.loaded != nil { return .flown }
        if wasStopped { return .stopped }
        if goesToStart, progress.hasGoal { return .toStart }
        if let loaded = interactor.flight?.loaded, loaded.generated == interactor.plan?.generated { return .sent }
        if !interactor.isPlanCurrent, interactor.desk.editor.points.count > 1 { return .planning }
        return isPlanOK.map { $0 ? .ready : .failed } ?? .nothing
    }

    /// How much of what is under way is done.
    var progress: Double? {
        if let upload { return upload.fraction.withLock { $0 } }
        guard let progress = interactor.flight?.progress, progress.isTracking else { return nil }
        return progress.fraction
    }

    /// The question that waits for a yes.
    var confirmation: ConfirmationRequest? {
        switch pending {
        case nil: return nil
        case .send(let confirmation):
            return ConfirmationRequest(
                title: "send this trajectory?", facts: facts(confirmation),
                findings: MapWords.lines(confirmation.findings), needsForce: !confirmation.isClear)
        case .goToStart: return question("fly to the first point?")
        case .start: return question("fly the trajectory?")
        case .resume: return question("go on with the trajectory?")
        }
    }

    private func question(_ title: String) -> ConfirmationRequest {
        guard var plan = interactor.flight?.loaded else { return ConfirmationRequest(title: title, facts: []) }
        plan.vehiclePosition = interactor.flight?.vehiclePosition
        let confirmation = FlightConfirmation(plan)
        return ConfirmationRequest(
            title: title, facts: facts(confirmation), findings: MapWords.lines(confirmation.findings))
    }

    private func facts(_ confirmation: FlightConfirmation) -> [LabeledValue] {
        var facts = MapWords.facts(confirmation.plan.report)
        if let way = confirmation.wayToStartMetres {
            facts.append(
                LabeledValue("way to the start", "\(way.formatted(decimals: 1)) m, straight", isWarning: way > 20))
        }
        return facts
    }
}
