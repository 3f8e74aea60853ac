internal import UAVLink

/// Which setpoint goes next over a link that carries one at a time: the newest, if it is still good.
///
///     offer ──> waiting ──next──> under way ──finished──> (next)
///                  │ newer offered, expired, or a command took over: forgotten
struct SteeringSlot {
    private var waiting: VelocitySetpoint?
    private(set) var isUnderWay = false
    /// Commands under way that take over from steering: nothing may overtake them or follow them unasked.
    private var commands = 0
    /// Setpoints that had expired when their turn came.
    private(set) var expired: UInt64 = 0
    /// Setpoints that were sent.
    private(set) var sent: UInt64 = 0
    /// Setpoints that the vehicle accepted.
    private(set) var applied: UInt64 = 0

    /// Takes a setpoint; an older one that still waits is forgotten.
    mutating func offer(_ setpoint: VelocitySetpoint) { waiting = setpoint }

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

    /// What waits is forgotten, and nothing goes until ``commandEnds()``.
    mutating func commandBegins() {
        waiting = nil
        commands += 1
    }

    mutating func commandEnds() { commands = max(commands - 1, 0) }

    mutating func forget() { waiting = nil }
}
