import IntegrationKit
import SocketTransport
import UAVLink

/// What measuring costs: commands and setpoints while both ends note the times of everything, beside the same without.
struct TracingBenchmark: Sendable {
    /// How long after a change of mind nothing is measured: the companion has heard of it, and what it noted has come.
    private static let settling: Duration = .milliseconds(300)

    static func run(_ setting: Setting) async throws -> [Section] {
        let commands: Section = try await withCrew { crew in try await Self.commands(setting, crew) }
        let setpoints: Section = try await withCrew { crew in
            try await Self.setpoints(setting, try await SteeredVehicle(setting, crew, countsAllocations: false))
        }
        return [commands, setpoints]
    }

    private static func commands(_ setting: Setting, _ crew: Crew) async throws -> Section {
        let vehicle = try await VehicleUnderTest(setting, crew)
        try await vehicle.takeOff()
        let link = try await crew.link(.udp, to: try await vehicle.ticket())
        _ = try await call(link, 500)
        let (count, blocks) = (500, setting.amount(40, quick: 12))
        var (noted, plain): ([Int64], [Int64]) = ([], [])
        for block in 0..<blocks {
            // Twice each in a row, so that half of the changes are none.
            let isNoted = block / 2 % 2 == 0
            try await trace(link, isNoted)
            if isNoted { noted += try await call(link, count) } else { plain += try await call(link, count) }
        }
        return section(
            "tracing_commands", "What measuring costs a command over UDP", noted, plain,
            note:
                "hover, back to back, in \(blocks) blocks of \(count) by turns; at the laboratory's pace a command takes longer, "
                + "and what noting costs is the same")
    }

    private static func setpoints(_ setting: Setting, _ vehicle: SteeredVehicle) async throws -> Section {
        let period = SteeringBenchmark.period
        _ = try await vehicle.steer(1000, every: period, beside: nil)
        let (count, blocks) = (2000, setting.amount(24, quick: 8))
        var (noted, plain): ([Int64], [Int64]) = ([], [])
        for block in 0..<blocks {
            let isNoted = block / 2 % 2 == 0
            vehicle.trace(isNoted)
            try await Task.sleep(for: settling)
            let (flight, _) = try await vehicle.steer(count, every: period, beside: nil)
            if isNoted { noted += flight.latencies } else { plain += flight.latencies }
        }
        return section(
            "tracing_setpoints", "What measuring costs a setpoint over UDP, from `steer` to the subscriber's socket",
            noted,
            plain, note: "1000 setpoints a second, in \(blocks) blocks of \(count) by turns")
    }

    private static func section(_ key: String, _ title: String, _ noted: [Int64], _ plain: [Int64], note: String)
        -> Section
    {
        let (noted, plain) = (Latencies(nanoseconds: noted), Latencies(nanoseconds: plain))
        var section = Section(key: key, title: title)
        section.notes.append(note)
        section.add("noted", "both ends note times", noted)
        section.add("plain", "nobody does", plain)
        section.figures.append(
            Figure(
                name: "longer by (medians)", value: (noted.median / plain.median - 1) * 100, unit: "%",
                limit: .atMost(2)))
        return section
    }

    private static func trace(_ link: SocketLink, _ isOn: Bool) async throws {
        if isOn { link.startTracing() } else { link.stopTracing() }
        try await Task.sleep(for: settling)
        _ = link.takeTrace()
    }

    private static func call(_ link: SocketLink, _ count: Int) async throws -> [Int64] {
        try await link.onOwnThread {
            try await Pace.run(count) {
                let reply = try await link.perform(.hover, within: .seconds(5))
                guard reply.accepted else { throw ProcessFailure("hover was refused: \(reply.message)") }
            }
        }
    }
}
