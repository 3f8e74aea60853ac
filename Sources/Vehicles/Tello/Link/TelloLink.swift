internal import HostLookup
internal import MachineLink
internal import SystemIO
package import UAVLink

/// A link to a Tello: its text protocol over UDP, from this computer, which is in the drone's Wi-Fi.
///
/// One thread does the waiting; ``steer(_:)`` sends on the caller's thread. There is no control authority: whoever is in the
/// drone's Wi-Fi can command it.
package final class TelloLink: KeepAliveLink {
    /// Where the drone is, and the ports on this side.
    package struct Settings: Sendable {
        /// Its name or address.
        package var host: String
        /// Its UDP port for commands.
        package var port: UInt16
        /// The vehicle's name in telemetry.
        package var vehicle: String
        /// The UDP port here from which commands are sent; 0 for one that the system chooses. The drone answers to any.
        package var commandPort: UInt16 = 0
        /// The UDP port here to which the drone sends its state: it knows no other.
        package var statePort: UInt16 = TelloLink.statePort
        /// The UDP port here to which it sends its video: it knows no other.
        package var videoPort: UInt16 = TelloLink.videoPort
        /// The source of time; setpoints carry times of the same clock.
        package var clock: any MonotonicClock = SystemMonotonicClock()

        /// A drone at an address.
        package init(host: String, port: UInt16 = TelloLink.commandPort, vehicle: String = "tello") {
            self.host = host
            self.port = port
            self.vehicle = vehicle
        }
    }

    /// The drone's UDP port for commands.
    package static let commandPort: UInt16 = 8889
    /// The ground's UDP port for the drone's state.
    package static let statePort: UInt16 = 8890

    let settings: Settings
    let core: TelloCore

    /// Creates a link; nothing is opened before ``connect(within:)``.
    package init(_ settings: Settings) {
        self.settings = settings
        core = TelloCore(TelloClient(vehicle: settings.vehicle), of: "the Tello", clock: settings.clock)
    }

    deinit { core.close() }

    /// Directly to the machine.
    package var kind: LinkKind { .direct }
    /// Besides commands, setpoints and telemetry that it keeps the drone from its own failsafe, and flight plans.
    package var capabilities: LinkCapabilities { LinkCapabilities(keepAlive: self, plans: self) }
    /// ``UAVLink/VehicleCapabilities/tello``
    package var vehicleCapabilities: VehicleCapabilities { .tello }
    /// Where the drone stands among the states that its client knows.
    package var mode: TelloMode { core.client { $0.mode } }
    /// The edition of its SDK, once it is connected.
    package var version: TelloVersion { core.client { $0.version } }

    /// Opens the sockets and waits until the drone has confirmed `command`, and said which edition of the SDK it has.
    package func connect(within timeout: Duration) async throws(LinkError) {
        guard !Task.isCancelled else { throw LinkError(.cancelled, "the connection was cancelled") }
        let deadline = core.clock.now + timeout
        try core.requireNotClosed()
        if core.sockets == nil {
            let address = try await HostLookup.address(of: settings.host, usually: "192.168.10.1", within: timeout)
            try core.start(to: .init(address, port: settings.port), settings)
        }
        try await core.open(until: deadline)
    }

    /// See ``UAVLink/UAVLink/perform(_:within:)``. A take-off and a landing are answered as soon as the drone's state shows
    /// them, else by the drone, when they have ended.
    package func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try command.validate()
        if let lack = vehicleCapabilities.refusal(of: command, vehicle: settings.vehicle) { throw lack }
        return try await core.perform(command.name) { client, call, now in
            client.perform(command, for: call, within: timeout, now: now)
        }
    }

    /// See ``UAVLink/UAVLink/steer(_:)``. It is not sent while the drone executes a command: its sticks would end nothing.
    @discardableResult
    package func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        try setpoint.validate()
        guard let steering = vehicleCapabilities.steering, steering.accepts(setpoint), let full = steering.most else {
            throw vehicleCapabilities.refusal(of: setpoint)
        }
        return try core.steer(setpoint, as: TelloSticks(setpoint, full: full))
    }

    /// See ``UAVLink/UAVLink/telemetry()``.
    package func telemetry() -> AsyncStream<Telemetry> { core.broadcast.stream() }

    /// See ``UAVLink/UAVLink/observeTelemetry(_:)``. Being called is no sign that the program runs: asking is.
    package func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation {
        core.broadcast.observe(body)
    }

    /// See ``UAVLink/KeepAliveLink/keepAlive()``.
    package func keepAlive() { core.noteUse() }

    /// The newest telemetry.
    package var latestTelemetry: Telemetry? {
        core.noteUse()
        return core.broadcast.latest
    }

    /// Round trips of questions, the rate of the state, setpoints.
    package var quality: LinkQuality {
        core.noteUse()
        return core.quality
    }

    /// Closes the sockets; nothing is sent any more but neutral sticks to a drone that is steered. One in the air lands by
    /// itself, 15 s later.
    package func close() async {
        core.close()
        await core.waitForThread()
    }
}
