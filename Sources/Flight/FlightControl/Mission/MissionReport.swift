package import UAVLink

/// The result of a mission over one link.
package struct MissionReport: Hashable, Sendable {
    package var link: LinkKind
    /// Whether the vehicle took off over this link.
    package var tookOff = false
    /// Whether it landed and disarmed.
    package var landed = false
    /// The distance between the end of the goto and its goal, metres.
    package var goalErrorMetres: Double?
    /// Round trips of the timed commands, from the call to the vehicle's answer.
    package var commandRoundTrips: [Duration] = []
    /// The requested rate.
    package var steeringRequestedHertz: Double = 0
    /// Setpoints per second that reached the vehicle.
    package var steeringHertz: Double?
    /// How far steering moved the vehicle, metres.
    package var steeredMetres: Double?
    /// What failed, with the step and the reason; `nil` if nothing did.
    package var failure: String?

    /// A report of a mission that has not begun.
    package init(link: LinkKind) { self.link = link }

    /// The median of the round trips.
    package var commandMedian: Duration? {
        guard !commandRoundTrips.isEmpty else { return nil }
        return commandRoundTrips.sorted()[commandRoundTrips.count / 2]
    }

    /// Whether the whole mission was flown.
    package var isComplete: Bool { tookOff && landed && failure == nil }
}
