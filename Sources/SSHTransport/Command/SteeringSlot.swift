internal import UAVLink

/// Which setpoint goes next over a link that carries one at a time: the newest, if it is still good.
///
///     offer ──> waiting ──next──> under way ──finished──> (next)
///                  │ newer offered, expired, or motion stopped: forgotten
struct SteeringSlot {
    private var waiting: VelocitySetpoint?
    private(set) var isUnderWay = false
    /// A command that stops motion is under way: nothing may overtake it or follow it unasked.
    private var stops = 0
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
        guard !isUnderWay, stops == 0, let setpoint = waiting.take() else { return nil }
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

    /// What waits is forgotten, and nothing goes until ``stopEnds()``.
    mutating func stopBegins() {
        waiting = nil
        stops += 1
    }

    mutating func stopEnds() { stops = max(stops - 1, 0) }

    mutating func forget() { waiting = nil }
}
