import SafetySimulation
import Testing

/// Faults at random instants, thousands of times faster than they come; `scripts/simulate --seeds N` runs more of them.
@Suite struct SafetySimulationTests {
    @Test func `no rule is broken, whatever breaks`() {
        var setpoints = 0
        var commands = 0
        for seed in 1...50 as ClosedRange<UInt64> {
            let outcome = World(seed: seed).run()
            #expect(outcome.finding == nil, "scripts/simulate --seed \(seed)")
            setpoints += outcome.setpoints
            commands += outcome.commands
        }
        // It has to fly to show anything.
        #expect(setpoints > 1000)
        #expect(commands > 200)
    }

    @Test(arguments: BrokenRule.allCases)
    func `a rule that is broken on purpose is found`(_ rule: BrokenRule) {
        let found = (1...500 as ClosedRange<UInt64>).first { World(seed: $0, broken: rule).run().finding != nil }
        #expect(found != nil)
    }
}
