import BlunoEmulator
import CommandLineKit
import ProgramKit
import SystemIO
import UAVLink

/// `uavlink-sim --machine bluno`: an emulated robot on a pseudo terminal of this machine.
enum BlunoSimulation {
    static let watchdog = Argument.option(
        "watchdog", .duration(in: .zero ... .seconds(60)), default: .zero, defaultText: "0s",
        help: "with --machine bluno: it stops by itself when nothing was heard for so long; 0 for never, as many do")

    static let arguments: [any ArgumentDeclaration] = [watchdog]

    /// Runs until a signal ends it.
    ///
    /// - Returns: the exit code, as that of the hexacopter.
    static func run(_ arguments: ParsedCommand) async throws -> Int32 {
        try MachineFaults.refuse(arguments, of: "the robot of a Bluno")
        var settings = EmulatedRobot.Settings()
        settings.battery = try arguments[SimulatorProgram.battery]
        let seconds = try arguments[watchdog].inSeconds
        if seconds > 0 { settings.watchdogSeconds = seconds }
        let emulator: BlunoEmulator
        do throws(SocketError) { emulator = try BlunoEmulator(settings) } catch {
            throw UsageError(error.what, hint: error.hint)
        }
        StandardStream.error.write("uavlink-sim: a robot takes text; use it with --link bluno://\(emulator.path)\n")
        let code = await MachineRun.untilSignal(prints: try arguments[MachineRun.track]) {
            Self.place(of: emulator.robot)
        }
        await emulator.end()
        return code
    }

    private static func place(of robot: EmulatedRobot) -> MachineRun.Place {
        .init(
            x: robot.place.x, y: robot.place.y, z: 0, heading: robot.heading,
            state: robot.motors == .off ? "standing" : robot.behaviour?.rawValue ?? "driving")
    }
}
