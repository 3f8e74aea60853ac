internal import UAVLink

/// Selects the next setpoint for a link that carries one at a time: the newest, unless it has expired.
///
///     offer ──> waiting ──next──> in progress ──finished──> (next)
///                  │ newer offered, expired, or a command took over: dropped
struct SteeringSlot {
    private var waiting: VelocitySetpoint?
    private(set) var isUnderWay = false
    /// Commands in progress that take over from steering: no setpoint is sent until they have ended.
    private var commands = 0
    /// Setpoints that expired before they could be sent.
    private(set) var expired: UInt64 = 0
    /// Setpoints that were sent.
    private(set) var sent: UInt64 = 0
    /// Setpoints that the vehicle accepted.
    private(set) var applied: UInt64 = 0

    /// Setpoints that were offered.
    private var offered: UInt64 = 0

    /// Queues a setpoint, which replaces one that is still queued; returns its number.
    mutating func offer(_ setpoint: VelocitySetpoint) -> UInt64 {
        waiting = setpoint
        offered += 1
        return offered
    }

    /// The setpoint to send now, if there is one.
    mutating func next(now: MonotonicTime) -> VelocitySetpoint? {
        guard !isUnderWay, commands == 0, let setpoint = waiting.take() else { return nil }
        guard now < setpoint.intendedAt + setpoint.validFor else {
            expired += 1
            return nil
        }
        isUnderWay = true
        sent += 1
        return setpoint
    }

    mutating func finished(accepted: Bool) {
        isUnderWay = false
        if accepted { applied += 1 }
    }

    /// Drops the queued setpoint and blocks sending until ``commandEnds()``.
    mutating func commandBegins() {
        waiting = nil
        commands += 1
    }

    mutating func commandEnds() { commands = max(commands - 1, 0) }

    mutating func forget() { waiting = nil }
}
