public import UAVLink

/// One run of setpoints to one vehicle, from the moment control is taken to the answer to its hover.
///
/// However it ends (a person, a link that fails, a screen that hangs, an owner that goes), the pump ends first and the vehicle is
/// stopped once after it, by a task that waits for nobody: no setpoint of the pump can follow.
public final class SteeringRun: Sendable {
    /// What a run tells its owner, on the main actor.
    public struct Listener: Sendable {
        /// Setpoints have ended.
        public var stopped: @MainActor @Sendable (StopReason) -> Void
        /// Hover is answered, or was not to be commanded. It may come before ``stopped``.
        public var ended: @MainActor @Sendable (StopReason, HoverOutcome) -> Void

        /// What a run tells.
        public init(
            stopped: @escaping @MainActor @Sendable (StopReason) -> Void,
            ended: @escaping @MainActor @Sendable (StopReason, HoverOutcome) -> Void
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
            // Not waited for: drawing must not delay the hover.
            Task { @MainActor in listener.stopped(reason) }
            let outcome = await Self.hover(reason, link, clock)
            await CommandOfVehicle.release(of: link, because: reason.words)
            await listener.ended(reason, outcome)
        }
    }

    deinit { stop(.leftScreen) }

    /// Ends it; what comes then is told to the listener.
    public func stop(_ reason: StopReason) {
        desk.end(reason)
        pump.stop()
    }

    /// Returns when setpoints have ended and hover is answered.
    public func finish() async { await task.value }

    /// A person's hover is for whoever flies; every other end is for the vehicle that we steer.
    private static func hover(
        _ reason: StopReason, _ link: any UAVLink, _ clock: any MonotonicClock
    ) async -> HoverOutcome {
        guard reason.commandsHover else { return .notCommanded }
        do throws(LinkError) {
            let answer = FleetCommander.answer
            if reason.isPersonsHover {
                let reply = try await link.perform(.hover, within: answer)
                return reply.accepted ? .accepted(reply.roundTrip) : .refused(reply.message.harmlessLine)
            }
            let reply = try await SteeringEnd.stop(link, because: reason.words, within: answer, clock: clock)
            let isDecided = CommandOfVehicle.isDecided(over: link)
            if reply.accepted { return isDecided ? .braked(reply.roundTrip) : .accepted(reply.roundTrip) }
            return isDecided ? .notCommanded : .refused(reply.message.harmlessLine)
        } catch {
            return error.code == .notInCommand ? .notCommanded : .unanswered(error.what)
        }
    }
}
