@testable import LatencyLabMode
import FlightControl
import LatencyMeasurement
import LatencyOutput
import ModeKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// A measurement in rounds, and conditions as a recorded link had them.
@MainActor @Suite struct LatencyRoundsTests {
    @Test func `rounds are typed where the length is, change with the keys, and seconds take their place again`() throws
    {
        let bench = LatencyLabBench()
        bench.go(to: "20 s")
        bench.send(.take, .answer("0 rounds"))
        #expect(bench.state.prompt?.note.contains("rounds from 1 to") == true)
        bench.send(.answer("2.5 rounds"))
        #expect(bench.state.prompt?.note.contains("rounds from 1 to") == true)
        bench.send(.answer("30 rounds"))
        #expect(bench.state.prompt == nil && bench.state.setup.lines.contains { $0.title == "30 rounds" })
        bench.send(.change(-1))
        #expect(bench.state.setup.lines.contains { $0.title == "20 rounds" })
        bench.send(.take)
        #expect(bench.state.prompt?.text == "20 rounds")
        bench.send(.answer("1 round"))
        #expect(bench.state.setup.lines.contains { $0.title == "1 round" })
        bench.send(.take, .answer("60"))
        #expect(bench.state.setup.lines.contains { $0.title.hasPrefix("1 min") || $0.title == "60 s" })
        bench.instance.detach()
    }

    @Test func `the plan has the rounds and no other end, the command line too`() {
        var choices = LatencyChoices()
        let profile = VehicleProfile(name: "local")
        #expect(choices.plan(for: profile).duration == .seconds(20) && choices.plan(for: profile).rounds == nil)
        let before = choices.plannedSeconds(for: profile)
        #expect(before == 22)
        choices.rounds = 30
        let plan = choices.plan(for: profile)
        #expect(plan.rounds == 30 && plan.duration == nil)
        #expect(plan.commandLine.contains("--rounds 30") && !plan.commandLine.contains("--for"))
        // Two links that steer for two seconds in each of thirty turns, and more.
        #expect(choices.plannedSeconds(for: profile) > 120 && choices.plannedSeconds(for: profile) < 600)
    }

    /// The settings of a measurement's report.
    private func facts(keys: [Duration]) async -> [LatencyReport.Fact] {
        let bench = LatencyLabBench()
        bench.vehicle(.disarmed)
        bench.fleet.keyDelays.add(keys)
        bench.send(.start)
        #expect(await becomesTrue { bench.measuring.plans.count == 1 })
        bench.measuring.end(.success(LatencyLabTests.report))
        #expect(await becomesTrue { bench.state.phase == .reading })
        bench.instance.detach()
        return bench.desk.shown?.result.report.settings ?? []
    }

    @Test func `what keys took to their setpoints stands with the settings, where the user has steered by them`() async
    {
        #expect(await facts(keys: []) == LatencyLabTests.report.settings)
        let keys = await facts(keys: [.microseconds(4250), .microseconds(6040), .milliseconds(9)])
            .first { $0.name == "key to setpoint" }
        #expect(keys?.value.hasPrefix("median 6.0 ms, at most 9.0 ms, of the newest 3 keys") == true)
    }

    @Test func `a trace is read where it is typed, and why it cannot be is said in place`() {
        let bench = LatencyLabBench()
        bench.send(.typeCondition, .answer("trace=/no/such/file"))
        #expect(bench.state.prompt?.note.contains("trace: /no/such/file: ") == true)
        // No trace, though a file.
        bench.send(.answer("trace=/proc/self/status"))
        #expect(bench.state.prompt?.kind == .condition)
        bench.send(.answer("rate=2mbit,up:load=1"))
        #expect(bench.state.prompt == nil)
        #expect(
            bench.state.setup.lines.contains {
                $0.title == "up:rate=2mbit,up:load=1,down:rate=2mbit" && $0.isChosen == true
            })
        bench.instance.detach()
    }
}
