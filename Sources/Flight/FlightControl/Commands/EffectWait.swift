internal import ReportKit
internal import UAVLink

/// Waits until the effect of an accepted command shows in telemetry that was measured after it was accepted.
struct EffectWait {
    /// What telemetry says of the effect.
    enum Verdict: Hashable {
        case seen
        /// It will not be seen any more, and why.
        case failed(String)
    }

    let flight: FlightInteractor
    private let command: Command
    private let destination: KnownDestination?
    private let progress: FlightInteractor.Progress
    private let notice: FlightInteractor.Progress
    let begun: MonotonicTime

    /// - Parameters:
    ///   - destination: where the command leads, if it does not say it itself.
    ///   - answered: when the command was accepted; now without it.
    init(
        flight: FlightInteractor, command: Command, to destination: KnownDestination?,
        since answered: MonotonicTime? = nil,
        progress: @escaping FlightInteractor.Progress, notice: @escaping FlightInteractor.Progress = { _ in }
    ) {
        (self.flight, self.command, self.destination) = (flight, command, destination)
        (self.progress, self.notice) = (progress, notice)
        begun = answered ?? flight.clock.now
    }

    var machine: VehicleCapabilities { flight.link.vehicleCapabilities }

    /// The speed below which the vehicle counts as stopped: holding position in wind, it moves at up to about this speed.
    static let standingStillMetresPerSecond = 0.25

    /// See ``FlightInteractor/waitForEffect(of:from:to:since:progress:notice:)``.
    func run(from start: Pose?) async throws(FlightInteractor.Failure) -> Arrival? {
        let limits = flight.limits
        switch command {
        case .takeoff: return try await takeOff()
        case .land, .landHome, .emergencyLand: return try await landing()
        case .goTo, .altitude, .heading, .turn, .goToTrajectoryStart:
            return try await goal(destination.map { GoalPlace($0) } ?? GoalPlace(of: command, from: start))
        case .startTrajectory, .resumeTrajectory: return try await trajectory(to: destination.map { GoalPlace($0) })
        case .uploadTrajectory(let sent):
            if sent.fliesNow, !sent.loops { return try await trajectory(to: GoalPlace(endOf: sent)) }
        case .hover: return try await hover()
        case .emergencyHover, .stopTrajectory:
            try await stationary()
            if flight.link.latestTelemetry?.flight?.value.state.isAirborne == true { return arrival(.hovering) }
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

    // MARK: Commands

    private func takeOff() async throws(FlightInteractor.Failure) -> Arrival {
        let known = CommandSequence.current?.knownStops ?? flight.link.capabilities.control?.knownStops
        var watch = TakeOffWatch(
            of: machine, begun: begun, knownStops: known, from: flight.link.latestTelemetry)
        try await wait("flying", flight.limits.takeOff, missing: { way("climbing", in: .takingOff, $0) }) {
            telemetry in
            let known = flight.link.capabilities.control?.knownStops
            switch watch.ending(telemetry, knownStops: known, now: flight.clock.now) {
            case .flying: return .seen
            case .failed(let why): return .failed(why)
            case nil: return nil
            }
        }
        return arrival(.flying)
    }

    /// Waits until the vehicle stands still, whatever else it does.
    func stationary() async throws(FlightInteractor.Failure) {
        try await wait("stationary", flight.limits.stop) { isStandingStill($0) ? .seen : nil }
    }

    /// A hover during a landing is accepted by uav_core, which lands on below 2 m; above, it hovers.
    private func hover() async throws(FlightInteractor.Failure) -> Arrival {
        try await wait("hovering", flight.limits.stop) { telemetry in
            let state: FlightState
            switch telemetry.flight {
            case let status? where status.at > begun: state = status.value.state
            case .some: return nil
            // Another flight stack may report no state.
            case nil: state = .flying
            }
            switch state {
            case .landing: return .failed("not reached: it lands\(Self.place(telemetry))")
            case .armed where telemetry.wasFlownByRadio: return .failed("not reached: it is flown by radio")
            case .disarmed, .armed: return .failed("not reached: it stands on the ground (\(state.word))")
            case .unknown, .takingOff: return nil
            case .flying, .emergency: return isStandingStill(telemetry) ? .seen : nil
            }
        }
        return arrival(.hovering)
    }

    private func isStandingStill(_ telemetry: Telemetry) -> Bool {
        guard let velocity = fresh(telemetry.velocityMetresPerSecond) else { return false }
        return velocity.length < Self.standingStillMetresPerSecond
    }

    private func landing() async throws(FlightInteractor.Failure) -> Arrival {
        var watch = LandingWatch(begun: begun)
        try await wait(
            "on the ground and disarmed", flight.limits.landing, missing: { way("descending", in: .landing, $0) }
        ) { telemetry in
            if let status = fresh(telemetry.flight), status.state == .disarmed { return .seen }
            return watch.failure(telemetry, now: flight.clock.now).map { Verdict.failed($0) }
        }
        return arrival(.landed)
    }

    /// The goal flag lags: right after the call the old `false` may still be read, so it must have been `true` before, or
    /// the limit `goalFlagTimeout` must have passed.
    ///
    /// A goal that was replaced, by a stop or another goal, ends too: the place tells. By another goal the flag is kept: the way
    /// tells.
    private func goal(_ place: GoalPlace?) async throws(FlightInteractor.Failure) -> Arrival? {
        let appears = flight.limits.goalFlagTimeout
        var seenGoal = false
        var approach = GoalApproach(to: place)
        try await wait(
            "at the goal", flight.limits.goal,
            missing: { telemetry in
                let deviation = telemetry.pose.flatMap { place?.deviation(at: $0.value) }
                return deviation?.text ?? summary(telemetry)
            }
        ) { telemetry in
            if let failed = interruption(telemetry) { return failed }
            if let pose = telemetry.pose, pose.at > begun,
                approach.turnsAway(at: pose, velocity: fresh(telemetry.velocityMetresPerSecond))
            {
                return .failed(approach.failure(at: pose.value))
            }
            guard let tracker = fresh(telemetry.tracker) else { return nil }
            if tracker.hasGoal {
                seenGoal = true
                return nil
            }
            if flight.clock.now - begun > appears { return .seen }
            // Soon after the command, a goal that ends elsewhere may be that of the command before.
            return seenGoal && telemetry.pose.flatMap { place?.miss(at: $0.value) } == nil ? .seen : nil
        }
        let ended = flight.clock.now
        let seen = try await flight.seen(within: appears) { telemetry in
            telemetry.pose.flatMap { $0.at > begun ? $0 : nil }
        }
        guard let seen else { return nil }
        let pose = seen.value
        let turned =
            switch command {
            case .heading, .turn: true
            default: false
            }
        if place?.miss(at: pose) != nil {
            // The newest pose may be the first one that is compared.
            let isTurned = approach.turnsAway(at: seen, velocity: nil)
            if command == .goToTrajectoryStart, !isTurned, let miss = place?.miss(at: pose) {
                // Nothing has replaced it: the vehicle flew to the start of what it has loaded.
                let end = "the goal ended at \(pose.positionMetres.placeText), \(miss)"
                throw cancelled("at the goal", "not reached: \(end); another trajectory may be loaded")
            }
            throw cancelled("at the goal", approach.failure(at: pose))
        }
        return Arrival(
            place?.isComparable(with: pose) == true ? .arrived : .notCompared, positionMetres: pose.positionMetres,
            duration: ended - begun, headingRadians: turned ? pose.headingRadians : nil)
    }

    private func state(
        _ what: String, _ limit: Duration, until isDone: (FlightStatus) -> Bool
    ) async throws(FlightInteractor.Failure) {
        try await wait(what, limit) { telemetry in
            guard let status = fresh(telemetry.flight) else { return nil }
            return isDone(status) ? .seen : nil
        }
    }

    // MARK: Waiting

    /// What a part of telemetry says, if it was measured after the command was accepted.
    func fresh<Value>(_ sample: Sample<Value>?) -> Value? {
        sample.flatMap { $0.at > begun ? $0.value : nil }
    }

    /// If the vehicle lands or is disarmed, its goal flag is cleared without the goal having been reached.
    func interruption(_ telemetry: Telemetry) -> Verdict? {
        switch fresh(telemetry.flight)?.state {
        case .armed where telemetry.wasFlownByRadio, .flying where telemetry.wasFlownByRadio:
            .failed("ended\(Self.place(telemetry)): the vehicle is flown by radio")
        case .landing: .failed("ended by a landing\(Self.place(telemetry)); \(summary(telemetry))")
        case .emergency: .failed("ended by an emergency\(Self.place(telemetry)); \(summary(telemetry))")
        case .disarmed: .failed("disarmed\(Self.place(telemetry)); \(summary(telemetry))")
        case .unknown, .armed, .takingOff, .flying, nil: nil
        }
    }

    func arrival(_ outcome: Arrival.Outcome, isOfTrajectory: Bool = false) -> Arrival {
        Arrival(
            outcome, positionMetres: flight.pose?.positionMetres, duration: flight.clock.now - begun,
            isOfTrajectory: isOfTrajectory)
    }

    func cancelled(_ what: String, _ why: String) -> FlightInteractor.Failure {
        .cancelled(command: command.name, waitedFor: what, lastSeen: why)
    }

    func wait(
        _ what: String, _ limit: Duration, until look: (Telemetry) -> Verdict?
    ) async throws(FlightInteractor.Failure) {
        try await wait(what, limit, missing: { summary($0) }, until: look)
    }

    /// Waits until `look` has a verdict on the newest telemetry; fails if it is one, or after the limit.
    func wait(
        _ what: String, _ limit: Duration, missing: (Telemetry) -> String,
        until look: (Telemetry) -> Verdict?
    ) async throws(FlightInteractor.Failure) {
        var lastLine = ""
        var isLost = false
        let end = try await flight.seen(within: limit) { telemetry -> Verdict? in
            if let verdict = look(telemetry) { return verdict }
            let lost = silence(telemetry)
            if (lost != nil) != isLost {
                isLost = lost != nil
                notice(lost.map { "\($0); waiting for it to come back" } ?? "the vehicle is heard again")
            }
            let line = lost ?? missing(telemetry)
            if line != lastLine {
                lastLine = line
                progress(line)
            }
            return nil
        }
        switch end {
        case .seen: return
        case .failed(let why): throw cancelled(what, why)
        case nil:
            let last = flight.link.latestTelemetry.map { silence($0) ?? summary($0) } ?? "no telemetry received"
            throw .noEffect(command: command.name, waitedFor: what, within: limit, lastSeen: last)
        }
    }

    func silence(_ telemetry: Telemetry) -> String? {
        LinkSilence.text(
            telemetry, of: machine, isConnected: flight.link.quality.isConnected, now: flight.clock.now)
    }

    /// ` at 5.0 0.0 3.0`
    static func place(_ telemetry: Telemetry) -> String {
        telemetry.pose.map { " at \($0.value.positionMetres.placeText)" } ?? ""
    }

    static func percent(_ fraction: Double) -> String { "\((fraction * 100).formatted(decimals: 0)) %" }
}
