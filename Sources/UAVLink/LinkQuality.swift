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

    /// Nothing known yet.
    public init(isConnected: Bool = false) {
        self.isConnected = isConnected
        setpointsSent = 0
    }
}
