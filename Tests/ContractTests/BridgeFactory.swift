import ARDrone
import ARDroneEmulator
import ChannelProtocol
import Companion
import CompanionControl
import IntegrationKit
import MachineBridge
import SocketTransport
import SystemIO
import Tello
import TelloEmulator
import UAVLink
import VehicleAccess

/// The emulated drones behind a companion, as by `uavlink bridge`, over the channel's UDP.
extension LinkFactory {
    static let arDroneOverUDP = LinkFactory(
        name: "ardrone over udp", vehicle: .arDrone,
        refusals: [Refusal(command: .land, words: "the AR.Drone stands on the ground")]
    ) {
        var emulated = ARDroneEmulator.Settings()
        (emulated.commandPort, emulated.navdataPort, emulated.controlPort) = (0, 0, 0)
        emulated.videoPort = 0
        emulated.drone.takeOffSeconds = 1.5
        let emulator = try ARDroneEmulator(emulated)
        var drone = ARDroneLink.Settings(host: "127.0.0.1", port: emulator.commandPort)
        (drone.navdataPort, drone.controlPort) = (emulator.navdataPort, emulator.controlPort)
        let bridge = try await RunningBridge(
            to: "ardrone://127.0.0.1:\(emulator.commandPort)", vehicle: "ardrone", link: ARDroneLink(drone))
        return LinkRig(
            link: try bridge.ground(), silenceVehicle: { emulator.mute() },
            commandsReceived: { emulator.drone.pilotCommands }, hasCamera: false,
            tearDown: {
                await bridge.end()
                await emulator.end()
            })
    }

    /// Plans are flown by the program that has the drone, not over the channel.
    private static var bridgedTello: VehicleCapabilities {
        var tello = VehicleCapabilities.tello
        tello.fliesPlans = false
        return tello
    }

    static let telloOverUDP = LinkFactory(
        name: "tello over udp", vehicle: bridgedTello, refusals: [Refusal(command: .land, words: "error Motor stop")]
    ) {
        var emulated = TelloEmulator.Settings()
        emulated.port = 0
        emulated.statePort = try DatagramSocket(bound: .init(.loopback, port: 0)).port
        emulated.tello.takeOffSeconds = 1.5
        let emulator = try TelloEmulator(emulated)
        var drone = TelloLink.Settings(host: "127.0.0.1", port: emulator.port)
        drone.statePort = emulated.statePort
        let bridge = try await RunningBridge(
            to: "tello://127.0.0.1:\(emulator.port)", vehicle: "tello", link: TelloLink(drone))
        return LinkRig(
            link: try bridge.ground(), silenceVehicle: { emulator.mute() },
            commandsReceived: { emulator.tello.commands.count }, hasCamera: false,
            tearDown: {
                await bridge.end()
                await emulator.end()
            })
    }
}

/// A companion in front of a machine, in this process.
private struct RunningBridge {
    private let folder: TemporaryFolder
    private let control: ControlClient
    private let work: Task<CompanionService.Ending, Never>

    init(to address: String, vehicle: String, link: any UAVLink) async throws {
        folder = try TemporaryFolder()
        let runtime = try RuntimeDirectory(folder.path, environment: [:])
        guard let machine = MachineAddress(address) else {
            throw LinkError(.internalFault, "'\(address)' is no address of a machine")
        }
        var settings = MachineBridge.Settings(to: machine, vehicle: vehicle)
        settings.bindAddress = "127.0.0.1"
        let bridge = try await MachineBridge(settings, link: link, runtime: runtime, log: CompanionLog { _ in })
        work = Task { await bridge.run() }
        control = ControlClient(path: runtime.controlSocketPath(vehicle: vehicle))
    }

    /// A link to it over the channel.
    func ground() throws -> SocketLink {
        try SocketLink(host: "127.0.0.1", carrier: .udp) { [control] _ throws(LinkError) in
            guard let line = try control.ask(.ticket) else {
                throw LinkError(.companionUnavailable, "the bridge has ended")
            }
            return try ChannelTicket(line: line)
        }
    }

    func end() async {
        work.cancel()
        _ = await work.value
        withExtendedLifetime(folder) {}
    }
}
