import BlunoEmulator
import CommandLineKit
import ProgramKit
import Synchronization
import SystemIO
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
        var settings = EmulatedRobot.Settings()
        settings.battery = try arguments[SimulatorProgram.battery]
        let seconds = try arguments[watchdog].inSeconds
        if seconds > 0 { settings.watchdogSeconds = seconds }
        let emulator: BlunoEmulator
        do throws(SocketError) { emulator = try BlunoEmulator(settings) } catch {
            throw UsageError(error.what, hint: error.hint)
        }
        StandardStream.error.write("uavlink-sim: a robot takes text; use it with --link bluno://\(emulator.path)\n")
        let (ending, end) = AsyncStream<Void>.makeStream()
        let signal = Atomic<Int32>(SIGINT)
        let signals = InterruptWatch { number in
            signal.store(number, ordering: .relaxed)
            end.finish()
        }
        for await _ in ending {}
        await emulator.end()
        withExtendedLifetime(signals) {}
        let number = signal.load(ordering: .relaxed)
        return number == SIGINT ? 0 : InterruptWatch.exitCode(ofSignal: number)
    }
}
