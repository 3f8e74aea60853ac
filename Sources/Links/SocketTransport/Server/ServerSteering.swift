internal import ChannelProtocol
internal import UAVLink

/// The setpoints of all sessions on their way to the handler, and the other nodes' velocity references that grounds watch.
struct ServerSteering {
    private let handler: any ChannelHandler
    private let clock: any MonotonicClock
    /// A session may have started or stopped watching.
    private var watchMayHaveChanged = false
    private var isWatched = false

    init(handler: any ChannelHandler, clock: any MonotonicClock) {
        self.handler = handler
        self.clock = clock
    }

    /// Passes on a setpoint at once; allocates nothing.
    ///
    /// - Parameter now: when its frame was read.
    func steer(_ setpoint: VelocitySetpoint, _ session: VehicleSession, now: MonotonicTime) {
        let isTraced = session.isTraced
        let handedAt = isTraced ? clock.now : now
        let verdict = handler.steer(setpoint, from: session.id, arrivedAt: now)
        session.note(verdict)
        if verdict == .refused { session.resendControlStatus(now: now) }
        guard isTraced else { return }
        session.note(verdict == .applied ? .applied : .refused, receivedAt: now, handedAt: handedAt, leftAt: clock.now)
    }

    /// Records a velocity reference of another node for the sessions that watch.
    func saw(_ sequence: UInt32, at: MonotonicTime, _ sessions: SessionTable) {
        for served in sessions.all where served.session.watchesSetpoints {
            served.session.note(.seen(.init(sequence: sequence, at: at)))
        }
    }

    /// A session has started or stopped watching.
    mutating func watchHasChanged() { watchMayHaveChanged = true }

    /// Whether watching has to start (true) or stop (false) for all sessions together; `nil` when nothing changed.
    mutating func pendingWatchChange(_ sessions: SessionTable) -> Bool? {
        // A watching session may also have ended.
        guard watchMayHaveChanged || isWatched else { return nil }
        watchMayHaveChanged = false
        let wasWatched = isWatched
        isWatched = sessions.all.contains { $0.session.watchesSetpoints }
        return isWatched == wasWatched ? nil : isWatched
    }
}
