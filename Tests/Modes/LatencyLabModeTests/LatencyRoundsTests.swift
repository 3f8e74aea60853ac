@testable import LatencyLabMode
import LatencyMeasurement
import ModeKit
import Testing
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
