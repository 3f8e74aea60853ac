/// The current quality of a link.
public struct LinkQuality: Hashable, Sendable {
    /// Whether something was received from the peer within the link's timeout.
    public var isConnected: Bool
    /// Whether the link can measure round trips: not to a machine that answers nothing.
    public var measuresRoundTrips = true
    /// The newest round trip.
    public var roundTrip: Duration?
    /// When that was measured; `nil` if the link does not say. Over some links only commands measure it.
    public var roundTripAt: MonotonicTime?
    /// The median of the recent round trips.
    public var roundTripMedian: Duration?
    /// The 99th percentile of the recent round trips.
    public var roundTripP99: Duration?
    /// Loss from ground to vehicle, 0 to 1; `nil` if the link does not measure it.
    public var lossUp: Double?
    /// Loss from vehicle to ground, 0 to 1; `nil` if the link does not measure it.
    public var lossDown: Double?
    /// The vehicle's clock minus the ground's; `nil` if the link does not measure it.
    public var clockOffset: Duration?
    /// The error bound of the offset.
    public var clockOffsetBound: Duration?
    /// When telemetry was last received.
    public var lastTelemetryAt: MonotonicTime?
    /// Telemetry updates per second in the recent past.
    public var telemetryRateHertz: Double?
    /// Why a part of the telemetry does not come, where the link can tell: over SSH, from what the programs on the vehicle print.
    public var telemetryFault: LinkError?
    /// Setpoints sent.
    public var setpointsSent: UInt64
    /// Setpoints passed on to the vehicle, as last reported from the vehicle's side.
    public var setpointsApplied: UInt64?
    /// Setpoints dropped as expired, as last reported from the vehicle's side.
    public var setpointsExpired: UInt64?
    /// The version of the running companion: of the process, not of the file. Empty if it is too old to report one; `nil`
    /// over a link without a companion.
    public var companionVersion: String?

    /// Whether the newest round trip is not older than that; also where that is not known.
    public func hasRoundTrip(since time: MonotonicTime) -> Bool { roundTripAt.map { $0 >= time } ?? true }

    /// The warning about a companion whose version differs from this program's; `nil` if it is the same. Both use the same
    /// version of the channel, so flying is possible.
    public var versionWarning: String? {
        guard let companionVersion, companionVersion != Version.text else { return nil }
        let theirs = companionVersion.isEmpty ? "older than this program" : "version \(companionVersion.sanitizedLine)"
        return
            "the running companion is \(theirs), this program is \(Version.text); both use the same version of the channel, so "
            + "flying is possible; 'uavlink deploy' installs this program's version and restarts the companion while the vehicle "
            + "is not flying"
    }

    /// A quality without measurements.
    public init(isConnected: Bool = false) {
        self.isConnected = isConnected
        setpointsSent = 0
    }
}
