import BenchmarkKit
import Foundation
import IntegrationKit
import ReportKit

/// The laboratory itself, `uavlink latency`: what it says of a delay that is known, and of what rosservice costs beside the link.
enum LaboratoryBenchmark {
    private static let delayMilliseconds = 10.0
    /// Without a condition there is no relay, and what the relay itself takes (0.1 ms of UDP, 0.4 ms of TCP) would count as delay:
    /// both runs pass through it, and differ by the delay alone.
    private static let conditions = ["delay=1us", "delay=10001us"]

    static func run(_ setting: Setting) async throws -> [Section] {
        try await withCrew { crew in
            let vehicle = try await VehicleUnderTest(setting, crew)
            try await vehicle.takeOff()
            let server = try await SSHServer()
            await crew.atEnd { await server.stop() }
            try await server.start()
            let configuration = try server.folder.write(
                StartBenchmark.configuration(setting, vehicle, server), to: "uavlink.yaml")
            var delays: [Laboratory] = []
            for run in 0..<setting.runs {
                delays.append(
                    try await Laboratory.measure(
                        vehicle,
                        ["--links", "tcp,udp"] + conditions.flatMap { ["--impair", $0] } + [
                            "--for", "8s", "--seed", "\(run + 1)", "--config", configuration,
                        ]))
            }
            let shells = try await Laboratory.measure(
                vehicle,
                ["--links", "ssh,ssh-shell", "--for", "\(setting.amount(30, quick: 8))s", "--config", configuration])
            return [knownDelay(delays), startUp(shells)]
        }
    }

    /// What 10 ms more each way come to: once for a setpoint, twice for a command.
    private static func knownDelay(_ reports: [Laboratory]) -> Section {
        var section = Section(
            key: "known_delay", title: "10 ms more in the relay, each way, as `uavlink latency` tells them")
        section.notes = [
            "\(reports.count) runs of `uavlink latency`, each through the relay at \(conditions[0]) and at \(conditions[1]): "
                + "the relay's own time is in both"
        ]
        for link in ["udp", "tcp"] {
            for (kind, ways) in [("steering", 1.0), ("command", 2.0)] {
                func medians(_ condition: Int) -> Estimate {
                    Estimate(byRun: reports.map { $0.value(condition, link, kind, "p50_ms") })
                }
                let (without, with) = (medians(0), medians(1))
                let reported = Estimate(byRun: zip(without.byRun, with.byRun).map { ($1 - $0) / ways })
                section.notes.append(
                    "\(link), \(kind): median \(Figure.short(without.value)) ms at \(conditions[0]), "
                        + "\(Figure.short(with.value)) ms at \(conditions[1]): "
                        + "\(reported.value.formatted(decimals: 3)) ms each way")
                section.figures.append(
                    Figure(
                        name: "\(link), \(kind): off by (median)",
                        estimate: Estimate(byRun: reported.byRun.map { abs($0 - delayMilliseconds) }), unit: "ms",
                        limit: .atMost(0.1)))
            }
        }
        return section
    }

    /// What of a call is the start of programs on the vehicle, and what is left.
    private static func startUp(_ report: Laboratory) -> Section {
        var section = Section(
            key: "start_up", title: "rosservice over SSH: its own start-up apart from the link's share, means, one run")
        for link in ["ssh", "ssh-shell"] {
            let (whole, start) = (
                report.value(0, link, "command", "mean_ms"), report.stage(0, link, "command", "start_up")
            )
            let ros = report.stage(0, link, "command", "ros")
            section.notes.append(
                "\(link): \(Figure.short(whole)) ms, of which \(Figure.short(start)) ms "
                    + "(\(Figure.short(100 * start / whole)) %) start-up, \(Figure.short(ros)) ms the call and its reply, "
                    + "\(Figure.short(whole - start - ros)) ms the link")
        }
        return section
    }
}

/// What a run of `uavlink latency --json` reported.
struct Laboratory {
    private let conditions: [[String: Any]]

    static func measure(_ vehicle: VehicleUnderTest, _ arguments: [String]) async throws -> Laboratory {
        let text = try await vehicle.uavlink(["latency", "--json"] + arguments, within: .seconds(240))
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return Laboratory(conditions: object?["conditions"] as? [[String: Any]] ?? [])
    }

    /// Not a number where there is none, which holds no promise.
    func value(_ condition: Int, _ link: String, _ kind: String, _ key: String) -> Double {
        series(condition, link, kind)?[key] as? Double ?? .nan
    }

    func stage(_ condition: Int, _ link: String, _ kind: String, _ stage: String) -> Double {
        (series(condition, link, kind)?["stages_mean_ms"] as? [String: Double])?[stage] ?? .nan
    }

    private func series(_ condition: Int, _ link: String, _ kind: String) -> [String: Any]? {
        guard conditions.indices.contains(condition), let links = conditions[condition]["links"] as? [[String: Any]]
        else {
            return nil
        }
        return links.first { $0["link"] as? String == link }?[kind] as? [String: Any]
    }
}
