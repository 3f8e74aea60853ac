package import UAVLink

/// A link that is asked for nothing but commands with a callback, as the companion's is: a fake adds what it does with them.
package protocol CallbackFake: CallbackLink {}

extension CallbackFake {
    package var kind: LinkKind { .ros }
    package var capabilities: LinkCapabilities { LinkCapabilities(callbacks: self) }
    package var vehicleCapabilities: VehicleCapabilities { .mrs }
    package var latestTelemetry: Telemetry? { nil }
    package var quality: LinkQuality { LinkQuality() }
    package func connect(within timeout: Duration) async throws(LinkError) {}
    package func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        throw LinkError(.internalFault, "not this way")
    }
    @discardableResult
    package func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        SteeringReceipt(number: 1, sentAt: setpoint.intendedAt)
    }
    package func telemetry() -> AsyncStream<Telemetry> { AsyncStream { $0.finish() } }
    package func close() async {}
}
