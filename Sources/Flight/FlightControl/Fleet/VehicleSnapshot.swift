package import UAVLink

/// The state of a vehicle and its link at one instant, as input of the Presenters.
package struct VehicleSnapshot: Hashable, Sendable {
    /// The vehicle's name in ROS.
    package var vehicle: String
    package var link: LinkKind
    /// The newest telemetry; `nil` before the first.
    package var telemetry: Telemetry?
    /// The quality of the link.
    package var quality: LinkQuality
    /// The instant of the snapshot.
    package var now: MonotonicTime
    /// Whether the vehicle sends telemetry at a rate by which its link can be judged: not one that speaks now and then.
    package var hasTelemetryRate = true

    package init(
        vehicle: String, link: LinkKind, telemetry: Telemetry?, quality: LinkQuality, now: MonotonicTime
    ) {
        self.vehicle = vehicle
        self.link = link
        self.telemetry = telemetry
        self.quality = quality
        self.now = now
    }

    /// The vehicle's state.
    package var flightState: FlightState { telemetry?.flight?.value.state ?? .unknown }

    /// Whether a pilot flies it by radio, as far as telemetry shows.
    package var radioFlight: RadioFlight { telemetry?.radioFlight(now: now) ?? .no }

    /// The age of the newest telemetry.
    package var telemetryAge: Duration? { telemetry?.newest.map { now - $0 } }

    /// The median of the round trips; `nil` over a lost link, and where it was measured before the vehicle fell silent. Over some links
    /// only commands measure it.
    package var presentRoundTrip: Duration? {
        // A channel's heartbeats go on without telemetry.
        let isSilent = telemetryAge.map { $0 > Self.silent } ?? true
        guard quality.isConnected, !isSilent || quality.hasRoundTrip(since: now - Self.silent) else { return nil }
        return quality.roundTripMedian
    }

    /// Over SSH telemetry comes a few seconds apart.
    private static let silent: Duration = .seconds(5)
}
