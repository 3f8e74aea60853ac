package import UAVLink

/// The telemetry that a ground has received in a session; of each kind of frame the newest counts.
package struct GroundTelemetry {
    private(set) var value: Telemetry
    /// What the companion says that the vehicle can do; `nil` until it does, and with older companions.
    package private(set) var capabilities: VehicleCapabilities?
    /// When the newest state frame arrived.
    package private(set) var lastAt: MonotonicTime?
    /// The newest message received, for the heartbeat.
    private(set) var messagesSeen: UInt64 = 0
    private var stateTimes = RecentValues(capacity: 64)
    private var newestState: UInt64 = 0
    private var newestDetails: UInt64 = 0
    private var newestExtras: UInt64 = 0
    private var newestControl: UInt64 = 0

    init(vehicle: String) { value = Telemetry(vehicle: vehicle) }

    /// State frames per second over about the last second; `nil` until two have arrived, 0 when they stopped.
    package func rate(now: MonotonicTime) -> Double? {
        guard let first = stateTimes.oldest, let last = stateTimes.latest, last > first else { return nil }
        guard now.nanoseconds &- last < ChannelTimes.linkLossTimeout.nanoseconds else { return 0 }
        return Double(stateTimes.count - 1) * 1e9 / Double(last - first)
    }

    /// Reads a frame's payload.
    ///
    /// - Parameter local: converts an instant of the companion's clock to ours.
    /// - Returns: whether the telemetry has changed; not if a newer frame of that kind came before.
    mutating func take(
        _ kind: FrameKind, _ reader: inout WireReader, sequence: UInt64, now: MonotonicTime,
        local: (Int64) -> MonotonicTime
    ) throws(WireError) -> Bool {
        switch kind {
        case .state:
            guard sequence > newestState else { return false }
            try TelemetryCoding.readState(&reader, into: &value, local: local)
            newestState = sequence
            lastAt = now
            stateTimes.add(now.nanoseconds)
        case .details:
            guard sequence > newestDetails else { return false }
            try TelemetryCoding.readDetails(&reader, into: &value, local: local)
            newestDetails = sequence
        case .messages: try MessageLog.read(&reader, into: &value, seen: &messagesSeen, local: local)
        case .extras:
            guard sequence > newestExtras else { return false }
            if let said = try ExtrasCoding.read(&reader, into: &value, local: local) { capabilities = said }
            newestExtras = sequence
        case .control:
            guard sequence > newestControl else { return false }
            value.control = try ControlCoding.read(&reader, local: local)
            newestControl = sequence
        default: throw .invalid
        }
        return true
    }
}
