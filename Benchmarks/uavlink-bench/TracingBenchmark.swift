import BenchmarkKit
import ChannelProtocol
import IntegrationKit
import SocketTransport
import Statistics
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
        let period = Duration.milliseconds(10)
        let count = setting.amount(300, quick: 200)
        var (noted, plain): ([Timings], [Timings]) = ([], [])
        for _ in 0..<setting.runs {
            var (ofNoted, ofPlain) = (Timings(), Timings())
            try await withCrew { crew in
                let traced = try await crew.link(.udp, to: try await vehicle.ticket())
                let other = try await crew.link(.udp, to: try await vehicle.ticket())
                traced.startTracing()
                _ = try await call(traced, 50, every: period)
                _ = try await call(other, 50, every: period)
                for number in 0..<count {
                    // By turns who goes first.
                    let tracedGoesFirst = number % 2 == 0
                    let first = try await call(tracedGoesFirst ? traced : other, 1, every: period)
                    let second = try await call(tracedGoesFirst ? other : traced, 1, every: period)
                    ofNoted += tracedGoesFirst ? first : second
                    ofPlain += tracedGoesFirst ? second : first
                }
                _ = traced.takeTrace()
            }
            noted.append(ofNoted)
            plain.append(ofPlain)
        }
        var section = section("tracing_commands", "What measuring costs a command over UDP", noted, plain)
        section.notes = [
            "\(noted.count) runs with links of their own; hover, some 80 a second, over one link and the other by turns",
            "the laboratory's pace is 50 a second",
        ]
        section.figures = [figure(section)]
        return section
    }

    private static func setpoints(_ setting: Setting, _ vehicle: SteeredVehicle) async throws -> Section {
        let period = Duration.milliseconds(4)
        _ = try await vehicle.steer(1000, every: period, beside: nil)
        let (count, pairs) = (250, setting.amount(40, quick: 6))
        var (noted, plain): ([Timings], [Timings]) = ([], [])
        for pair in 0..<pairs {
            for isNoted in pair % 2 == 0 ? [true, false] : [false, true] {
                vehicle.trace(isNoted)
                try await Task.sleep(for: settling)
                let (flight, _) = try await vehicle.steer(count, every: period, beside: nil)
                if isNoted { noted.append(flight.timings) } else { plain.append(flight.timings) }
            }
        }
        var section = section(
            "tracing_setpoints",
            "What measuring costs a setpoint over UDP, from the intended instant to the subscriber's socket", noted,
            plain)
        section.notes = [
            "250 setpoints a second; a run is a second with and a second without, by turns which comes first, all \(pairs) "
                + "over one link: it is switched, and nothing else differs",
            "the laboratory's pace is 100 a second",
        ]
        section.figures = [figure(section, isMeaningful: !setting.isQuick)]
        return section
    }

    private static func section(_ key: String, _ title: String, _ noted: [Timings], _ plain: [Timings]) -> Section {
        var section = Section(key: key, title: title)
        section.rows = [
            .init("noted", "both ends note times", RunSeries(noted)), .init("plain", "no tracing", RunSeries(plain)),
        ]
        return section
    }

    private static func figure(_ section: Section, isMeaningful: Bool = true) -> Figure {
        let (noted, plain) = (section.series("noted"), section.series("plain"))
        func longer(_ origin: RunSeries.Origin) -> Estimate {
            noted.compared(with: plain, at: .p50, from: origin) { ($0 / $1 - 1) * 100 }
        }
        return Figure(
            name: "longer by (medians)", estimate: longer(.intended), fromCall: longer(.call), unit: "%",
            limit: .atMost(1), isMeaningful: isMeaningful)
    }

    private static func call(_ link: SocketLink, _ count: Int, every period: Duration) async throws -> Timings {
        try await link.onLinkThread {
            try await Task.sleep(for: period)
            return try await Pace.run(count, every: period, on: LinkThreadClock()) {
                let reply = try await link.perform(.hover, within: .seconds(5))
                guard reply.accepted else { throw ProcessFailure("hover was refused: \(reply.message)") }
            }
        }
    }
}
