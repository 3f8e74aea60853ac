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
    enum Judgement: Equatable {
        /// To be forwarded; its times are on this machine's clock.
        case accepted(VelocitySetpoint)
        /// Expired, or its age cannot be bounded by its validity.
        case stale
        /// Received twice, or after a newer setpoint or a later command.
        case superseded
    }

    private(set) var counts = SetpointCounts()
    /// The number of the setpoint judged last.
    private(set) var judged: UInt64 = 0
    private var newest: UInt64 = 0

    /// Drops a setpoint whose age may exceed its validity, given the uncertainty of the clock offset. Until the offset is known,
    /// which takes the ground's first heartbeat, every setpoint is dropped: a stream that stalled while opening would deliver
    /// old setpoints as new. Setpoints whose times overflow are dropped too. What is dropped is counted.
    mutating func judge(_ steering: Steering, timing: PeerTiming, now: MonotonicTime) -> Judgement {
        judged = steering.number
        guard steering.number > newest else {
            counts.superseded += 1
            return .superseded
        }
        newest = steering.number
        var setpoint = steering.setpoint
        guard let (intended, most) = timing.age(of: setpoint.intendedAt.nanoseconds, now: now),
            most <= setpoint.validFor.nanoseconds
        else {
            counts.stale += 1
            return .stale
        }
        setpoint.intendedAt = min(now, intended)
        return .accepted(setpoint)
    }

    /// Drops later arrivals up to that number: they were issued before a command and must not act after it.
    mutating func supersede(upTo number: UInt64) { newest = max(newest, number) }

    /// Counts what happened to an accepted setpoint.
    mutating func note(_ verdict: SteeringVerdict) {
        switch verdict {
        case .applied: counts.applied += 1
        case .refused: counts.refused += 1
        }
    }
}
