internal import FlightControl
package import UAVLink

/// One stream of setpoints to one vehicle, from taking control until the vehicle is stopped.
///
/// However it ends (by the user, a link failure, a screen that hangs, deallocation), the pump ends first; then the vehicle is
/// stopped once, by a task that depends on no other: no setpoint of the pump can follow.
package final class SteeringRun: Sendable {
    /// Callbacks of a run, on the main actor.
    package struct Listener: Sendable {
        /// Setpoints have ended.
        package var stopped: @MainActor @Sendable (StopReason) -> Void
        /// The vehicle is stopped, or no stop was required. May be called before ``stopped``.
        package var ended: @MainActor @Sendable (StopReason, StopOutcome) -> Void

        package init(
            stopped: @escaping @MainActor @Sendable (StopReason) -> Void,
            ended: @escaping @MainActor @Sendable (StopReason, StopOutcome) -> Void
        ) {
            self.stopped = stopped
            self.ended = ended
        }
    }

    /// The input of sticks and settings.
    package let desk: SetpointGenerator
    private let pump: SteeringPump
    private let task: Task<Void, Never>

    /// Starts steering.
    ///
    /// - Throws: ``LinkError`` with `invalidInput` for an impossible rate.
    package init(
        link: any UAVLink, desk: SetpointGenerator, rateHertz: Double, clock: any MonotonicClock, listener: Listener
    ) throws(LinkError) {
        self.desk = desk
        let pump = try SteeringPump(link: link, rateHertz: rateHertz, clock: clock)
        self.pump = pump
        task = Task.detached {
            let report = await pump.run(desk.setpoint, replacedByNeutral: desk.restartRamp)
            // A pump that ended without a failure or a reason was ended by its owner.
            desk.end(report.failure.map(StopReason.init) ?? .leftScreen)
            let reason = desk.ending ?? .leftScreen
            // Not awaited: drawing must not delay the stop.
            Task { @MainActor in listener.stopped(reason) }
            let outcome = await Self.stopVehicle(reason, hasSteered: desk.hasSteered, link, clock)
            await listener.ended(reason, outcome)
        }
    }

    deinit { stop(.leftScreen) }

    /// Ends the run; the listener is called as it ends.
    package func stop(_ reason: StopReason) {
        desk.end(reason)
        pump.stop()
    }

    /// Returns when setpoints have ended and the vehicle is stopped.
    package func finish() async { await task.value }

    /// Stops the vehicle if the reason asks for it, and releases control authority.
    private static func stopVehicle(
        _ reason: StopReason, hasSteered: Bool, _ link: any UAVLink, _ clock: any MonotonicClock
    ) async -> StopOutcome {
        let answer = FleetCommander.answer
        // Nothing to stop: what the vehicle does now, another has commanded, perhaps while control authority was requested.
        guard hasSteered || reason.isUserHover || !ControlAuthorityClient.isArbitrated(over: link) else {
            await ControlAuthorityClient.release(of: link, because: reason.words)
            return .notStopped
        }
        // The user's hover is sent whoever has control authority; every other stop is for a vehicle that we steer.
        guard reason.stopsVehicle, !reason.isUserHover else {
            let outcome = reason.stopsVehicle ? await hover(link, within: answer) : .notStopped
            await ControlAuthorityClient.release(of: link, because: reason.words)
            return outcome
        }
        do throws(LinkError) {
            let reply = try await SteeringEnd.stop(link, because: reason.words, within: answer, clock: clock)
            guard ControlAuthorityClient.isArbitrated(over: link) else { return StopOutcome(hover: reply) }
            return reply.accepted ? .braked(reply.roundTrip) : .notStopped
        } catch {
            return error.code == .notInCommand ? .notStopped : .unanswered(error.what)
        }
    }

    private static func hover(_ link: any UAVLink, within timeout: Duration) async -> StopOutcome {
        do { return StopOutcome(hover: try await link.perform(.hover, within: timeout)) } catch {
            return .unanswered(error.what)
        }
    }
}

extension StopOutcome {
    fileprivate init(hover reply: CommandReply) {
        self = reply.accepted ? .accepted(reply.roundTrip) : .refused(reply.message.sanitizedLine)
    }
}
