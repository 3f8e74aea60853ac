public import UAVLink

/// The state of a vehicle and its link at one instant, as input of the Presenters.
public struct VehicleSnapshot: Hashable, Sendable {
    /// The vehicle's name in ROS.
    public var vehicle: String
    /// The kind of link.
    public var link: LinkKind
    /// The newest telemetry; `nil` before the first.
    public var telemetry: Telemetry?
    /// The quality of the link.
    public var quality: LinkQuality
    /// The instant of the snapshot.
    public var now: MonotonicTime

    /// A snapshot.
    public init(
        vehicle: String, link: LinkKind, telemetry: Telemetry?, quality: LinkQuality, now: MonotonicTime
    ) {
        self.vehicle = vehicle
        self.link = link
        self.telemetry = telemetry
        self.quality = quality
        self.now = now
    }

    /// The vehicle's state.
    public var flightState: FlightState { telemetry?.flight?.value.state ?? .unknown }

    /// The age of the newest telemetry.
    public var telemetryAge: Duration? { telemetry?.newest.map { now - $0 } }
}
