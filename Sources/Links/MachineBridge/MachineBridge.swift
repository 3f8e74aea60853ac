package import Companion
package import CompanionControl
internal import SocketTransport
package import UAVLink
package import VehicleAccess

/// A companion in front of a machine with its own protocol, on a computer beside it: the sealed channel, control authority, lease
/// and several grounds for a machine that has none of them, beyond the reach of its Wi-Fi.
///
/// ```
///   ground ══ channel: UDP, TCP ══▶ Companion ── control authority, lease ──▶ the machine's link ── its Wi-Fi ──▶ machine
/// ```
/// The machine's link is the backend as it is. It keeps the machine from its own failsafe only while the channel's thread runs and a
/// ground is heard (``UAVLink/KeepAliveLink``).
package struct MachineBridge: Sendable {
    /// Which machine, and where the channel listens.
    package struct Settings: Sendable {
        /// The machine.
        package var machine: MachineAddress
        /// Its name for the grounds.
        package var vehicle: String
        /// The address to listen on; `::` for all.
        package var bindAddress = "::"
        /// The channel's UDP port; 0 for any free one.
        package var udpPort: UInt16 = 0
        /// The channel's TCP port; 0 for any free one.
        package var tcpPort: UInt16 = 0
        /// How long setpoints remain valid without a newer one, before the machine is braked; `nil` for the companion's own.
        package var lease: Duration?

        /// A bridge to a machine.
        package init(to machine: MachineAddress, vehicle: String) {
            self.machine = machine
            self.vehicle = vehicle
        }

        /// The lock that keeps a second bridge to this machine off this host.
        package var hostLock: HostLock.Name { HostLock.Name(vehicle: vehicle, graph: machine.text) }
    }

    private let service: CompanionService

    /// Starts it; the machine is connected while it runs.
    ///
    /// - Parameters:
    ///   - link: the machine's link, not yet connected.
    ///   - manager: notified when it is ready, is alive, and ends.
    ///   - hangs: called on a thread of its own when the channel's thread hangs; it should end the process.
    /// - Throws: ``UAVLink/LinkError``: `unsupported` for a machine that a channel cannot carry; if another companion runs, or a port
    ///   or the control socket is not available.
    package init(
        _ settings: Settings, link: any UAVLink, runtime: RuntimeDirectory, manager: ServiceManager? = nil,
        hangs: (@Sendable () -> Void)? = nil, clock: any MonotonicClock = SystemMonotonicClock(),
        log: CompanionLog = CompanionLog()
    ) async throws(LinkError) {
        if let refusal = Self.refusal(of: settings.machine) { throw refusal }
        var configuration = Companion.Configuration(vehicle: settings.vehicle)
        if let lease = settings.lease { configuration.lease = lease }
        configuration.commandTimeout = Self.commandTimeout
        configuration.firstConnectTimeout = configuration.connectTimeout
        service = try await CompanionService(
            configuration,
            channel: ChannelServer.Configuration(
                vehicle: settings.vehicle, bindAddress: settings.bindAddress, udpPort: settings.udpPort,
                tcpPort: settings.tcpPort),
            backend: link, runtime: runtime, hostLock: settings.hostLock, manager: manager, hangs: hangs, clock: clock,
            log: log)
    }

    /// Runs until the task is cancelled or a stop is requested; returns why it ended. What flies is braked then, and left to its own
    /// failsafe.
    package func run() async -> CompanionService.Ending { await service.run() }

    /// A Tello may answer a landing only when it has ended, after 20 s.
    private static let commandTimeout: Duration = .seconds(30)

    /// Why a machine cannot be carried; `nil` for one that can.
    package static func refusal(of machine: MachineAddress) -> LinkError? {
        switch machine.kind {
        case .ardrone, .tello: nil
        case .bluno:
            LinkError(
                .unsupported, "\(machine.text) cannot be bridged: text and tasks do not go over the channel",
                hint: "log in to its computer over SSH, and run uavlink there")
        }
    }
}
