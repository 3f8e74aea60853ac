import CommandLineKit
import Companion
import CompanionControl
import Simulation
import SocketTransport
import SystemKit
import UAVLink
import VehicleAccess

/// `uavlink sim`
enum SimCommand: Subcommand {
    static let seed = Argument.option(
        "seed", .integer(in: 0 ... .max), default: 1, defaultText: "1", help: "seed of the vehicle's randomness")

    static let spec = CommandSpec(
        "sim", summary: "the simulated hexacopter, with no ROS needed",
        discussion: """
            It runs until Ctrl-C (exit code 130) or SIGTERM (143). Other terminals of the same user on this machine reach it without an
            address, over the same channel as a real vehicle, with encryption and lease.
            """,
        arguments: [seed], leftOut: VehicleOptions.ofConnection,
        examples: [
            .init("uavlink sim", "in one terminal"),
            .init("uavlink --vehicle sim takeoff --arm --wait", "in another"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let vehicle = session.connector.profile.vehicle
        let console = session.console
        let runtime = try RuntimeDirectory(environment: HostProcess.environment)
        let service = try await CompanionService(
            Companion.Configuration(vehicle: vehicle),
            channel: ChannelServer.Configuration(vehicle: vehicle, bindAddress: "127.0.0.1"),
            backend: try SimulatedLink(vehicle: vehicle, seed: UInt64(try arguments[seed])), runtime: runtime,
            log: CompanionLog { console.progress($0) })
        console.progress("a simulated hexacopter \(vehicle) is ready; Ctrl-C ends it")
        // A configured vehicle would be armed by the command without a name.
        let named = vehicle == VehicleProfile.simulated.vehicle ? "" : " --uav \(vehicle)"
        console.progress("in another terminal: uavlink --vehicle sim\(named) takeoff --arm --wait")
        _ = await service.run()
        // The companion may also end by itself: another program asked it to.
        return Task.isCancelled ? .interrupted : .done
    }
}
