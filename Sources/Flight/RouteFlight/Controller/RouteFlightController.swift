package import FlightControl
internal import Synchronization
internal import Trajectories
package import UAVLink

/// Flies a route with one vehicle: send it, fly to its start, start, stop, resume.
///
/// It knows the route that the vehicle holds and what the vehicle does with it, from the answers to commands and from telemetry.
/// The screens and the command line use the same one; it is kept as long as the vehicle is logged in, so that no screen forgets
/// what another one did.
@MainActor
package final class RouteFlightController {
    /// The uploaded fraction; written from any thread.
    private final class UploadedFraction: Sendable {
        private let fraction = Mutex(0.0)
        var now: Double { fraction.withLock { $0 } }
        func take(_ share: Double) {
            guard share.isFinite else { return }
            fraction.withLock { $0 = min(max(share, 0), 1) }
        }
    }

    /// The commands, the progress, and the flown track.
    package let flight: TrajectoryFlight
    /// What the vehicle does with the route.
    package private(set) var state = RouteFlightState.nothingSent
    let clock: any MonotonicClock
    /// Whether the vehicle takes no references, for longer than a change of trackers takes, as its own history says, which begins at the
    /// log-in; without one the newest telemetry counts.
    package var takesNoReferences: (() -> Bool?)?
    /// When the held route was sent from here, or adopted; `nil` before.
    private(set) var heldSince: MonotonicTime?
    /// Whether it was adopted.
    private(set) var isAdopted = false
    /// The check of the held route in another world than when it was sent; `nil` if none was begun.
    var areaCheck: PresentAreaCheck?
    private var current: RouteVersion?
    private var upload = UploadedFraction()
    private var lastAction = 0
    private var lastAccepted = 0
    /// Starts and resumptions that were sent and not answered yet.
    private var unansweredStarts = 0
    /// Flights to the start that were sent and not answered yet.
    private var unansweredApproaches = 0

    /// Creates a controller for a vehicle that holds no route of this ground.
    package init(_ dependency: FlightDependency, limits: TrajectoryFlight.Limits = .init()) {
        flight = TrajectoryFlight(dependency, limits: limits)
        clock = dependency.clock
    }

    // MARK: What is known

    /// The route that the vehicle holds; `nil` if none was sent from here.
    package var held: HeldRoute? { state.held }

    /// Sets the route that is edited now, to tell whether the vehicle holds an older one.
    package func edits(_ version: RouteVersion) {
        guard version != current else { return }
        current = version
        state = state.compared(with: version)
    }

    /// Progress of the upload or the flight, 0 to 1; `nil` when neither is in progress.
    package var progress: Double? {
        switch state {
        case .uploading: upload.now
        case .flying(_, _, let isUnderWay): isUnderWay ? flight.progress.fraction : nil
        case .nothingSent, .uploaded, .goingToStart, .stopped, .flown, .failed: nil
        }
    }

    /// The line from the vehicle to the first sample of the route that it holds, metres in `world_origin`; empty while it does
    /// not lead there, or the vehicle's position is unknown.
    package var wayToStart: [Vector3] {
        switch state {
        case .uploaded(let held, _), .goingToStart(let held, _, _):
            guard let vehicle = flight.vehiclePosition, let start = held.plan.generated.trajectory.points.first else {
                return []
            }
            return [vehicle, start.position]
        case .nothingSent, .uploading, .flying, .stopped, .flown, .failed: return []
        }
    }

    /// Why an action is not possible now; `nil` if it is. Stopping always is.
    package func refusal(of action: RouteAction) -> TrajectoryFlightFailure? {
        switch action {
        case .stop: return nil
        case .send:
            if case .uploading = state { return .alreadySending }
            return nil
        case .goToStart, .start, .resume: break
        }
        if case .uploading = state { return .alreadySending }
        guard let held else { return .nothingLoaded }
        if held.isChangedByVehicle { return .changedByVehicle }
        if let otherTrajectory { return otherTrajectory }
        if action == .resume, case .flying(_, _, isUnderWay: true) = state { return .alreadyFlying }
        return misplacement(for: action)
    }

    /// Whether an action is possible now.
    package func allows(_ action: RouteAction) -> Bool { refusal(of: action) == nil }

    // MARK: Actions

    /// Sends a confirmed plan; this does not move the vehicle.
    ///
    /// - Parameter onProgress: fraction uploaded, 0 to 1; called on any thread.
    /// - Returns: the vehicle's answer; see ``HeldRoute/isChangedByVehicle``.
    /// - Throws: ``TrajectoryFlightFailure``.
    @discardableResult
    package func send(
        _ confirmed: ConfirmedPlan, onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(TrajectoryFlightFailure) -> CommandReply {
        if let refusal = refusal(of: .send) { throw refusal }
        let upload = UploadedFraction()
        self.upload = upload
        state = .uploading(confirmed.plan)
        do throws(TrajectoryFlightFailure) {
            let reply = try await flight.send(confirmed) { fraction in
                upload.take(fraction)
                onProgress(fraction)
            }
            var held = HeldRoute(
                confirmed.plan, leastClearanceMetres: confirmed.leastClearanceMetres, version: confirmed.version)
            held.isChangedByVehicle = flight.isChangedByVehicle
            let now = clock.now
            (heldSince, isAdopted, areaCheck) = (now, false, nil)
            state = RouteFlightState.uploaded(held, since: now).compared(with: current)
            return reply
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// Takes a plan that the vehicle already holds from another sender, to fly and watch it. Nothing is sent.
    package func adopt(_ plan: TrajectoryPlan, version: RouteVersion? = nil) {
        flight.adopt(plan)
        let now = clock.now
        (heldSince, isAdopted, areaCheck) = (now, true, nil)
        state = RouteFlightState.uploaded(HeldRoute(plan, version: version), since: now).compared(with: current)
    }

    /// Flies to the first sample.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    package func goToStart() async throws(TrajectoryFlightFailure) { try await move(.goToStart) }

    /// Starts following the route that the vehicle holds.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    package func start() async throws(TrajectoryFlightFailure) { try await move(.start) }

    /// Resumes where it was stopped.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    package func resume() async throws(TrajectoryFlightFailure) { try await move(.resume) }

    /// Stops following, or flying to a place, and holds; commanded at once, whatever the state and whatever else is in progress.
    /// The flight stack's own stop ends trajectories only: on the way to a place it is accepted ("already at stop"), and the
    /// vehicle flies on. A hover ends that.
    /// - Throws: ``TrajectoryFlightFailure``.
    package func stop() async throws(TrajectoryFlightFailure) {
        let number = nextAction()
        // What was not answered yet may have been executed before the stop.
        let mayHaveStarted = unansweredStarts > 0
        let fliesToPlace = fliesToPlace
        // The hover first, and the other one whatever becomes of it: neither waits for what the other failed to do.
        let failure = fliesToPlace ? await failure(of: flight.hover) : nil
        if mayHaveStarted || !fliesToPlace { try await flight.stop() }
        if let failure { throw failure }
        if mayHaveStarted, number > lastAccepted { state = state.accepted(.start, at: clock.now) }
        accept(.stop, number)
    }

    private func failure(of step: () async throws(TrajectoryFlightFailure) -> Void) async -> TrajectoryFlightFailure? {
        do throws(TrajectoryFlightFailure) { try await step() } catch { return error }
        return nil
    }

    private func move(_ action: RouteAction) async throws(TrajectoryFlightFailure) {
        if let refusal = refusal(of: action) { throw refusal }
        let number = nextAction()
        switch action {
        case .goToStart:
            unansweredApproaches += 1
            defer { unansweredApproaches -= 1 }
            try await flight.goToStart()
        case .start, .resume:
            unansweredStarts += 1
            defer { unansweredStarts -= 1 }
            if action == .start { try await flight.start() } else { try await flight.resume() }
        case .send, .stop: return
        }
        accept(action, number)
    }

    /// Whether the vehicle flies to a place, or may do so before its telemetry shows it: not along a trajectory, and not while it
    /// takes off or lands, when its tracker has a goal too, since this stop ends no landing.
    private var fliesToPlace: Bool {
        let tracker = flight.link.latestTelemetry?.tracker?.value
        guard tracker?.takesReferences != false else { return false }
        if case .goingToStart = state { return true }
        return unansweredApproaches > 0 || tracker.map { $0.hasGoal && !$0.isTrackingTrajectory } == true
    }

    private func nextAction() -> Int {
        lastAction += 1
        return lastAction
    }

    /// An answer that arrives after the answer to a later command changes nothing: a stop stays a stop.
    private func accept(_ action: RouteAction, _ number: Int) {
        guard number > lastAccepted else { return }
        lastAccepted = number
        state = state.accepted(action, at: clock.now)
    }

    // MARK: Telemetry

    /// Updates state, progress and flown track from the newest telemetry.
    ///
    /// - Returns: the points whose snapshots are due, counted from 0; each once.
    @discardableResult
    package func look() -> [Int] {
        let due = flight.look()
        guard let tracker = flight.link.latestTelemetry?.tracker else { return due }
        let ending = flight.ending(tracker)
        state = state.seeing(
            TrackerReport(
                at: tracker.at, isTracking: tracker.value.isTrackingTrajectory, hasGoal: tracker.value.hasGoal,
                isComplete: ending == .atEnd || ending == .astray, isOnItsWay: ending == .onItsWay))
        return due
    }

    /// Watches until the vehicle no longer follows the trajectory, and takes the snapshots.
    ///
    /// - Parameters:
    ///   - snapshot: called before the snapshot at a point, counted from 0.
    ///   - onProgress: flown fraction, 0 to 1.
    /// - Returns: how it ended.
    /// - Throws: ``TrajectoryFlightFailure`` of a snapshot, or `CancellationError`.
    package func watch(
        until deadline: MonotonicTime, snapshot: (Int) -> Void = { _ in }, onProgress: (Double) -> Void = { _ in }
    ) async throws -> RouteFlightEnd {
        var (wasStarted, hasBegun) = (false, false)
        while clock.now < deadline {
            for point in look() {
                snapshot(point)
                try await flight.takeSnapshot()
            }
            if case .flying(_, _, let isUnderWay) = state {
                wasStarted = true
                if isUnderWay {
                    hasBegun = true
                    onProgress(flight.progress.fraction)
                }
            } else if wasStarted {
                if case .flown = state { return strayMetres.map { .astray(metres: $0) } ?? .flown }
                return hasBegun ? .stopped(fraction: flight.progress.fraction) : .notFollowed
            }
            try await clock.sleep(for: Self.lookPeriod)
        }
        return .notEnded
    }

    /// A flight state older than this is not relied on; as for disarming.
    static let oldestFlightStatus: Duration = .seconds(2)
    /// Shorter than the period of the fastest tracker report.
    private static let lookPeriod: Duration = .milliseconds(10)
}
