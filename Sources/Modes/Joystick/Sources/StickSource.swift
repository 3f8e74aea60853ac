package import UAVLink

/// A source of stick input: held keys, step keys, a game controller.
///
/// It is read on the steering thread for every setpoint, under a lock, and must not block.
package protocol StickSource: Sendable {
    /// The input at an instant, before dead zone and curve.
    func reading(at now: MonotonicTime) -> StickReading
}

/// The input of a source at an instant.
package enum StickReading: Hashable, Sendable {
    /// The requested deflection.
    case deflection(Deflection)
    /// Steering must end: the source is gone, or its hover button was pressed.
    case stop(StopReason)

    /// The requested deflection; neutral for a source that ends steering.
    package var deflection: Deflection {
        if case .deflection(let deflection) = self { deflection } else { .neutral }
    }
}
