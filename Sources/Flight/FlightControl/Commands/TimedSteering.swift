package import UAVLink

/// Steers for a given time, then stops the vehicle; it is stopped after an interrupt and a failure too.
package struct TimedSteering: Sendable {
    /// What was sent, and how it ended.
    package struct Report: Hashable, Sendable {
        /// What was sent.
        package var steering: SteeringPump.Report
        /// The answer to the stop.
        package var ending: CommandReply
        /// How many of these reached the vehicle, without the neutral ones of the stop; `nil` if the link does not know.
        package var applied: UInt64?
        /// The vehicle's state at the end of steering; `nil` if it was not received.
        package var state: FlightState?
        /// Whether it was cancelled before its time had passed.
        package var isInterrupted: Bool

        package init(
            steering: SteeringPump.Report, ending: CommandReply, applied: UInt64? = nil, state: FlightState? = nil,
            isInterrupted: Bool = false
        ) {
            self.steering = steering
            self.isInterrupted = isInterrupted
            self.ending = ending
            // The link's count has the neutral setpoints of the stop too, and its last news come with them.
            self.applied = applied.map { min($0, steering.sent) }
            self.state = state
        }

        /// Why the vehicle was not steered, or not for its time, in one line; `nil` if it may have been.
        ///
        /// While it takes off or lands, and after an emergency, the flight stack takes no setpoints. What an interruption cut short is
        /// no failure of the vehicle.
        package var problem: String? {
            if isInterrupted { return "interrupted" }
            guard steering.sent > 0 else { return "no setpoint was sent" }
            let isRefused =
                switch state {
                case .takingOff, .landing, .emergency: true
                case .unknown, .disarmed, .armed, .flying, nil: false
                }
            guard applied == 0 || (applied == nil && isRefused) else { return nil }
            let why = state.map { " (state \($0.word))" } ?? ""
            return applied == 0
                ? "none of \(steering.sent) setpoints reached the vehicle\(why)"
                : "the vehicle takes no setpoints\(why)"
        }
    }

    private let dependency: FlightDependency
    private let limits: FlightInteractor.Limits

    /// The timeout for the answer to the stop after an interrupt: long enough for `rosservice call` over SSH on a busy
    /// vehicle; when the link is lost, the lease has stopped the vehicle before.
    private static let interruptedAnswerTimeout: Duration = .seconds(5)

    /// Steering over a connected link.
    package init(_ dependency: FlightDependency, limits: FlightInteractor.Limits = .init()) {
        self.dependency = dependency
        self.limits = limits
    }

    /// Steers by the setpoints of a source until the time has passed or the task is cancelled, and stops the vehicle.
    ///
    /// - Parameter rateHertz: setpoints per second, as of ``SteeringPump``.
    /// - Throws: why steering failed, or else why the vehicle was not stopped.
    package func run(
        rateHertz: Double, for duration: Duration,
        _ setpoint: @escaping @Sendable (MonotonicTime) -> VelocitySetpoint
    ) async throws(FlightInteractor.Failure) -> Report {
        let link = dependency.link
        let pump: SteeringPump
        do {
            pump = try SteeringPump(link: link, rateHertz: rateHertz, clock: dependency.clock)
        } catch {
            throw .link(error)
        }
        let before = link.quality.setpointsApplied ?? 0
        let end = dependency.clock.now + duration
        let steering = await pump.run { due in due < end ? setpoint(due) : nil }
        // Without control authority the vehicle must not be stopped from here: another pilot may have it, or the companion
        // has stopped it.
        if let failure = steering.failure, failure.code == .notInCommand { throw .link(failure) }
        let state = link.latestTelemetry?.flight?.value.state
        // In all other cases, also after an interrupt, the vehicle is commanded to stop.
        let isInterrupted = Task.isCancelled
        let ending = try await stop(isInterrupted: isInterrupted)
        if let failure = steering.failure { throw .link(failure) }
        return Report(
            steering: steering, ending: ending,
            applied: link.quality.setpointsApplied.map { $0 - min($0, before) }, state: state,
            isInterrupted: isInterrupted)
    }

    /// In a task of its own, which an interrupt of this one does not cancel.
    private func stop(isInterrupted: Bool) async throws(FlightInteractor.Failure) -> CommandReply {
        var limits = limits
        if isInterrupted { limits.answer = min(limits.answer, Self.interruptedAnswerTimeout) }
        let flight = FlightInteractor(dependency, limits: limits)
        let reason = isInterrupted ? "steering was interrupted" : "steering is done"
        let ending = Task.detached { () async -> Result<CommandReply, FlightInteractor.Failure> in
            do throws(FlightInteractor.Failure) {
                return .success(try await flight.endSteering(because: reason))
            } catch {
                return .failure(error)
            }
        }
        return try await ending.value.get()
    }
}
