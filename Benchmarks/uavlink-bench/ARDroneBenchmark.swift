import ARDrone
import ARDroneEmulator
import BenchmarkKit
import Foundation
import IntegrationKit
import Statistics
import Threads

/// The link to an AR.Drone: how evenly its control loop sends while all navigation data comes, what that takes, and how fast a
/// packet is decoded.
enum ARDroneBenchmark {
    static func run(_ setting: Setting) async throws -> [Section] {
        [try await controlLoop(setting), try await decoding(setting)]
    }

    // MARK: The control loop

    /// What one run of steering has shown.
    private struct Flight {
        var departures: Departures
        var processor: Double
        var navdata: Double
        var refused: Int
    }

    /// Of the link's control loop: `ARDroneTimes.loop`.
    private static let period = ARDroneTimes.loop

    private static func controlLoop(_ setting: Setting) async throws -> Section {
        var section = Section(
            key: "ardrone_loop", title: "An AR.Drone's control loop while all its navigation data comes")
        // A run is as long as the p99 of its intervals takes.
        let seconds = 11
        var flights: [Flight] = []
        for _ in 0..<setting.runs { flights.append(try await withCrew { try await fly(setting, $0, seconds) }) }
        let jitters = flights.map { $0.departures.jitter(of: period) }
        func milliseconds(_ percentile: Percentile) -> Estimate {
            Estimate(byRun: jitters.map { Double($0.value(at: percentile) ?? .max) / 1e6 })
        }
        let navdata = Estimate(byRun: flights.map(\.navdata))
        section.notes = [
            "\(flights.count) runs of \(seconds) s, each with a ground and `uavlink-sim --machine ardrone` of its own, in two "
                + "processes; setpoints 50 times a second, the loop's period is \(Figure.short(period.milliseconds)) ms",
            "departures are the kernel's stamps of the datagrams with PCMD (SO_TIMESTAMPNS, a relay in a third process); "
                + "jitter is how far an interval is from the period",
            "jitter: median \(Figure.short(milliseconds(.p50).value)) ms, p90 \(Figure.short(milliseconds(.p90).value)) ms, "
                + "greatest \(Figure.short(jitters.compactMap(\.maximum).max().map { Double($0) / 1e6 } ?? .nan)) ms",
            "\(flights.reduce(0) { $0 + $1.refused }) setpoints refused by the link",
        ]
        let isLongEnough = jitters.allSatisfy { $0.count >= Percentile.p99.minimumCount }
        section.figures = [
            Figure(
                name: "navigation data, all options: packets a second", estimate: navdata, unit: "",
                limit: .atLeast(190)),
            Figure(
                name: "setpoints that leave a second", estimate: Estimate(byRun: flights.map(\.departures.hertz)),
                unit: "", limit: .atLeast(30)),
            Figure(
                name: "jitter of their departures: p99", estimate: milliseconds(.p99), unit: "ms", limit: .atMost(5),
                isMeaningful: isLongEnough),
            Figure(
                name: "of one core, the ground's whole process", estimate: Estimate(byRun: flights.map(\.processor)),
                unit: "%", limit: .atMost(3)),
        ]
        return section
    }

    private static func fly(_ setting: Setting, _ crew: Crew, _ seconds: Int) async throws -> Flight {
        let folder = try TemporaryFolder()
        let port = try await drone(setting, crew)
        let tap = try await crew.process(
            [setting.peers + "/datagram_tap", "\(port)", "PCMD"], environment: Setting.environment)
        let ready = try await tap.line(containing: "ready", within: .seconds(10))
        guard let commands = ready.split(separator: " ").last.flatMap({ UInt16($0) }) else {
            throw ProcessFailure("cannot read '\(ready)'")
        }
        let ground = try await crew.process(
            [setting.programs + "/uavlink-bench", "ardrone-worker", "\(commands)", "\(port - 2)", "\(port + 3)"],
            environment: Setting.environment)
        try await ground.line(containing: "ready", within: .seconds(60))
        // What it noted of the take-off is thrown away.
        tap.send(line: folder.path + "/before")
        try await tap.line(containing: "wrote")
        ground.send(line: "steer \(seconds)")
        let answer = try await ground.line(containing: "steered", within: .seconds(60))
        tap.send(line: folder.path + "/departures")
        try await tap.line(containing: "wrote", skipping: 1)
        let numbers = answer.split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 3 else { throw ProcessFailure("cannot read '\(answer)'") }
        let times = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/departures")).withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self).littleEndian }
        }
        return Flight(
            departures: Departures(at: times), processor: numbers[0] / 1e9 * 100, navdata: numbers[1],
            refused: Int(exactly: numbers[2]) ?? 0)
    }

    /// Starts an emulated drone on ports that are free; returns that of commands.
    private static func drone(_ setting: Setting, _ crew: Crew) async throws -> UInt16 {
        var errors = ""
        for _ in 0..<5 {
            // Its ports are some from two below to three above.
            let port = UInt16.random(in: 2600..<4000) * 8
            let drone = try await crew.process(
                [setting.programs + "/uavlink-sim", "--machine", "ardrone", "--at-port", "\(port)"],
                environment: Setting.environment)
            let isThere = await eventually(within: .seconds(20)) {
                drone.exitStatus != nil || drone.errors.contains("takes commands on")
            }
            if isThere, drone.exitStatus == nil { return port }
            errors = drone.errors
        }
        throw ProcessFailure("no emulated AR.Drone: \(errors)")
    }

    // MARK: Decoding

    private static func decoding(_ setting: Setting) async throws -> Section {
        var section = Section(key: "ardrone_navdata", title: "Navigation data of an AR.Drone decoded")
        let packets = try wholePackets(64)
        let count = setting.amount(100_000, quick: 50_000)
        var rates: [Double] = []
        for _ in 0..<setting.runs {
            guard let took = await DedicatedThread.run({ nanoseconds(of: count, packets) }) ?? nil else {
                throw ProcessFailure("a packet is not decoded, or no thread to measure on")
            }
            rates.append(Double(count) * 1e9 / Double(took))
        }
        section.notes = [
            "packets of \(packets[0].count) bytes with all options, of a drone with a GPS receiver; the checksum is verified; "
                + "\(rates.count) runs of \(count), each on a thread of its own"
        ]
        section.figures = [
            Figure(name: "packets a second", estimate: Estimate(byRun: rates), unit: "", limit: .atLeast(100_000))
        ]
        return section
    }

    /// How long that many packets take; `nil` if one of them is not read whole.
    private static func nanoseconds(of count: Int, _ packets: [[UInt8]]) -> Int64? {
        let start = Pace.now
        for index in 0..<count {
            // As the link reads them: the beginning of a larger buffer.
            let bytes = packets[index % packets.count]
            guard let navdata = try? Navdata(bytes.prefix(bytes.count)), navdata.demo != nil, navdata.gps != nil else {
                return nil
            }
        }
        return Pace.now - start
    }

    /// Packets of an emulated drone, as they come after the log-in of the link.
    private static func wholePackets(_ count: Int) throws -> [[UInt8]] {
        var now = 1000.0
        var drone = EmulatedARDrone(.init(), now: now)
        drone.receiveRequest()
        drone.receive(Array("AT*CONFIG=1,\"general:navdata_options\",\"777060865\"\r".utf8))
        drone.receive(Array("AT*CONFIG=2,\"general:navdata_demo\",\"FALSE\"\r".utf8))
        var packets: [[UInt8]] = []
        // 10 s of the drone are more than enough.
        for _ in 0..<2000 where packets.count < count {
            now += 0.005
            drone.receive(Array("AT*COMWDG=\(packets.count + 3)\r".utf8))
            drone.advance(to: now)
            if let packet = drone.takePacket(), (try? Navdata(packet))?.gps != nil { packets.append(packet) }
        }
        guard packets.count == count else { throw ProcessFailure("the emulated drone sends no whole packets") }
        return packets
    }
}
