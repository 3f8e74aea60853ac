import BenchmarkKit
import Statistics
import Testing

@Suite("Runs of benchmarks") struct RunTests {
    @Test func `each of two goes first equally often, also within a run`() {
        let plan = RunPlan(runs: 10, blocks: 3, of: 1)
        let orders = (0..<10).flatMap { run in (0..<3).map { plan.order(of: 2, run: run, block: $0) } }
        #expect(orders.count { $0 == [0, 1] } == 15 && orders.count { $0 == [1, 0] } == 15)
    }

    @Test(arguments: [3, 4, 5]) func `each of several has each place equally often`(_ contenders: Int) {
        let plan = RunPlan(runs: 2 * contenders, of: 1)
        let orders = (0..<plan.runs).map { plan.order(of: contenders, run: $0, block: 0) }
        for contender in 0..<contenders {
            for place in 0..<contenders { #expect(orders.count { $0[place] == contender } == 2) }
        }
    }

    @Test func `the plan in words`() {
        #expect(
            RunPlan(runs: 10, blocks: 3, of: 1000, every: .milliseconds(1)).text
                == "10 runs with connections or processes of their own, in each 3 blocks of 1000 each in turn, one every 1 ms"
        )
        #expect(RunPlan(runs: 3, of: 6).text.hasSuffix("in each 6 each in turn, back to back"))
    }

    @Test func `setpoints count from the instants for which they were intended`() {
        let flight = SteeredFlight(
            called: [1_000_050, 2_000_020, 3_000_010, 4_000_000], from: 1_000_000, every: 1_000_000,
            records: [(1_000_080, 1), (3_000_040, 3), (3_000_090, 2), (3_000_095, 3), (9, 0), (9, 77)], failures: 0)
        #expect(flight.timings == Timings(latencies: [80, 40, 1_000_090], lateness: [50, 10, 20]))
        #expect(flight.arrived == 3 && flight.missed == 1 && flight.doubled == 1 && flight.outOfOrder == 1)
    }

    @Test func `departures have a rate and a jitter`() {
        let departures = Departures(at: [0, 30_000_000, 61_000_000, 90_000_000])
        #expect(abs(departures.hertz - 33.3333) < 0.001)
        #expect(departures.jitter(of: .milliseconds(30)).sorted == [0, 1_000_000, 1_000_000])
        #expect(Departures(at: [5]).hertz.isNaN && Departures(at: [5]).jitter(of: .milliseconds(30)).median == nil)
    }
}
