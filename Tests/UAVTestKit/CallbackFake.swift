public import UAVLink

/// A link that is asked for nothing but commands with a callback, as the companion's is: a fake adds what it does with them.
public protocol CallbackFake: CallbackLink {}

extension CallbackFake {
    public var kind: LinkKind { .ros }
    public var capabilities: LinkCapabilities { LinkCapabilities(callbacks: self) }
    public var vehicleCapabilities: VehicleCapabilities { .mrs }
    public var latestTelemetry: Telemetry? { nil }
    public var quality: LinkQuality { LinkQuality() }
    public func connect(within timeout: Duration) async throws(LinkError) {}
    public func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        throw LinkError(.internalFault, "not this way")
    }
    @discardableResult
    public func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        SteeringReceipt(number: 1, sentAt: setpoint.intendedAt)
    }
    public func telemetry() -> AsyncStream<Telemetry> { AsyncStream { $0.finish() } }
    public func close() async {}
}
