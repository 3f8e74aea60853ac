public import UAVLink

/// Something that has sticks: held keys, keys that step, a game controller.
///
/// It is asked on the steering thread for every setpoint, under a lock: it answers at once from what it has.
public protocol StickSource: Sendable {
    /// What is asked for at an instant, before dead zone and curve.
    func reading(at now: MonotonicTime) -> StickReading
}

/// What a source says at an instant.
public enum StickReading: Hashable, Sendable {
    /// This is asked for.
    case deflection(Deflection)
    /// Steering must end: the source is gone, or its hover button was pressed.
    case stop(StopReason)

    /// What is asked for; nothing by a source that ends steering.
    public var deflection: Deflection {
        if case .deflection(let deflection) = self { deflection } else { .neutral }
    }
}
