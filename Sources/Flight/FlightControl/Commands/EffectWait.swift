internal import ReportKit
internal import UAVLink

/// Waits until the effect of an accepted command shows in telemetry that was measured after it was accepted.
struct EffectWait {
    private let flight: FlightInteractor
    private let command: Command
    private let progress: FlightInteractor.Progress
    private let begun: MonotonicTime

    init(flight: FlightInteractor, command: Command, progress: @escaping FlightInteractor.Progress) {
        self.flight = flight
        self.command = command
        self.progress = progress
        begun = flight.clock.now
    }

    /// The speed below which the vehicle counts as stopped: holding position in wind, it moves at up to about this speed.
    private static let standingStillMetresPerSecond = 0.25

    /// See ``FlightInteractor/waitForEffect(of:from:progress:)``.
    func run(from start: Pose?) async throws(FlightInteractor.Failure) -> Arrival? {
        let limits = flight.limits
        switch command {
        case .takeoff: try await state("flying", limits.takeOff) { $0.state == .flying }
        case .land, .landHome, .emergencyLand:
            try await state("on the ground and disarmed", limits.landing) { $0.state == .disarmed }
        case .goTo, .altitude, .heading, .turn, .goToTrajectoryStart:
            return try await goal(GoalPlace(of: command, from: start))
        case .startTrajectory, .resumeTrajectory: try await trajectory()
        case .uploadTrajectory(let sent):
            if sent.fliesNow, !sent.loops { try await trajectory() }
        case .hover, .emergencyHover, .stopTrajectory:
            try await wait("stationary", limits.stop) { telemetry in
                guard let velocity = telemetry.velocityMetresPerSecond, velocity.at > begun else { return false }
                return velocity.value.length < Self.standingStillMetresPerSecond
            }
        case .arm(let on): try await state(on ? "armed" : "disarmed", limits.answer) { $0.isArmed == on }
        case .enableOutput(let on):
            try await state(on ? "with its control output on" : "with its control output off", limits.answer) {
                $0.isOutputEnabled == on
            }
        case .snapshot: break
        case .offboard: try await state("in offboard mode", limits.answer) { $0.isOffboard }
        }
        return nil
    }

    private func state(
        _ what: String, _ limit: Duration, until isDone: (FlightStatus) -> Bool
    ) async throws(FlightInteractor.Failure) {
        try await wait(what, limit) { telemetry in
            guard let status = telemetry.flight, status.at > begun else { return false }
            return isDone(status.value)
        }
    }

    /// The goal flag lags: right after the call the old `false` may still be read, so it must have been `true` before, or
    /// the limit `goalFlagTimeout` must have passed.
    ///
    /// A goal that was replaced, by a stop or another goal, ends too: the place tells.
    private func goal(_ place: GoalPlace?) async throws(FlightInteractor.Failure) -> Arrival? {
        let appears = flight.limits.goalFlagTimeout
        var seenGoal = false
        try await wait(
            "at the goal", flight.limits.goal, unless: Self.isLandingOrDisarmed,
            missing: { telemetry in telemetry.pose.flatMap { place?.miss(at: $0.value) } ?? Self.summary(telemetry) }
        ) { telemetry in
            guard let tracker = telemetry.tracker, tracker.at > begun else { return false }
            if tracker.value.hasGoal { seenGoal = true }
            guard !tracker.value.hasGoal else { return false }
            if flight.clock.now - begun > appears { return true }
            // Soon after the command, a goal that ends elsewhere may be that of the command before.
            return seenGoal && telemetry.pose.flatMap { place?.miss(at: $0.value) } == nil
        }
        let ended = flight.clock.now
        let pose = try await flight.seen(within: appears) { telemetry in
            telemetry.pose.flatMap { $0.at > begun ? $0.value : nil }
        }
        guard let pose else { return nil }
        if let miss = place?.miss(at: pose) {
            throw .cancelled(
                command: command.name, waitedFor: "at the goal",
                lastSeen: "not reached: replaced at \(pose.positionMetres.placeText), \(miss)")
        }
        return Arrival(
            positionMetres: pose.positionMetres, duration: ended - begun,
            isCompared: place?.isComparable(with: pose) ?? false)
    }

    private func trajectory() async throws(FlightInteractor.Failure) {
        var seenTracking = false
        let appears = flight.limits.goalFlagTimeout
        try await wait("at the end of the trajectory", flight.limits.goal, unless: Self.isLandingOrDisarmed) {
            telemetry in
            guard let tracker = telemetry.tracker, tracker.at > begun else { return false }
            if tracker.value.isTrackingTrajectory { seenTracking = true }
            return !tracker.value.isTrackingTrajectory && (seenTracking || flight.clock.now - begun > appears)
        }
    }

    /// Whether the vehicle lands or is disarmed: its goal flag is cleared then without the goal having been reached.
    private static func isLandingOrDisarmed(_ telemetry: Telemetry) -> Bool {
        switch telemetry.flight?.value.state {
        case .landing, .emergency, .disarmed: true
        default: false
        }
    }

    /// Waits until `isDone` holds for the newest telemetry, or fails when `hasFailed` does.
    private func wait(
        _ what: String, _ limit: Duration, unless hasFailed: (Telemetry) -> Bool = { _ in false },
        missing: (Telemetry) -> String = Self.summary, until isDone: (Telemetry) -> Bool
    ) async throws(FlightInteractor.Failure) {
        var lastLine = ""
        let end = try await flight.seen(within: limit) { telemetry -> Bool? in
            if let status = telemetry.flight, status.at > begun, hasFailed(telemetry) { return false }
            if isDone(telemetry) { return true }
            let line = missing(telemetry)
            if line != lastLine {
                lastLine = line
                progress(line)
            }
            return nil
        }
        if end == true { return }
        let last = flight.link.latestTelemetry.map(Self.summary) ?? "no telemetry received"
        guard end == nil else { throw .cancelled(command: command.name, waitedFor: what, lastSeen: last) }
        throw .noEffect(command: command.name, waitedFor: what, within: limit, lastSeen: last)
    }

    private static func summary(_ telemetry: Telemetry) -> String {
        let state = telemetry.flight?.value.state.word ?? "unknown"
        let tracker = telemetry.tracker?.value.tracker ?? "no tracker"
        return "state \(state), \(tracker.sanitizedLine)"
    }
}
