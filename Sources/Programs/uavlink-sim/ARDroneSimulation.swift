import ARDroneEmulator
import CommandLineKit
import ProgramKit
import SystemIO
import UAVLink

/// `uavlink-sim --machine ardrone`: an emulated AR.Drone 2 on ports of this machine.
enum ARDroneSimulation {
    static let port = Argument.option(
        "at-port", ValueKind<Int>.integer(in: 3...65_532), default: 5556, defaultText: "5556",
        help:
            "with --machine ardrone: the UDP port of commands; navigation data is two below, its video one below, "
            + "its configuration three above"
    )

    static let arguments: [any ArgumentDeclaration] = [port]

    /// What can be wrong with it.
    enum Fault: String, CaseIterable {
        case noGPS = "no-gps"
        case noCompass = "no-compass"
        case noTakeOff = "no-takeoff"
        case noConfiguration = "no-config"
        case forgetsConfiguration = "forgets-config"
        case wrongChecksum = "wrong-checksum"
        case unknownOptions = "unknown-options"
        case deaf = "deaf-ultrasound"
        case hoversWhenLost = "hovers-when-lost"

        func apply(to drone: inout EmulatedARDrone.Settings) {
            switch self {
            case .noGPS: drone.hasGPS = false
            case .noCompass: drone.hasCompass = false
            case .noTakeOff: drone.ignoresTakeOff = true
            case .noConfiguration: drone.dropsConfiguration = true
            case .forgetsConfiguration: drone.forgetsConfiguration = true
            case .wrongChecksum: drone.hasWrongChecksum = true
            case .unknownOptions: drone.hasUnknownOptions = true
            case .deaf: drone.isDeaf = true
            case .hoversWhenLost: drone.landsWhenLost = false
            }
        }
    }

    /// Runs until a signal ends it.
    ///
    /// - Returns: the exit code, as that of the hexacopter.
    static func run(_ arguments: ParsedCommand) async throws -> Int32 {
        var settings = ARDroneEmulator.Settings()
        let text = try arguments[TelloSimulation.address]
        guard let bound = IPv4Address(text) else {
            throw UsageError("'\(text)' is no IPv4 address", hint: "use one of this machine, or 0.0.0.0 for all")
        }
        settings.address = bound
        let number = try arguments[port]
        settings.commandPort = UInt16(clamping: number)
        settings.navdataPort = UInt16(clamping: number - 2)
        settings.videoPort = UInt16(clamping: number - 1)
        settings.controlPort = UInt16(clamping: number + 3)
        settings.drone.battery = try arguments[SimulatorProgram.battery]
        for fault in try MachineFaults.read(arguments, of: "an AR.Drone", as: Fault.self) {
            fault.apply(to: &settings.drone)
        }
        let emulator: ARDroneEmulator
        do throws(SocketError) { emulator = try ARDroneEmulator(settings) } catch {
            throw UsageError(error.what, hint: error.hint)
        }
        StandardStream.error.write("uavlink-sim: an AR.Drone 2 takes commands on \(text):\(emulator.commandPort)\n")
        let code = await MachineRun.untilSignal(prints: try arguments[MachineRun.track]) {
            Self.place(of: emulator.drone)
        }
        await emulator.end()
        return code
    }

    /// In the axes of a map: x east, y north, and a heading that is counted from east.
    private static func place(of drone: EmulatedARDrone) -> MachineRun.Place {
        let state =
            switch drone.activity {
            case .landed: "landed"
            case .takingOff: "taking off"
            case .flying: drone.sticks == nil ? "hovering" : "flying"
            case .landing: "landing"
            case .cut: "cut"
            }
        return .init(
            x: drone.place.east, y: drone.place.north, z: drone.height,
            heading: Heading.wrapped(.pi / 2 - drone.heading), state: state)
    }
}
