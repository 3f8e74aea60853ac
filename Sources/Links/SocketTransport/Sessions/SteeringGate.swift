internal import UAVLink

/// Which setpoints the companion lets through: the newest, and only what is surely still good.
struct SteeringGate {
    private(set) var counts = SetpointCounts()
    private var newest: UInt64 = 0

    /// A setpoint whose age, with all the doubt about the clocks, may exceed its validity is refused. Until the clocks are
    /// known to each other, which the ground's first heartbeat brings about, nothing is sure: a stream that stalled as it
    /// opened would deliver old setpoints as new. Neither is one whose times no number holds.
    ///
    /// - Returns: the setpoint with its times on this machine's clock; `nil` for one that is counted and dropped.
    mutating func judge(_ steering: Steering, timing: PeerTiming, now: MonotonicTime) -> VelocitySetpoint? {
        guard steering.number > newest else {
            counts.superseded += 1
            return nil
        }
        newest = steering.number
        var setpoint = steering.setpoint
        guard let (intended, most) = timing.age(of: setpoint.intendedAt.nanoseconds, now: now),
            most <= setpoint.validFor.nanoseconds
        else {
            counts.stale += 1
            return nil
        }
        setpoint.intendedAt = min(now, intended)
        return setpoint
    }

    /// Setpoints up to that number were given before a command, and must not act after it.
    mutating func supersede(upTo number: UInt64) { newest = max(newest, number) }

    /// Notes what became of a setpoint that was let through.
    mutating func note(_ verdict: SteeringVerdict) {
        switch verdict {
        case .applied: counts.applied += 1
        case .refused: counts.refused += 1
        }
    }
}
