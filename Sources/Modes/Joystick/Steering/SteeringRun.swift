internal import FlightControl
public import UAVLink

/// One run of setpoints to one vehicle, from the moment control is taken until the vehicle is stopped.
///
/// However it ends (a person, a link that fails, a screen that hangs, an owner that goes), the pump ends first and the vehicle is
/// stopped once after it, by a task that waits for nobody: no setpoint of the pump can follow.
public final class SteeringRun: Sendable {
    /// What a run tells its owner, on the main actor.
    public struct Listener: Sendable {
        /// Setpoints have ended.
        public var stopped: @MainActor @Sendable (StopReason) -> Void
        /// The vehicle is stopped, or was not to be. It may come before ``stopped``.
        public var ended: @MainActor @Sendable (StopReason, StopOutcome) -> Void

        /// What a run tells.
        public init(
            stopped: @escaping @MainActor @Sendable (StopReason) -> Void,
            ended: @escaping @MainActor @Sendable (StopReason, StopOutcome) -> Void
        ) {
            self.stopped = stopped
            self.ended = ended
        }
    }

    /// Where sticks and settings go.
    public let desk: SteeringDesk
    private let pump: SteeringPump
    private let task: Task<Void, Never>

    /// Begins to steer.
    ///
    /// - Throws: ``LinkError`` with `invalidInput` for an impossible rate.
    public init(
        link: any UAVLink, desk: SteeringDesk, rateHertz: Double, clock: any MonotonicClock, listener: Listener
    ) throws(LinkError) {
        self.desk = desk
        let pump = try SteeringPump(link: link, rateHertz: rateHertz, clock: clock)
        self.pump = pump
        task = Task.detached {
            let report = await pump.run { desk.setpoint(at: $0) }
            // A pump that was stopped without a word, by its owner's end, was left.
            desk.end(report.failure.map(StopReason.init) ?? .leftScreen)
            let reason = desk.ending ?? .leftScreen
            // Not waited for: drawing must not delay the stop.
            Task { @MainActor in listener.stopped(reason) }
            let outcome = await Self.stopVehicle(reason, link, clock)
            await listener.ended(reason, outcome)
        }
    }

    deinit { stop(.leftScreen) }

    /// Ends it; what comes then is told to the listener.
    public func stop(_ reason: StopReason) {
        desk.end(reason)
        pump.stop()
    }

    /// Returns when setpoints have ended and the vehicle is stopped.
    public func finish() async { await task.value }

    /// Stops the vehicle where the reason asks for it, and gives command back.
    private static func stopVehicle(
        _ reason: StopReason, _ link: any UAVLink, _ clock: any MonotonicClock
    ) async -> StopOutcome {
        let answer = FleetCommander.answer
        // A person's hover is for whoever flies; every other end is for the vehicle that we steer.
        guard reason.stopsVehicle, !reason.isPersonsHover else {
            let outcome = reason.stopsVehicle ? await hover(link, within: answer) : .notStopped
            await CommandOfVehicle.release(of: link, because: reason.words)
            return outcome
        }
        do throws(LinkError) {
            let reply = try await SteeringEnd.stop(link, because: reason.words, within: answer, clock: clock)
            guard CommandOfVehicle.isDecided(over: link) else { return StopOutcome(hover: reply) }
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
        self = reply.accepted ? .accepted(reply.roundTrip) : .refused(reply.message.harmlessLine)
    }
}
