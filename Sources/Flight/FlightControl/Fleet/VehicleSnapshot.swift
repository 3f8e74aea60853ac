public import UAVLink

/// What is known of a vehicle and its link at one instant: what Presenters turn into words.
public struct VehicleSnapshot: Hashable, Sendable {
    /// The vehicle's name in ROS.
    public var vehicle: String
    /// What carries the link.
    public var link: LinkKind
    /// The newest telemetry; `nil` before the first.
    public var telemetry: Telemetry?
    /// How well the link works.
    public var quality: LinkQuality
    /// When this was.
    public var now: MonotonicTime

    /// What is known.
    public init(
        vehicle: String, link: LinkKind, telemetry: Telemetry?, quality: LinkQuality, now: MonotonicTime
    ) {
        self.vehicle = vehicle
        self.link = link
        self.telemetry = telemetry
        self.quality = quality
        self.now = now
    }

    /// What the vehicle is doing.
    public var flightState: FlightState { telemetry?.flight?.value.state ?? .unknown }

    /// How old the newest telemetry is.
    public var telemetryAge: Duration? { telemetry?.newest.map { now - $0 } }
}
