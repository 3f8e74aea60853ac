/// How well a link works just now.
public struct LinkQuality: Hashable, Sendable {
    /// Whether the other end has been heard from within the link's own time-out.
    public var isConnected: Bool
    /// Round trip of the newest exchange.
    public var roundTrip: Duration?
    /// Median round trip of the recent past.
    public var roundTripMedian: Duration?
    /// 99th percentile of the recent past.
    public var roundTripP99: Duration?
    /// Share of what we sent that did not arrive, 0 to 1, when the link can tell.
    public var lossUp: Double?
    /// Share of what was sent to us that did not arrive, 0 to 1, when the link can tell.
    public var lossDown: Double?
    /// The vehicle's clock minus ours, when the link measures it.
    public var clockOffset: Duration?
    /// The offset is within this much of the truth.
    public var clockOffsetBound: Duration?
    /// When telemetry last came.
    public var lastTelemetryAt: MonotonicTime?
    /// Telemetry updates per second in the recent past.
    public var telemetryRateHertz: Double?
    /// Setpoints handed to the network.
    public var setpointsSent: UInt64
    /// Setpoints that the vehicle's end passed on to the vehicle, as it last reported.
    public var setpointsApplied: UInt64?
    /// Setpoints that the vehicle's end refused for their age, as it last reported.
    public var setpointsStale: UInt64?
    /// The version of the companion's program that runs: of the process, not of the file. Empty when it does not say, as those
    /// before this program do; `nil` over a link without a companion.
    public var companionVersion: String?

    /// What to say of a companion whose program is another than this one; `nil` when it is the same. Both speak the same version of
    /// the channel, so one can fly.
    public var versionWarning: String? {
        guard let companionVersion, companionVersion != Version.text else { return nil }
        let theirs = companionVersion.isEmpty ? "older than this program" : "version \(companionVersion.harmlessLine)"
        return
            "the companion that runs is \(theirs), and this is version \(Version.text); install the same on both ends, then restart "
            + "it while nobody flies ('uavlink-companion stop', or its service)"
    }

    /// Nothing known yet.
    public init(isConnected: Bool = false) {
        self.isConnected = isConnected
        setpointsSent = 0
    }
}
