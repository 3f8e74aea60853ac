public import UAVLink

/// What a mission over one link came to.
public struct MissionReport: Hashable, Sendable {
    /// The link.
    public var link: LinkKind
    /// Whether the vehicle took off over this link.
    public var tookOff = false
    /// Whether it landed and switched its motors off.
    public var landed = false
    /// How far the goto's end was from where it should be, metres.
    public var goalErrorMetres: Double?
    /// Round trips of the measured commands, from call to the vehicle's answer.
    public var commandRoundTrips: [Duration] = []
    /// The rate that was asked for.
    public var steeringAskedHertz: Double = 0
    /// Setpoints per second that reached the vehicle.
    public var steeringHertz: Double?
    /// How far steering moved the vehicle, metres.
    public var steeredMetres: Double?
    /// What failed, when something did: the step and the reason.
    public var failure: String?

    /// Nothing done yet over that link.
    public init(link: LinkKind) { self.link = link }

    /// The median of the measured commands.
    public var commandMedian: Duration? {
        guard !commandRoundTrips.isEmpty else { return nil }
        return commandRoundTrips.sorted()[commandRoundTrips.count / 2]
    }

    /// Whether everything was done.
    public var isComplete: Bool { tookOff && landed && failure == nil }
}
