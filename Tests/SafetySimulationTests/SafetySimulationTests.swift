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
        #expect(setpoints > 4000)
        #expect(commands > 400)
    }

    /// What fault each of these found, docs/safety.md says.
    @Test(arguments: [15, 27, 2629, 7737, 8352, 7_000_000_139_892, 7_000_000_216_750, 7_000_000_309_921] as [UInt64])
    func `a seed that found something is clean`(_ seed: UInt64) {
        #expect(World(seed: seed).run().finding == nil)
    }

    @Test func `a world ends with its run`() {
        weak var last: World?
        for seed: UInt64 in 1...5 {
            let world = World(seed: seed)
            last = world
            _ = world.run()
        }
        // A million of them, each with its sessions' keys in pages of their own, would not fit.
        #expect(last == nil)
    }

    @Test func `a seed runs the same twice`() {
        let first = World(seed: 4, keepsTrace: true).run()
        let again = World(seed: 4, keepsTrace: true).run()
        #expect(first.trace == again.trace)
        #expect(first.trace.count > 100)
    }

    /// Seeds that show it; `scripts/simulate --broken RULE` looks for others.
    private static let seeds: [BrokenRule: (seed: UInt64, rule: String)] = [
        .leaseForgetsCommands: (1, "newer wins"),
        .anybodySteers: (1, "neutral first"),
        .setpointsLiveLonger: (153, "fresh"),
        .commandsRunTwice: (1, "once"),
        .silenceIsIgnored: (1, "lease"),
        .neutralIsNotDemanded: (1, "neutral first"),
        .windowForgetsNewest: (1, "opened once"),
        .companionHovers: (1, "no own commands"),
        .takeOverIsForgotten: (4, "one pilot"),
        .lateCommandsBegin: (2, "deadline"),
        .answersLie: (2, "outcome"),
        .ticketsWithoutEnd: (1, "bounded"),
        .vehicleIsNotHeard: (2, "not ours"),
        .sessionsAreNotRenewed: (1, "recovers"),
        .stopsAreForgotten: (2, "stops are final"),
        .sequencesGoOn: (47, "stops are final"),
    ]

    @Test(arguments: BrokenRule.allCases)
    func `a rule that is broken on purpose is found`(_ broken: BrokenRule) throws {
        let (seed, rule) = try #require(Self.seeds[broken])
        #expect(World(seed: seed, broken: broken).run().finding?.hasPrefix("\(rule):") == true)
        #expect(World(seed: seed).run().finding == nil)
    }

    @Test func `a command that is older than a grant of control authority is found too`() {
        #expect(World(seed: 62, broken: .stopsAreForgotten).run().finding?.hasPrefix("grants are final:") == true)
    }
}
