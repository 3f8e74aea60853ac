import IntegrationKit
import ChannelProtocol
import SocketTransport
import UAVLink

/// What measuring costs: commands and setpoints while both ends note the times of everything, beside the same without.
enum TracingBenchmark {
    /// How long after a change of mind nothing is measured: the companion has heard of it, and what it noted has come.
    private static let settling: Duration = .milliseconds(300)

    static func run(_ setting: Setting) async throws -> [Section] {
        let commands: Section = try await withCrew { crew in try await Self.commands(setting, crew) }
        let setpoints: Section = try await withCrew { crew in
            try await Self.setpoints(setting, try await SteeredVehicle(setting, crew, countsAllocations: false))
        }
        return [commands, setpoints]
    }

    /// Two links to one companion, one of them traced, and a command over one and the other by turns.
    private static func commands(_ setting: Setting, _ crew: Crew) async throws -> Section {
        let vehicle = try await VehicleUnderTest(setting, crew)
        try await vehicle.takeOff()
        let traced = try await crew.link(.udp, to: try await vehicle.ticket())
        let other = try await crew.link(.udp, to: try await vehicle.ticket())
        traced.startTracing()
        let period = Duration.milliseconds(10)
        let count = setting.amount(3000, quick: 600)
        var (noted, plain): ([Int64], [Int64]) = ([], [])
        _ = try await call(traced, 50, every: period)
        _ = try await call(other, 50, every: period)
        for number in 0..<count {
            // By turns who goes first.
            let tracedGoesFirst = number % 2 == 0
            let first = try await call(tracedGoesFirst ? traced : other, 1, every: period)
            let second = try await call(tracedGoesFirst ? other : traced, 1, every: period)
            noted += tracedGoesFirst ? first : second
            plain += tracedGoesFirst ? second : first
            if number % 500 == 0 { _ = traced.takeTrace() }
        }
        var section = section("tracing_commands", "What measuring costs a command over UDP", noted, plain)
        section.notes = [
            "hover, some 80 a second, over one link and the other by turns; the laboratory's pace is 20 a second"
        ]
        section.figures = [figure(Latencies(nanoseconds: noted).median / Latencies(nanoseconds: plain).median)]
        return section
    }

    private static func setpoints(_ setting: Setting, _ vehicle: SteeredVehicle) async throws -> Section {
        let period = Duration.milliseconds(4)
        _ = try await vehicle.steer(1000, every: period, beside: nil)
        let (count, pairs) = (250, setting.amount(40, quick: 6))
        var (noted, plain): ([Int64], [Int64]) = ([], [])
        var ratios: [Double] = []
        for pair in 0..<pairs {
            var medians: [Bool: Double] = [:]
            for isNoted in pair % 2 == 0 ? [true, false] : [false, true] {
                vehicle.trace(isNoted)
                try await Task.sleep(for: settling)
                let (flight, _) = try await vehicle.steer(count, every: period, beside: nil)
                medians[isNoted] = Latencies(nanoseconds: flight.latencies).median
                if isNoted { noted += flight.latencies } else { plain += flight.latencies }
            }
            if let noted = medians[true], let plain = medians[false], plain > 0 { ratios.append(noted / plain) }
        }
        var section = section(
            "tracing_setpoints", "What measuring costs a setpoint over UDP, from `steer` to the subscriber's socket",
            noted,
            plain)
        section.notes = [
            "250 setpoints a second, \(pairs) pairs of a second with and a second without; the figure is the median of the pairs",
            "the laboratory's pace is 100 a second",
        ]
        section.figures = [figure(ratios.sorted()[ratios.count / 2], isMeaningful: !setting.isQuick)]
        return section
    }

    private static func section(_ key: String, _ title: String, _ noted: [Int64], _ plain: [Int64]) -> Section {
        var section = Section(key: key, title: title)
        section.add("noted", "both ends note times", Latencies(nanoseconds: noted))
        section.add("plain", "no tracing", Latencies(nanoseconds: plain))
        return section
    }

    private static func figure(_ ratio: Double, isMeaningful: Bool = true) -> Figure {
        Figure(
            name: "longer by (medians)", value: (ratio - 1) * 100, unit: "%", limit: .atMost(2),
            isMeaningful: isMeaningful)
    }

    private static func call(_ link: SocketLink, _ count: Int, every period: Duration) async throws -> [Int64] {
        try await link.onLinkThread {
            try await Task.sleep(for: period)
            return try await Pace.run(count, every: period) {
                let reply = try await link.perform(.hover, within: .seconds(5))
                guard reply.accepted else { throw ProcessFailure("hover was refused: \(reply.message)") }
            }
        }
    }
}
