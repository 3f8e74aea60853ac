internal import ReportKit
package import UAVLink

/// Flies the same short mission over any link and measures it: take off, one leg by goto, timed commands, steering, hover,
/// land.
package struct MissionInteractor: Sendable {
    /// The parameters of the mission.
    package struct Plan: Sendable {
        /// The leg flown by goto, metres, relative.
        package var leg = Vector3(x: 3, y: 0, z: 0.5)
        /// The distance to the goal within which the vehicle has arrived, metres.
        package var arrivalMetres = 0.5
        /// The number of timed commands.
        package var timedCommands = 21
        /// Steering speed, metres per second along y.
        package var steeringMetresPerSecond = 1.0
        /// The duration of steering, seconds.
        package var steeringSeconds = 3.0
        /// The requested rate of setpoints, hertz.
        package var steeringRateHertz = 100.0

        /// The default mission; over SSH fewer commands are timed and steering takes longer, since each call takes more than a
        /// second.
        package init(for link: LinkKind) {
            if link.runsPrograms {
                timedCommands = 3
                // A call takes a second or more, and the first setpoint is neutral.
                steeringSeconds = 8
            }
        }
    }

    /// Receives intermediate steps, one line at a time.
    package typealias Progress = @Sendable (String) -> Void

    private let dependency: FlightDependency
    private let plan: Plan
    private let limits: FlightInteractor.Limits

    /// A mission over a connected link.
    package init(_ dependency: FlightDependency, plan: Plan? = nil, limits: FlightInteractor.Limits = .init()) {
        self.dependency = dependency
        self.plan = plan ?? Plan(for: dependency.link.kind)
        self.limits = limits
    }

    /// Flies the mission. It does not throw: a failure is in the report, and a vehicle in the air is landed, also when the task is
    /// cancelled. A stop of another pilot ends it.
    package func fly(progress: @escaping Progress = { _ in }) async -> MissionReport {
        await CommandSequence.run(over: dependency.link) { await flyAll(progress) }
    }

    private func flyAll(_ progress: @escaping Progress) async -> MissionReport {
        var report = MissionReport(link: dependency.link.kind)
        let flight = FlightInteractor(dependency, limits: limits)
        do {
            try await awaitState(flight)
            try await takeOff(flight, &report, progress)
            try await flyLeg(flight, &report, progress)
            try await timeCommands(flight, &report, progress)
            try await steer(flight, &report, progress)
            try await land(flight, &report, progress)
        } catch {
            report.failure = error.description
            if report.tookOff, !report.landed { await end(after: error, flight, &report, progress) }
        }
        return report
    }

    /// Lands a vehicle in the air after a failure, unless another pilot decides what it does.
    private func end(
        after failure: Failure, _ flight: FlightInteractor, _ report: inout MissionReport,
        _ progress: @escaping Progress
    ) async {
        guard !isLeftToOthers(failure) else {
            return progress("not landed: another pilot has stopped the vehicle or has control of it")
        }
        progress(Task.isCancelled ? "interrupted: landing, so wait" : "landing after a failure")
        // A cancelled task sends nothing more.
        let landing = Task { () async -> Failure? in
            do throws(Failure) { try await flight.performAndWait(.land) } catch { return error }
            return nil
        }
        if let problem = await landing.value {
            return progress("NOT LANDED: \(problem.description); 'land' with the same options lands it")
        }
        report.landed = true
        progress("landed")
    }

    private typealias Failure = FlightInteractor.Failure

    /// Whether another pilot decides by now what the vehicle does: a landing would end that.
    private func isLeftToOthers(_ failure: Failure) -> Bool {
        // A companion that was started anew is no pilot: nobody else looks after the vehicle.
        if case .refused(_, let message) = failure, CommandReply.isOverruled(message),
            message != CommandReply.overruled(by: "the start of this companion").message
        {
            return true
        }
        return dependency.link.latestTelemetry?.control?.value.pilot.map { !$0.isYou } ?? false
    }

    /// The sequence skips steps that are already done, so it must know the vehicle's state first.
    private func awaitState(_ flight: FlightInteractor) async throws(Failure) {
        let isKnown = try await flight.seen(within: limits.answer) { telemetry -> Bool? in
            telemetry.flight != nil && telemetry.pose != nil ? true : nil
        }
        guard isKnown == nil else { return }
        throw .link(
            LinkError(
                .timedOut, "no telemetry received from the vehicle",
                hint: "run 'uavlink doctor' to see which part is missing"))
    }

    private func takeOff(
        _ flight: FlightInteractor, _ report: inout MissionReport, _ progress: @escaping Progress
    ) async throws(Failure) {
        let isInTheAir = { dependency.link.latestTelemetry?.flight?.value.state.isAirborne == true }
        let wasInTheAir = isInTheAir()
        do {
            try await flight.armAndTakeOff(progress: progress)
        } catch {
            // It may have been accepted before the answer was lost, or no longer waited for. After a refusal it is another's flight.
            if case .link = error { report.tookOff = !wasInTheAir && isInTheAir() }
            throw error
        }
        // From here on the vehicle may be in the air, even if the wait fails.
        report.tookOff = true
        do {
            try await flight.waitForEffect(of: .takeoff)
        } catch {
            // What was not awaited to its end may have an effect yet.
            if case .link = error { throw error }
            report.tookOff = false
            throw error
        }
        progress("in the air")
    }

    private func flyLeg(
        _ flight: FlightInteractor, _ report: inout MissionReport, _ progress: Progress
    ) async throws(Failure) {
        let link = dependency.link
        let start = link.latestTelemetry?.pose?.value
        let command = Command.goTo(.init(.relative, position: plan.leg, headingRadians: 0))
        progress("flying \(oneDecimal(plan.leg.length)) m by goto")
        try await flight.performAndWait(command)
        guard let start, let end = link.latestTelemetry?.pose?.value else { return }
        let error = (end.positionMetres - (start.positionMetres + plan.leg)).length
        report.goalErrorMetres = error
        guard error <= plan.arrivalMetres else {
            throw .noEffect(
                command: command.name, waitedFor: "at the goal", within: limits.goal,
                lastSeen: "\(oneDecimal(error)) m away from it")
        }
    }

    private func timeCommands(
        _ flight: FlightInteractor, _ report: inout MissionReport, _ progress: Progress
    ) async throws(Failure) {
        progress("timing \(plan.timedCommands) commands")
        for _ in 0..<plan.timedCommands {
            // A goto to the current position: nothing moves, but the vehicle processes it like any other.
            let hold = Command.goTo(.init(.relative, position: .zero, headingRadians: 0))
            report.commandRoundTrips.append(try await flight.perform(hold).roundTrip)
        }
    }

    private func steer(
        _ flight: FlightInteractor, _ report: inout MissionReport, _ progress: Progress
    ) async throws(Failure) {
        let link = dependency.link
        report.steeringRequestedHertz = plan.steeringRateHertz
        progress("steering for \(oneDecimal(plan.steeringSeconds)) s at \(Int(saturating: plan.steeringRateHertz)) Hz")
        let pump: SteeringPump
        do {
            pump = try SteeringPump(link: link, rateHertz: plan.steeringRateHertz, clock: dependency.clock)
        } catch {
            throw .link(error)
        }
        let start = link.latestTelemetry?.pose?.value.positionMetres
        let appliedBefore = link.quality.setpointsApplied ?? 0
        let end = dependency.clock.now + .nanoseconds(Int64(saturating: plan.steeringSeconds * 1e9))
        let speed = plan.steeringMetresPerSecond
        let validity: Duration = link.kind.runsPrograms ? VelocitySetpoint.longestValidity : .milliseconds(200)
        let outcome = await pump.run { due in
            guard due < end else { return nil }
            return VelocitySetpoint(
                velocityMetresPerSecond: Vector3(x: 0, y: speed, z: 0), intendedAt: due, validFor: validity)
        }
        if let failure = outcome.failure { throw .link(failure) }
        progress("hovering")
        try await flight.performAndWait(.hover)
        // The counter arrives with the telemetry, and enough was received while waiting for the hover.
        if let applied = link.quality.setpointsApplied {
            report.steeringHertz = Double(applied - min(applied, appliedBefore)) / max(outcome.duration.inSeconds, 1e-3)
        }
        if let start, let now = link.latestTelemetry?.pose?.value.positionMetres {
            report.steeredMetres = (now - start).length
        }
    }

    private func land(
        _ flight: FlightInteractor, _ report: inout MissionReport, _ progress: Progress
    ) async throws(Failure) {
        progress("landing")
        try await flight.performAndWait(.land)
        report.landed = true
        progress("landed")
    }

    private func oneDecimal(_ value: Double) -> String {
        let tenths = (value * 10).rounded()
        return "\(Int(saturating: tenths) / 10).\(Int(saturating: tenths.magnitude) % 10)"
    }
}
