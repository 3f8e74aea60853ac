internal import RefusalWords
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
        /// From an accepted start to the end of a trajectory, whose length is not known here: longer than a battery lasts.
        package var trajectory: Duration = .seconds(7200)
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
                "the vehicle refused \(command): \(RefusalWords.shown(message.sanitizedLine, of: command))"
            case .noEffect(let command, let waitedFor, let within, let lastSeen):
                "\(command) was accepted, but the vehicle was not \(waitedFor) after \(Int(saturating: within.inSeconds)) s (\(lastSeen))"
            case .cancelled(let command, let waitedFor, let lastSeen):
                "\(command) was accepted, but interrupted before the vehicle was \(waitedFor) (\(lastSeen))"
            }
        }
    }

    /// Receives intermediate steps, one line at a time.
    package typealias Progress = @Sendable (String) -> Void

    /// The connected link.
    package let link: any UAVLink
    package let clock: any MonotonicClock
    let limits: Limits
    private let onSend: @Sendable () -> Void

    /// An interactor over a connected link.
    ///
    /// - Parameter onSend: called before each command is handed to the link.
    package init(
        _ dependency: FlightDependency, limits: Limits = Limits(), onSend: @escaping @Sendable () -> Void = {}
    ) {
        link = dependency.link
        clock = dependency.clock
        self.limits = limits
        self.onSend = onSend
    }

    /// The newest pose; `nil` before the first one.
    package var pose: Pose? { link.latestTelemetry?.pose?.value }

    /// Whether telemetry of now shows it on the ground with its motors off.
    package var showsMotorsOff: Bool { link.latestTelemetry?.showsMotorsOff(now: clock.now) == true }

    /// Sends a command and returns the answer if the vehicle accepted it.
    ///
    /// - Throws: ``Failure/link(_:)`` or ``Failure/refused(command:message:)``.
    @discardableResult
    package func perform(_ command: Command) async throws(Failure) -> CommandReply {
        let reply = try await ask(command)
        guard reply.accepted else {
            // Only what telemetry shows now says which of several reasons it is.
            let isOnGround = link.latestTelemetry.map { showsGround($0) } == true
            let message = isOnGround ? RefusalWords.onGround(reply.message.sanitizedLine) : reply.message
            throw .refused(
                command: command.name,
                message: command.frame.map { RefusalWords.ofFrame($0.name, message) } ?? message)
        }
        return reply
    }

    /// Checks, before a command is sent, that its effect could be seen: else one that is obeyed would end as a failure. What stops or
    /// lands is sent in any case.
    ///
    /// - Throws: ``Failure/link(_:)`` with `unsupported` if the machine does not have the command, or does not report what shows it.
    package func requireVisibleEffect(of command: Command) throws(Failure) {
        let machine = link.vehicleCapabilities
        if let lack = machine.refusal(of: command, vehicle: link.latestTelemetry?.vehicle ?? "") { throw .link(lack) }
        guard !command.stopsOrLands, let lack = machine.lack(of: VehicleRequirement(telemetry: command.shownBy)) else {
            return
        }
        throw .link(
            LinkError(
                .unsupported, "the effect of \(command.name) cannot be seen, so it cannot be waited for: \(lack)",
                hint: "'\(command.name)' was not sent; without --wait it is sent and its answer reported"))
    }

    /// Whether the machine reports what shows the effect of a command.
    package func canSeeEffect(of command: Command) -> Bool {
        link.vehicleCapabilities.lack(of: VehicleRequirement(telemetry: command.shownBy)) == nil
    }

    /// Sends a command, then waits until its effect shows in the telemetry.
    ///
    /// - Parameter progress: called with what is still missing, each time that it changes.
    /// - Throws: ``Failure``.
    @discardableResult
    package func performAndWait(
        _ command: Command, progress: @escaping Progress = { _ in }
    ) async throws(Failure) -> CommandReply {
        let start = try await startPose(of: command)
        let reply = try await perform(command)
        try await waitForEffect(of: command, from: start, progress: progress)
        return reply
    }

    /// The pose from which the effect of a command counts (``waitForEffect(of:from:to:since:progress:notice:)``), to be taken before it
    /// is given.
    ///
    /// Right after connecting there may be none yet: it is waited for where the command leads to a place relative to it.
    ///
    /// - Throws: ``Failure/link(_:)`` with `cancelled`.
    package func startPose(of command: Command) async throws(Failure) -> Pose? {
        guard pose == nil, GoalPlace.isRelative(command), link.vehicleCapabilities.telemetry.contains(.pose) else {
            return pose
        }
        return try await seen(within: limits.firstTelemetry) { $0.pose?.value }
    }

    /// The command for an entered goto; waits for the vehicle's heading if it is needed and not known yet.
    ///
    /// - Throws: ``Failure/link(_:)`` with `unsupported` if the machine has no such goto; why the vehicle's heading is not known, with
    ///   `timedOut` if nobody says why.
    package func command(for goal: GoalInput) async throws(Failure) -> Command {
        let machine = link.vehicleCapabilities
        if goal.needsHeading(of: machine), try await seen(within: limits.firstTelemetry, { $0.pose }) == nil {
            let reason = try await reasonOfSilence()
            let why = reason.map { ": \($0.what)" } ?? " yet"
            throw .link(
                LinkError(
                    reason?.code ?? .timedOut, "the vehicle's heading is not known\(why)",
                    hint: reason?.hint ?? "give the heading as the fourth number, in degrees"))
        }
        do {
            return try goal.command(knowing: link.latestTelemetry, of: machine)
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
    /// - Parameters:
    ///   - start: the pose when the command was given, for places relative to it.
    ///   - destination: where the command leads, if it does not say it itself: the start of a trajectory.
    ///   - answered: when the command was accepted; now without it.
    ///   - progress: called with what is still missing, each time that it changes.
    ///   - notice: called when the vehicle is not heard any more, and when it is heard again; it is waited for as long.
    /// - Returns: how it ended, for flights, take-offs and landings; `nil` for other commands.
    /// - Throws: ``Failure/noEffect(command:waitedFor:within:lastSeen:)``, ``Failure/cancelled(command:waitedFor:lastSeen:)`` or
    ///   ``Failure/link(_:)``.
    @discardableResult
    package func waitForEffect(
        of command: Command, from start: Pose? = nil, to destination: KnownDestination? = nil,
        since answered: MonotonicTime? = nil,
        progress: @escaping Progress = { _ in }, notice: @escaping Progress = { _ in }
    ) async throws(Failure) -> Arrival? {
        if let lack = link.vehicleCapabilities.lack(of: VehicleRequirement(telemetry: command.shownBy)) {
            let reason = "\(command.name) was accepted, but its effect cannot be verified: \(lack)"
            throw .link(LinkError(.unsupported, reason))
        }
        return try await EffectWait(
            flight: self, command: command, to: destination, since: answered, progress: progress, notice: notice
        ).run(from: start)
    }

    /// Waits until the vehicle stands still, whatever its state.
    func waitUntilStationary() async throws(Failure) {
        if let lack = link.vehicleCapabilities.lack(of: VehicleRequirement(telemetry: Command.hover.shownBy)) {
            throw .link(LinkError(.unsupported, "it cannot be verified that the vehicle has stopped: \(lack)"))
        }
        try await EffectWait(flight: self, command: .hover, to: nil, progress: { _ in }).stationary()
    }

    /// The first non-nil result of `look` for the newest telemetry; `nil` after the timeout.
    func seen<Value: Sendable>(
        within limit: Duration, _ look: (Telemetry) -> Value?
    ) async throws(Failure) -> Value? {
        do {
            return try await link.awaitTelemetry(within: limit, on: clock, look)
        } catch {
            throw .link(LinkError(.cancelled, "interrupted"))
        }
    }

    /// Why nothing shows the vehicle; `nil` if nobody says why.
    func reasonOfSilence() async throws(Failure) -> LinkError? {
        let reason = await link.reasonOfSilence(within: min(limits.answer, .seconds(4)))
        guard !Task.isCancelled else { throw .link(LinkError(.cancelled, "interrupted")) }
        return reason
    }

    func ask(_ command: Command) async throws(Failure) -> CommandReply {
        // A newer command may have been given since: this one must not follow it.
        guard !Task.isCancelled else {
            throw .link(LinkError(.cancelled, "interrupted: \(command.name) was not sent"))
        }
        onSend()
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
            throw .link(LinkError(.cancelled, "interrupted"))
        }
    }
}

extension Command {
    /// The frame that it names; `nil` for one in the vehicle's present frame, or in none.
    fileprivate var frame: FrameName? {
        let named: FrameName? =
            switch self {
            case .goTo(let destination): if case .frame(let frame) = destination.reference { frame } else { nil }
            case .uploadTrajectory(let trajectory): trajectory.frame
            default: nil
            }
        return named == .current ? nil : named
    }
}
