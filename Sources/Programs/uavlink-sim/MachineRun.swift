import CommandLineKit
import ProgramKit
import ReportKit
import Synchronization
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What the emulated machines without ROS have in common: they run until a signal ends them, and may print where they truly are.
enum MachineRun {
    static let track = Argument.flag(
        "track",
        help: "with --machine ardrone, tello, bluno: print where it truly is ten times a second, a line of JSON each")

    private static let trackPeriod: Duration = .milliseconds(100)

    /// Where a machine truly is: metres and radians. x and y of an AR.Drone are east and north of where it was switched on, of a
    /// Tello forward and left, of a robot those of its room; the heading is counter-clockwise from x.
    struct Place: Sendable {
        var x: Double
        var y: Double
        var z: Double
        var heading: Double
        /// What it does, in a word.
        var state: String

        func line(after elapsed: Duration) -> String {
            let value: JSONValue = [
                "seconds": .number(elapsed.inSeconds), "x": .number(x), "y": .number(y), "z": .number(z),
                "heading": .number(heading), "state": .string(state),
            ]
            return value.text + "\n"
        }
    }

    /// Runs until a signal ends it.
    ///
    /// - Parameters:
    ///   - prints: whether to print where the machine is.
    ///   - place: where it is.
    /// - Returns: the exit code, as that of the hexacopter.
    static func untilSignal(prints: Bool, _ place: @escaping @Sendable () -> Place) async -> Int32 {
        let (ending, end) = AsyncStream<Void>.makeStream()
        let signal = Atomic<Int32>(SIGINT)
        let signals = InterruptWatch { number in
            signal.store(number, ordering: .relaxed)
            end.finish()
        }
        let printer = Task.detached {
            let clock = SystemMonotonicClock()
            let start = clock.now
            while prints, !Task.isCancelled {
                StandardStream.output.write(place().line(after: clock.now - start))
                try? await clock.sleep(until: clock.now + trackPeriod)
            }
        }
        for await _ in ending {}
        // Not waited for: it may wait for a reader of its lines.
        printer.cancel()
        withExtendedLifetime(signals) {}
        let number = signal.load(ordering: .relaxed)
        return number == SIGINT ? 0 : InterruptWatch.exitCode(ofSignal: number)
    }
}
