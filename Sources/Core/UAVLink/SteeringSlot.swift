/// Selects the next setpoint for a link that carries one at a time: the newest, unless it has expired.
///
///     offer ──> waiting ──next──> in progress ──finished──> (next)
///                  │ newer offered, expired, or a command took over: dropped
public struct SteeringSlot: Sendable {
    private var waiting: VelocitySetpoint?
    /// Whether a setpoint is being sent.
    public private(set) var isUnderWay = false
    /// Commands in progress that take over from steering: no setpoint is sent until they have ended.
    private var commands = 0
    /// Setpoints that expired before they could be sent.
    public private(set) var expired: UInt64 = 0
    /// Setpoints that were sent.
    public private(set) var sent: UInt64 = 0
    /// Setpoints that the vehicle accepted.
    public private(set) var applied: UInt64 = 0

    /// Setpoints that were offered.
    private var offered: UInt64 = 0

    /// Without a setpoint.
    public init() {}

    /// Queues a setpoint, which replaces one that is still queued; returns its number.
    public mutating func offer(_ setpoint: VelocitySetpoint) -> UInt64 {
        waiting = setpoint
        offered += 1
        return offered
    }

    /// The setpoint to send now, if there is one.
    public mutating func next(now: MonotonicTime) -> VelocitySetpoint? {
        guard !isUnderWay, commands == 0, let setpoint = waiting.take() else { return nil }
        guard setpoint.isCurrent(at: now) else {
            expired += 1
            return nil
        }
        isUnderWay = true
        sent += 1
        return setpoint
    }

    /// The setpoint under way was answered, or failed.
    public mutating func finished(accepted: Bool) {
        isUnderWay = false
        if accepted { applied += 1 }
    }

    /// The setpoint that was to be sent has expired before it was.
    public mutating func expiredUnsent() {
        isUnderWay = false
        sent -= min(sent, 1)
        expired += 1
    }

    /// Drops the queued setpoint and blocks sending until ``commandEnds()``.
    public mutating func commandBegins() {
        waiting = nil
        commands += 1
    }

    /// A command that took over has ended.
    public mutating func commandEnds() { commands = max(commands - 1, 0) }

    /// Drops the queued setpoint.
    public mutating func forget() { waiting = nil }
}

extension VelocitySetpoint {
    /// Whether it may still move the vehicle.
    public func isCurrent(at now: MonotonicTime) -> Bool { now < intendedAt + validFor }
}
