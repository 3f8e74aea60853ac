internal import ChannelProtocol
internal import UAVLink

/// What the companion has published to every ground.
struct Publication {
    private(set) var telemetry: Telemetry?
    /// When the vehicle sent the pose in the telemetry; only while a ground traces its session.
    private(set) var poseStampedAt: MonotonicTime?
    private(set) var messages = MessageLog()
    private(set) var capabilities: VehicleCapabilities?

    /// Replaces the telemetry and adds its messages.
    mutating func publish(_ telemetry: Telemetry, poseStampedAt: MonotonicTime?) {
        self.telemetry = telemetry
        self.poseStampedAt = poseStampedAt
        messages.update(telemetry.messages)
    }

    /// Replaces what the vehicle can do; returns whether it has changed.
    mutating func publish(_ said: VehicleCapabilities?) -> Bool {
        guard said != capabilities else { return false }
        capabilities = said
        return true
    }

    /// When that session has something to send.
    func nextDeadline(of session: VehicleSession) -> MonotonicTime {
        session.nextDeadline(telemetry: telemetry, hasMessages: session.wantsMessages(messages))
    }
}
