@testable import LatencyMeasurement
import Impairment
import Statistics
import Testing
import UAVLink

@Suite("Rounds and turns as planned") struct PlannedTurnsTests {
    @Test(arguments: [
        (nil, 1000), (1, 2200), (2, 1510), (14, 1000), (27, 1000), (28, 2143), (30, 2000), (60, 1000), (120, 500),
        (10_000, 500),
    ])
    func `the turns of all rounds add up to the exposure of the verdict, or are a second where that is out of reach`(
        rounds: Int?, milliseconds: Int64
    ) {
        let plan = MeasuringPlan(rounds: rounds, duration: nil)
        let difference = plan.steeringInTurn - .milliseconds(milliseconds)
        #expect(max(difference, .zero - difference) < .milliseconds(1))
    }

    @Test(arguments: [(14, 100.0), (14, 11), (10, 100), (27, 5), (2, 200)])
    func `few rounds have the setpoints for p99, without the first of each turn`(rounds: Int, rateHertz: Double) {
        var plan = MeasuringPlan(rounds: rounds, duration: nil, rateHertz: rateHertz)
        let setpoints = Int((plan.steeringInTurn.inSeconds * rateHertz).rounded()) - 1
        #expect(setpoints * rounds >= min(Percentile.p99.minimumCount, Int(2.2 * rateHertz - 1) * rounds))
        #expect(plan.steeringInTurn <= .milliseconds(2200))
        plan.sweptHertz = [500, rateHertz]
        #expect(
            plan.steeringInTurn == MeasuringPlan(rounds: rounds, duration: nil, rateHertz: rateHertz).steeringInTurn)
    }

    @Test func `over a shell the first ten rounds steer, the first of them for two calls`() {
        let lengths = (0..<14).map { ShellProbe.steeringFor(inRound: $0) }
        #expect(lengths.count { $0 == .milliseconds(1500) } == 4 && lengths[0] == .milliseconds(1500))
        #expect(lengths.count { $0 == .milliseconds(800) } == 6 && lengths[9] == .milliseconds(800))
        #expect(lengths[10...].allSatisfy { $0 == nil })
    }

    @Test(arguments: [(nil, 20), (1, 20), (9, 20), (10, 31), (14, 23), (16, 20), (1000, 20)])
    func `ten rounds and more have the commands for p99, without the first of each turn`(rounds: Int?, count: Int) {
        let plan = MeasuringPlan(rounds: rounds, duration: nil)
        #expect(plan.commandsInTurn == count)
        if let rounds, rounds >= 10 { #expect((count - 1) * rounds >= Percentile.p99.minimumCount) }
        // Of a slow rate a turn does not become as long as that would take.
        #expect(MeasuringPlan(rounds: rounds, duration: nil, commandHertz: 5).commandsInTurn <= 4)
    }

    @Test func `in a sweep each condition is measured at each rate, in that order`() throws {
        var plan = MeasuringPlan(conditions: [.none, try Impairment("rate=2mbit,load=1")], rounds: 10, duration: nil)
        #expect(plan.parts.map(\.text) == ["none", "rate=2mbit,load=1"])
        #expect(plan.parts.map(\.rateHertz) == [100, 100])
        plan.sweptHertz = [10, 62.5]
        #expect(
            plan.parts.map(\.text) == [
                "none at 10 Hz", "none at 62.5 Hz", "rate=2mbit,load=1 at 10 Hz", "rate=2mbit,load=1 at 62.5 Hz",
            ])
        #expect(plan.parts.map(\.rateHertz) == [10, 62.5, 10, 62.5])
        #expect(plan.settings.contains { $0.name == "load" })
        #expect(plan.settings.contains { $0.value.hasPrefix("10.0, 62.5 Hz, one after the other") })
        plan.sweptHertz = [10, 2000]
        #expect(throws: LinkError.self) { try plan.validate() }
    }

    @Test func `a plan without an end, a link or a sensible box measures nothing`() {
        var plans: [MeasuringPlan] = []
        plans.append(MeasuringPlan(rounds: nil, duration: nil))
        plans.append(MeasuringPlan(rounds: 0))
        plans.append(MeasuringPlan(links: []))
        plans.append(MeasuringPlan(rateHertz: .nan))
        plans.append(MeasuringPlan())
        plans[4].boxMetres = 0.5
        for plan in plans { #expect(throws: LinkError.self) { try plan.validate() } }
        #expect(throws: Never.self) { try MeasuringPlan(rounds: 30, duration: nil).validate() }
        #expect(MeasuringPlan(rounds: 30, duration: nil).settings.contains { $0.value == "30 rounds" })
    }

    @Test func `turns begin at random within a period, and the same seed begins them alike`() {
        let turn = MeasuringPlan().turn(steeringFor: .seconds(1), commands: 5)
        var (random, same) = (SeededRandom(seed: 3), SeededRandom(seed: 3))
        var delays: [Duration] = []
        for _ in 0..<200 {
            let phase = Turn.Phase(turn, &random)
            #expect(phase.steering >= .zero && phase.steering < .milliseconds(20))
            #expect(phase.commands >= .zero && phase.commands < .milliseconds(20))
            #expect(Turn.Phase(turn, &same).steering == phase.steering)
            delays.append(phase.steering)
        }
        #expect(delays.contains { $0 < .milliseconds(2) } && delays.contains { $0 > .milliseconds(18) })
    }

    @Test func `the first of a turn is cold, unless the turn has only one`() {
        let now = MonotonicTime(nanoseconds: 0)
        var results = TurnResults()
        var turn = MeasuringPlan().turn(steeringFor: .seconds(1), commands: 3)
        turn.round = 4
        results.add((0..<3).map { CommandAttempt(number: $0, intendedAt: now, calledAt: now) }, of: turn)
        #expect(results.commanded.map(\.isCold) == [true, false, false])
        #expect(results.commanded.allSatisfy { $0.round == 4 })
        turn.commands = 1
        results.add([CommandAttempt(number: 3, intendedAt: now, calledAt: now)], of: turn)
        #expect(results.commanded.last?.isCold == false)
        let shots = (0..<2).map { SteeringAttempt(number: $0, intendedAt: now, calledAt: now, returnedAt: now) }
        results.add(shots, of: turn)
        #expect(results.steered.map(\.isCold) == [true, false] && results.steered.last?.round == 4)
        let sample = results.commanded[0].sample(since: now)
        #expect(sample.isCold && sample.round == 4 && sample.nanoseconds == nil)
    }

    @Test func `the line of a round says how many are planned`() {
        let events: [MeasuringEvent] = [
            .round(number: 3, of: 30, elapsed: .seconds(4)),
            .round(number: 3, of: 30, elapsed: .seconds(4), planned: .seconds(20)),
        ]
        #expect(events.map(\.line) == ["  round 3 of 30, 4 s", "  round 3 of 30, 4 of 20 s"])
    }

    @Test(arguments: [("none", true), ("delay=0ms", true), ("loss=0%", true), ("delay=1us", false)])
    func `where nothing is impaired no relay is needed`(_ text: String, _ isNone: Bool) throws {
        #expect(try Impairment(text).isNone == isNone)
    }
}
