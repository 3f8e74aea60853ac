public import UAVLink

/// The result of a mission over one link.
public struct MissionReport: Hashable, Sendable {
    /// The link.
    public var link: LinkKind
    /// Whether the vehicle took off over this link.
    public var tookOff = false
    /// Whether it landed and disarmed.
    public var landed = false
    /// The distance between the end of the goto and its goal, metres.
    public var goalErrorMetres: Double?
    /// Round trips of the timed commands, from the call to the vehicle's answer.
    public var commandRoundTrips: [Duration] = []
    /// The requested rate.
    public var steeringRequestedHertz: Double = 0
    /// Setpoints per second that reached the vehicle.
    public var steeringHertz: Double?
    /// How far steering moved the vehicle, metres.
    public var steeredMetres: Double?
    /// What failed, with the step and the reason; `nil` if nothing did.
    public var failure: String?

    /// A report of a mission that has not begun.
    public init(link: LinkKind) { self.link = link }

    /// The median of the round trips.
    public var commandMedian: Duration? {
        guard !commandRoundTrips.isEmpty else { return nil }
        return commandRoundTrips.sorted()[commandRoundTrips.count / 2]
    }

    /// Whether the whole mission was flown.
    public var isComplete: Bool { tookOff && landed && failure == nil }
}
