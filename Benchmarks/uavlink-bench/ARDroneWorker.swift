import ARDrone
import BenchmarkKit
import Foundation
import Glibc
import Threads
import UAVLink

/// A ground of an AR.Drone in a process of its own: its link, and a thread that steers.
///
/// Its arguments are the ports of commands, of navigation data and of the configuration. It takes off, and says `ready` when the
/// drone flies and its whole stream of navigation data comes. Then it takes lines `steer SECONDS`, and answers each with
/// `steered CPU NAVDATA REFUSED`: the processor time of the whole process in nanoseconds of a second, packets of navigation data a
/// second (the mean of looks at the link's own count, once a second), and setpoints that the link refused. It ends with its
/// standard input.
enum ARDroneWorker {
    static func run(_ arguments: [String]) async throws {
        let ports = arguments.compactMap { UInt16($0) }
        guard ports.count == 3 else { throw LinkError(.invalidInput, "three ports are needed") }
        var settings = ARDroneLink.Settings(host: "127.0.0.1", port: ports[0])
        (settings.navdataPort, settings.controlPort) = (ports[1], ports[2])
        let link = ARDroneLink(settings)
        try await link.connect(within: .seconds(10))
        let reply = try await link.perform(.takeoff, within: .seconds(20))
        guard reply.accepted else { throw LinkError(.internalFault, "the take-off was refused: \(reply.message)") }
        // Once the configuration was read back nothing but flying is left to do.
        try await wait("the drone does not fly, or sends no whole navigation data") {
            link.latestTelemetry?.flight?.value.state == .flying
                && link.configuration["general:navdata_demo"]?.uppercased() == "FALSE"
                && (link.quality.telemetryRateHertz ?? 0) > 100
        }
        say("ready")
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count == 2, words[0] == "steer", let seconds = Int(words[1]), (1...600).contains(seconds) else {
                throw LinkError(.invalidInput, "cannot read '\(line)'")
            }
            guard let answer = await DedicatedThread.run({ steer(link, seconds: seconds) }) else {
                throw LinkError(.internalFault, "no thread to steer on")
            }
            say(answer)
        }
        await link.close()
    }

    private static let setpointsPerSecond = 50

    /// Gently forth and back, one second each.
    private static func steer(_ link: ARDroneLink, seconds: Int) -> String {
        let (clock, pace) = (SystemMonotonicClock(), ThreadClock())
        var (refused, rates) = (0, [Double]())
        func send(_ speed: Double) {
            do throws(LinkError) {
                try link.steer(
                    VelocitySetpoint(
                        velocityMetresPerSecond: Vector3(x: speed, y: 0, z: 0), frame: .body, intendedAt: clock.now))
            } catch { refused += 1 }
        }
        send(0)
        let (began, start) = (processorNanoseconds, pace.now)
        for index in 1...(seconds * setpointsPerSecond) {
            pace.block(until: start + Int64(index) * 1_000_000_000 / Int64(setpointsPerSecond))
            send(index / setpointsPerSecond % 2 == 0 ? 0.2 : -0.2)
            if index % setpointsPerSecond == 0, let hertz = link.quality.telemetryRateHertz { rates.append(hertz) }
        }
        let share = Double(processorNanoseconds - began) / (Double(pace.now - start) / 1e9)
        send(0)
        let navdata = rates.isEmpty ? 0 : rates.reduce(0, +) / Double(rates.count)
        return "steered \(Int64(share)) \(navdata) \(refused)"
    }

    /// What this process has taken of all processors.
    private static var processorNanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func wait(_ complaint: String, _ condition: () -> Bool) async throws {
        for _ in 0..<600 {
            if condition() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw LinkError(.timedOut, complaint)
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
