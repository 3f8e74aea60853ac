internal import ReportKit
package import UAVLink

/// The dependencies of flying: a link and a clock.
package struct FlightDependency: Sendable {
    /// The connected link.
    package var link: any UAVLink
    package var clock: any MonotonicClock

    /// Makes the dependencies.
    package init(link: any UAVLink, clock: any MonotonicClock = SystemMonotonicClock()) {
        self.link = link
        self.clock = clock
    }
}

/// Flies a vehicle step by step: commands, the take-off sequence, and waiting for the effect of each.
///
/// Used by the screens and the scriptable subcommands alike; it reports intermediate steps to `progress`.
package struct FlightInteractor: Sendable {
    /// Timeouts and pauses of a flight, each with the measurement on the real flight stack that determined it.
    package struct Limits: Sendable {
        /// The answer to one command. `rosservice call` over SSH takes 1.3 s on an idle machine and several on a busy one.
        package var answer: Duration = .seconds(15)
        /// The first telemetry after connecting: over SSH a Python program must start on the vehicle first.
        package var firstTelemetry: Duration = .seconds(5)
        /// From the accepted take-off to normal flight: 5 s to 1.5 m on the real stack.
        package var takeOff: Duration = .seconds(40)
        /// From the accepted landing to disarmed: 9 s from 2 m, 0.5 m/s from higher up.
        package var landing: Duration = .seconds(180)
        /// From an accepted goto to the goal: 45 m take 14 s.
        package var goal: Duration = .seconds(180)
        /// How long an accepted step may take to appear in telemetry: `hw_api/status` follows arming and offboard within a second
        /// on the real flight stack, which refuses a take-off until then.
        package var stepEffectTimeout: Duration = .seconds(3)
        /// The pause before a step is retried that the vehicle refuses because the previous one is not effective yet: control
        /// output must have been active for a second before `offboard`.
        package var stepRetryDelay: Duration = .milliseconds(500)
        /// How often such a step is tried; repeating is safe, since a refused step has no effect.
        package var stepAttempts = 10
        /// How long a goal may take to appear in telemetry: the flag is set 0.39 s after the call, at 10 Hz, and later over SSH.
        package var goalFlagTimeout: Duration = .seconds(2)
        /// How long the vehicle takes to stop after hover with the fast constraints (8 m/s at 4 m/s^2).
        package var stop: Duration = .seconds(20)

        /// The limits for a real vehicle.
        package init() {}
    }

    /// Why a step of a flight failed.
    package enum Failure: Error, Sendable, CustomStringConvertible {
        /// The link failed.
        case link(LinkError)
        /// The vehicle refused; the message is the vehicle's.
        case refused(command: String, message: String)
        /// The vehicle accepted, but the effect was not seen within the timeout.
        case noEffect(command: String, waitedFor: String, within: Duration, lastSeen: String)
        /// The vehicle accepted, but the command was interrupted: the vehicle was landed or disarmed meanwhile.
        case cancelled(command: String, waitedFor: String, lastSeen: String)

        /// One line for the user.
        package var description: String {
            switch self {
            case .link(let error): error.description
            case .refused(let command, let message):
                "the vehicle refused \(command): \(message.isEmpty ? "no reason given" : message.sanitizedLine)"
            case .noEffect(let command, let waitedFor, let within, let lastSeen):
                "\(command) was accepted, but the vehicle was not \(waitedFor) after \(Int(saturating: within.inSeconds)) s (\(lastSeen))"
            case .cancelled(let command, let waitedFor, let lastSeen):
                "\(command) was accepted, but interrupted before the vehicle was \(waitedFor) (\(lastSeen))"
            }
        }
    }

    /// Receives intermediate steps, one line at a time.
    package typealias Progress = @Sendable (String) -> Void

    let link: any UAVLink
    let clock: any MonotonicClock
    let limits: Limits

    /// An interactor over a connected link.
    package init(_ dependency: FlightDependency, limits: Limits = Limits()) {
        link = dependency.link
        clock = dependency.clock
        self.limits = limits
    }

    /// Sends a command and returns the answer if the vehicle accepted it.
    ///
    /// - Throws: ``Failure/link(_:)`` or ``Failure/refused(command:message:)``.
    @discardableResult
    package func perform(_ command: Command) async throws(Failure) -> CommandReply {
        let reply = try await ask(command)
        guard reply.accepted else { throw .refused(command: command.name, message: reply.message) }
        return reply
    }

    /// Sends a command, then waits until its effect shows in the telemetry.
    ///
    /// - Throws: ``Failure``.
    @discardableResult
    package func performAndWait(_ command: Command) async throws(Failure) -> CommandReply {
        let start = link.latestTelemetry?.pose?.value
        let reply = try await perform(command)
        try await waitForEffect(of: command, from: start)
        return reply
    }

    /// The command for an entered goto; waits for the vehicle's heading if it is needed and not known yet.
    ///
    /// - Throws: ``Failure/link(_:)`` with `invalidInput` if the vehicle's heading is not received in time.
    package func command(for goal: GoalInput) async throws(Failure) -> Command {
        let deadline = clock.now + limits.firstTelemetry
        while goal.needsHeading, link.latestTelemetry?.pose == nil, clock.now < deadline {
            try await pause(Self.telemetryPoll)
        }
        do {
            return try goal.command(knowing: link.latestTelemetry)
        } catch {
            throw .link(error)
        }
    }

    /// The whole take-off sequence: arm, output, offboard, take off; steps that are already done are skipped.
    ///
    /// - Returns: the answer to the take-off itself.
    /// - Throws: ``Failure``. If the vehicle refused a step, motors that this sequence armed are disarmed again, provided that
    ///   telemetry shows the vehicle on the ground; if the link failed, the vehicle may be armed, or take off.
    @discardableResult
    package func armAndTakeOff(progress: @escaping Progress = { _ in }) async throws(Failure) -> CommandReply {
        try await TakeOffSequence(flight: self, progress: progress).run()
    }

    /// Waits until the effect of an accepted command shows in the telemetry, and for a place, until the vehicle is there.
    ///
    /// - Parameter start: the pose when the command was given, for places relative to it.
    /// - Returns: where it arrived; `nil` for commands that lead to no place.
    /// - Throws: ``Failure/noEffect(command:waitedFor:within:lastSeen:)``, ``Failure/cancelled(command:waitedFor:lastSeen:)`` or
    ///   ``Failure/link(_:)``.
    @discardableResult
    package func waitForEffect(of command: Command, from start: Pose? = nil) async throws(Failure) -> Arrival? {
        if let lack = link.vehicleCapabilities.lack(of: VehicleRequirement(telemetry: command.shownBy)) {
            let reason = "\(command.name) was accepted, but its effect cannot be verified: \(lack)"
            throw .link(LinkError(.unsupported, reason))
        }
        switch command {
        case .takeoff:
            try await wait(command, "flying", limits.takeOff) { $0.flight?.value.state == .flying }
        case .land, .landHome, .emergencyLand:
            try await wait(command, "on the ground and disarmed", limits.landing) {
                $0.flight?.value.state == .disarmed
            }
        case .goTo, .altitude, .heading, .turn, .goToTrajectoryStart:
            return try await waitForGoal(command, GoalPlace(of: command, from: start))
        case .startTrajectory, .resumeTrajectory:
            try await waitForTrajectory(command)
        case .uploadTrajectory(let trajectory):
            if trajectory.fliesNow, !trajectory.loops { try await waitForTrajectory(command) }
        case .hover, .emergencyHover, .stopTrajectory:
            try await wait(command, "stationary", limits.stop) {
                guard let velocity = $0.velocityMetresPerSecond?.value else { return false }
                return velocity.length < Self.standingStillMetresPerSecond
            }
        case .arm(let on):
            try await wait(command, on ? "armed" : "disarmed", limits.answer) { $0.flight?.value.isArmed == on }
        case .enableOutput(let on):
            try await wait(command, on ? "with its control output on" : "with its control output off", limits.answer) {
                $0.flight?.value.isOutputEnabled == on
            }
        case .snapshot: break
        case .offboard:
            try await wait(command, "in offboard mode", limits.answer) { $0.flight?.value.isOffboard == true }
        }
        return nil
    }

    /// The speed below which the vehicle counts as stopped: holding position in wind, it moves at up to about this speed.
    static let standingStillMetresPerSecond = 0.25

    /// The goal flag lags: right after the call the old `false` may still be read, so it must have been `true` before, or
    /// ``Limits/goalFlagTimeout`` must have passed; only telemetry measured after the call counts.
    ///
    /// A goal that was replaced, by a stop or another goal, ends too: the place tells.
    private func waitForGoal(_ command: Command, _ place: GoalPlace?) async throws(Failure) -> Arrival? {
        let asked = clock.now
        let appears = limits.goalFlagTimeout
        let clock = clock
        var seenGoal = false
        try await wait(command, "at the goal", limits.goal, unless: Self.isLandingOrDisarmed) { telemetry in
            guard let tracker = telemetry.tracker, tracker.at > asked else { return false }
            if tracker.value.hasGoal { seenGoal = true }
            return !tracker.value.hasGoal && (seenGoal || clock.now - asked > appears)
        }
        let ended = clock.now
        let pose = try await seen(within: appears) { telemetry in
            telemetry.pose.flatMap { $0.at > asked ? $0.value : nil }
        }
        guard let pose else { return nil }
        if let miss = place?.miss(at: pose) {
            throw .cancelled(
                command: command.name, waitedFor: "at the goal",
                lastSeen: "not reached: replaced at \(pose.positionMetres.placeText), \(miss)")
        }
        return Arrival(
            positionMetres: pose.positionMetres, duration: ended - asked,
            isCompared: place?.isComparable(with: pose) ?? false)
    }

    private func waitForTrajectory(_ command: Command) async throws(Failure) {
        let asked = clock.now
        var seenTracking = false
        let appears = limits.goalFlagTimeout
        let clock = clock
        try await wait(command, "at the end of the trajectory", limits.goal, unless: Self.isLandingOrDisarmed) {
            telemetry in
            guard let tracker = telemetry.tracker, tracker.at > asked else { return false }
            if tracker.value.isTrackingTrajectory { seenTracking = true }
            return !tracker.value.isTrackingTrajectory && (seenTracking || clock.now - asked > appears)
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
        _ command: Command, _ what: String, _ limit: Duration, unless hasFailed: (Telemetry) -> Bool = { _ in false },
        until isDone: (Telemetry) -> Bool
    ) async throws(Failure) {
        let begun = clock.now
        let end = try await seen(within: limit) { telemetry -> Bool? in
            if let flight = telemetry.flight, flight.at > begun, hasFailed(telemetry) { return false }
            return isDone(telemetry) ? true : nil
        }
        if end == true { return }
        guard end == nil else {
            throw .cancelled(command: command.name, waitedFor: what, lastSeen: Self.summary(link.latestTelemetry))
        }
        throw .noEffect(
            command: command.name, waitedFor: what, within: limit, lastSeen: Self.summary(link.latestTelemetry))
    }

    /// The first non-nil result of `look` for the newest telemetry; `nil` after the timeout.
    func seen<Value: Sendable>(
        within limit: Duration, _ look: (Telemetry) -> Value?
    ) async throws(Failure) -> Value? {
        let deadline = clock.now + limit
        while true {
            if let value = link.latestTelemetry.flatMap(look) { return value }
            guard clock.now < deadline else { return nil }
            try await pause(Self.telemetryPoll)
        }
    }

    /// State frames of the channel arrive at 50 Hz: polling twice as often adds at most 10 ms.
    private static let telemetryPoll: Duration = .milliseconds(10)

    private static func summary(_ telemetry: Telemetry?) -> String {
        guard let telemetry else { return "no telemetry received" }
        let state = telemetry.flight?.value.state.word ?? "unknown"
        let tracker = telemetry.tracker?.value.tracker ?? "no tracker"
        return "state \(state), \(tracker.sanitizedLine)"
    }

    func ask(_ command: Command) async throws(Failure) -> CommandReply {
        do {
            return try await link.perform(command, within: limits.answer)
        } catch {
            throw .link(error)
        }
    }

    func pause(_ duration: Duration) async throws(Failure) {
        do {
            try await clock.sleep(for: duration)
        } catch {
            throw .link(LinkError(.cancelled, "cancelled"))
        }
    }
}
