internal import ChannelProtocol
internal import UAVLink

/// The setpoints of all sessions on their way to the handler, and the velocity references that grounds watch.
struct ServerSteering {
    private let handler: any ChannelHandler
    private let clock: any MonotonicClock
    /// A session may have started or stopped watching.
    private var watchMayHaveChanged = false
    private var isWatched = false
    /// The setpoints that became messages last, of sessions that want to know when the companion's own subscriber has read them.
    private var messages: [(sequence: UInt32, session: SessionID, number: UInt64)] = []
    private var nextMessage = 0

    /// A subscriber in the same process is not so many setpoints behind: two thirds of a second at 100 Hz.
    private static let remembered = 64

    init(handler: any ChannelHandler, clock: any MonotonicClock) {
        self.handler = handler
        self.clock = clock
        messages.reserveCapacity(Self.remembered)
    }

    /// Passes on a setpoint at once; allocates nothing.
    ///
    /// - Parameter now: when its frame was read.
    mutating func steer(_ setpoint: VelocitySetpoint, _ session: VehicleSession, now: MonotonicTime) {
        let isTraced = session.isTraced
        let handedAt = isTraced ? clock.now : now
        let verdict = handler.steer(setpoint, from: session.id, arrivedAt: now)
        session.note(verdict)
        if verdict == .refused { session.resendControlStatus(now: now) }
        guard isTraced else { return }
        if verdict == .applied, session.watchesOwn, let sequence = handler.publishedSetpoint {
            remember((sequence, session.id, session.judgedSetpoint))
        }
        session.note(verdict == .applied ? .applied : .refused, receivedAt: now, handedAt: handedAt, leftAt: clock.now)
    }

    private mutating func remember(_ message: (sequence: UInt32, session: SessionID, number: UInt64)) {
        if messages.count < Self.remembered { return messages.append(message) }
        messages[nextMessage] = message
        nextMessage = (nextMessage + 1) % Self.remembered
    }

    /// Records a velocity reference: of another node for the sessions that watch those, the companion's own for the session whose
    /// setpoint it was.
    func saw(_ sequence: UInt32, at: MonotonicTime, isOwn: Bool, _ sessions: SessionTable) {
        guard !isOwn else {
            guard let message = messages.last(where: { $0.sequence == sequence }) else { return }
            for served in sessions.all where served.session.id == message.session && served.session.watchesOwn {
                served.session.note(.observed(number: message.number, at: at))
            }
            return
        }
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
        isWatched = sessions.all.contains { $0.session.watchesSetpoints || $0.session.watchesOwn }
        return isWatched == wasWatched ? nil : isWatched
    }
}
