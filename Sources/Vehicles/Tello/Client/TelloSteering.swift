package import UAVLink

/// When which positions of the sticks are sent: the drone keeps the last ones until the next ones, and flies on by them.
///
/// ```
///              neutral setpoint            every 30 ms
///   released ───────────────────▶ steering ─────────▶ the newest setpoint's sticks
///      ▲                              │ no fresh setpoint, or the end
///      ╰──────────────── braking ◀────╯
///          ten times neutral
/// ```
/// A value with the time passed in. Nothing is sent while released: a drone that nobody flies lands by itself.
package struct TelloSteering: Sendable {
    private struct Held {
        var sticks = TelloSticks.neutral
        var until: MonotonicTime
        var nextAt: MonotonicTime
        /// Whether the drone was sent anything but neutral sticks since steering began.
        var hasMoved = false
    }

    private enum Phase {
        case released
        case steering(Held)
        case braking(left: Int, nextAt: MonotonicTime)
    }

    private var phase = Phase.released
    private var newestIntention: MonotonicTime?

    /// The sticks are released.
    package init() {}

    /// Whether setpoints are followed.
    package var isSteering: Bool { if case .steering = phase { true } else { false } }

    /// Whether the drone may still follow sticks, or is being braked.
    package var isActive: Bool { if case .released = phase { false } else { true } }

    /// Takes a setpoint: newest wins, and the first one must be neutral.
    ///
    /// - Returns: whether it is followed; an expired one, one that is older than its predecessor, and one that asks for motion
    ///   before a neutral one are not.
    package mutating func take(_ setpoint: VelocitySetpoint, as sticks: TelloSticks, now: MonotonicTime) -> Bool {
        // None is of the future: it would fly on for longer than any is valid, and no later one would stop it.
        let intendedAt = min(setpoint.intendedAt, now)
        let until = intendedAt + setpoint.validFor
        guard until > now, intendedAt >= newestIntention ?? intendedAt else { return false }
        lapse(now: now)
        switch phase {
        case .steering(var held):
            // A stop does not wait for its turn.
            if sticks == .neutral, held.sticks != .neutral { held.nextAt = now }
            (held.sticks, held.until) = (sticks, until)
            phase = .steering(held)
        case .released, .braking:
            guard setpoint.isNeutral else { return false }
            var held = Held(until: until, nextAt: now)
            // The brake is not over.
            if case .braking = phase { held.hasMoved = true }
            phase = .steering(held)
        }
        newestIntention = intendedAt
        return true
    }

    /// Ends steering and brakes the drone, if it was steered.
    package mutating func brake(now: MonotonicTime) {
        guard case .steering(let held) = phase else { return }
        phase = held.hasMoved ? .braking(left: TelloTimes.neutralCopies, nextAt: now) : .released
    }

    /// Setpoints that have stopped do not go on by themselves, however late that is noticed.
    private mutating func lapse(now: MonotonicTime) {
        if case .steering(let held) = phase, held.until <= now { brake(now: now) }
    }

    /// Something else flies the drone from now on: no sticks follow.
    ///
    /// - Returns: whether it must be sent neutral sticks first, since it may follow others.
    package mutating func release() -> Bool {
        defer { phase = .released }
        return isActive
    }

    /// The sticks to send now; `nil` if nothing is due.
    package mutating func due(now: MonotonicTime) -> TelloSticks? {
        lapse(now: now)
        switch phase {
        case .released: return nil
        case .steering(var held):
            guard held.nextAt <= now else { return nil }
            // A fixed rate; what was missed is not caught up.
            held.nextAt = max(held.nextAt + TelloTimes.sticks, now + TelloTimes.sticks / 2)
            if held.sticks != .neutral { held.hasMoved = true }
            phase = .steering(held)
            return held.sticks
        case .braking(let left, let nextAt):
            guard nextAt <= now else { return nil }
            phase = left > 1 ? .braking(left: left - 1, nextAt: now + TelloTimes.neutralPeriod) : .released
            return .neutral
        }
    }

    /// When ``due(now:)`` has something to do next; `nil` if it has nothing.
    package var nextDeadline: MonotonicTime? {
        switch phase {
        case .released: nil
        case .steering(let held): min(held.nextAt, held.until)
        case .braking(_, let nextAt): nextAt
        }
    }
}
