internal import HostLookup
internal import MachineLink
package import UAVLink

/// A link to an AR.Drone 2: its commands and navigation data over UDP, from this computer, which is in the drone's Wi-Fi.
///
/// One thread has the control loop and does the waiting. There is no control authority: whoever is in the drone's Wi-Fi can
/// command it, and of two programs that do, the drone obeys the one whose commands have the higher numbers.
package final class ARDroneLink: KeepAliveLink {
    /// Where the drone is, and the ports.
    package struct Settings: Sendable {
        /// Its name or address.
        package var host: String
        /// Its UDP port for commands.
        package var port: UInt16
        /// Its UDP port for navigation data; two below that for commands.
        package var navdataPort: UInt16
        /// Its TCP port for its configuration; three above that for commands.
        package var controlPort: UInt16
        /// Its TCP port for video; one below that for commands.
        package var videoPort: UInt16
        /// The vehicle's name in telemetry.
        package var vehicle: String
        /// The source of time; setpoints carry times of the same clock.
        package var clock: any MonotonicClock = SystemMonotonicClock()

        /// A drone at an address.
        package init(host: String, port: UInt16 = ARDroneLink.commandPort, vehicle: String = "ardrone") {
            self.host = host
            self.port = port
            navdataPort = port &- 2
            controlPort = port &+ 3
            videoPort = port &- 1
            self.vehicle = vehicle
        }
    }

    /// The drone's UDP port for commands.
    package static let commandPort: UInt16 = 5556

    let settings: Settings
    let runner: ARDroneRunner

    /// Creates a link; nothing is opened before ``connect(within:)``.
    package init(_ settings: Settings) {
        self.settings = settings
        runner = ARDroneRunner(ARDroneCore(vehicle: settings.vehicle), of: "the AR.Drone", clock: settings.clock)
    }

    deinit { runner.close() }

    /// Directly to the machine.
    package var kind: LinkKind { .direct }
    /// Besides commands, setpoints and telemetry only that it keeps the drone from its own failsafe; its video is that of
    /// ``UAVLink/MachineVideo``.
    package var capabilities: LinkCapabilities { LinkCapabilities(keepAlive: self) }
    /// ``UAVLink/VehicleCapabilities/arDrone``
    package var vehicleCapabilities: VehicleCapabilities { .arDrone }
    /// The configuration that was read from the drone last, by `section:key`; empty before.
    package var configuration: [String: String] { runner.client { $0.configurator.known } }

    /// Opens the sockets and waits until the drone's stream of navigation data has begun.
    package func connect(within timeout: Duration) async throws(LinkError) {
        guard !Task.isCancelled else { throw LinkError(.cancelled, "the connection was cancelled") }
        let deadline = runner.clock.now + timeout
        try runner.requireNotClosed()
        if runner.sockets == nil {
            try runner.start(
                to: try await HostLookup.address(of: settings.host, usually: "192.168.1.1", within: timeout), settings)
        }
        try await runner.open(until: deadline)
    }

    /// See ``UAVLink/UAVLink/perform(_:within:)``. Nothing is answered by the drone: a command is as soon as
    /// its state shows that it obeys; a goto when it has begun.
    package func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try command.validate()
        if let lack = vehicleCapabilities.refusal(of: command, vehicle: settings.vehicle) { throw lack }
        return try await runner.perform(command.name) { core, call, now in
            core.perform(command, for: call, within: timeout, now: now)
        }
    }

    /// See ``UAVLink/UAVLink/steer(_:)``. It goes with the control loop, within 30 ms.
    @discardableResult
    package func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        try setpoint.validate()
        guard let steering = vehicleCapabilities.steering, steering.accepts(setpoint), let full = steering.most else {
            throw vehicleCapabilities.refusal(of: setpoint)
        }
        return try runner.steer(setpoint, as: ATSticks(setpoint, full: full))
    }

    /// See ``UAVLink/UAVLink/telemetry()``.
    package func telemetry() -> AsyncStream<Telemetry> { runner.broadcast.stream() }

    /// See ``UAVLink/UAVLink/observeTelemetry(_:)``. Being called is no sign that the program runs: asking is.
    package func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation {
        runner.broadcast.observe(body)
    }

    /// See ``UAVLink/KeepAliveLink/keepAlive()``.
    package func keepAlive() { runner.noteUse() }

    /// The newest telemetry.
    package var latestTelemetry: Telemetry? {
        runner.noteUse()
        return runner.broadcast.latest
    }

    /// The rate of navigation data, setpoints; there are no round trips, since nothing is answered.
    package var quality: LinkQuality {
        runner.noteUse()
        return runner.quality
    }

    /// Closes the sockets, after a hover. A drone in the air hovers, and is left to its own failsafe.
    package func close() async {
        runner.close()
        await runner.waitForThread()
    }
}
