internal import UAVLink

/// What happened to a setpoint.
public enum SteeringVerdict: Sendable {
    /// Forwarded to the vehicle.
    case applied
    /// Not forwarded; the vehicle side refused it.
    case refused
}

/// Decides which setpoints the companion accepts: only the newest, and only when certainly not expired.
struct SteeringGate {
    private(set) var counts = SetpointCounts()
    private var newest: UInt64 = 0

    /// Drops a setpoint whose age may exceed its validity, given the uncertainty of the clock offset. Until the offset is known,
    /// which takes the ground's first heartbeat, every setpoint is dropped: a stream that stalled while opening would deliver
    /// old setpoints as new. Setpoints whose times overflow are dropped too.
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

    /// Drops later arrivals up to that number: they were issued before a command and must not act after it.
    mutating func supersede(upTo number: UInt64) { newest = max(newest, number) }

    /// Counts what happened to an accepted setpoint.
    package mutating func note(_ verdict: SteeringVerdict) {
        switch verdict {
        case .applied: counts.applied += 1
        case .refused: counts.refused += 1
        }
    }
}
