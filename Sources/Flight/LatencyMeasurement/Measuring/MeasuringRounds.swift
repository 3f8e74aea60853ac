internal import Impairment
internal import LatencyStatistics
internal import Statistics
internal import UAVLink
internal import VehicleAccess

/// The rounds of one condition: in each of them every link has a turn, in a balanced order and with a random beginning.
struct MeasuringRounds {
    let plan: MeasuringPlan
    let clock: any MonotonicClock
    let bench: ProbeBench
    /// When the condition began.
    let start: MonotonicTime
    let progress: MeasuringInteractor.Progress
    private var budget: FigureBudget?
    private var random: SeededRandom
    private let order: RoundOrder
    /// The longest round but the first, in which slow links do more.
    private var longest = Duration.zero

    /// From the beginning of a turn to that of its blackout.
    private static let blackoutDelay: Duration = .milliseconds(300)
    /// Why what was to compete with a link could not be made.
    private(set) var loadFailures: [MeasuredLink: LinkError] = [:]

    /// From the beginning of competing traffic to a turn: slow start has filled a queue of 100 ms in a quarter of it.
    static let loadLead: Duration = .seconds(1)
    /// The companion sends its trace records a few times a second.
    private static let traceDelay: Duration = .milliseconds(500)

    init(
        plan: MeasuringPlan, clock: any MonotonicClock, bench: ProbeBench, start: MonotonicTime, reportsFigures: Bool,
        progress: @escaping MeasuringInteractor.Progress
    ) {
        (self.plan, self.clock, self.bench, self.start, self.progress) = (plan, clock, bench, start, progress)
        budget = reportsFigures ? FigureBudget() : nil
        random = SeededRandom(seed: plan.seed)
        order = RoundOrder(count: bench.probes.count, seed: plan.seed)
    }

    /// Measures until the planned rounds are done, their time is over, the task is cancelled or the run must end.
    mutating func run(_ condition: Impairment) async {
        var round = 0
        var isBlackoutDone = condition.blackout == nil
        while !Task.isCancelled {
            let began = clock.now
            var turn = plan.turn(steeringFor: plan.steeringInTurn, commands: plan.commandsInTurn)
            (turn.round, turn.isFirst) = (round, round == 0)
            if let blackout = condition.blackout, !isBlackoutDone,
                began - start >= blackout.at || isOver(after: round, next: 1)
            {
                // Each link has the blackout in its own turn: one at a fixed time would hit a single link.
                isBlackoutDone = true
                turn.dark = (Self.blackoutDelay, blackout.length)
                turn.steeringFor = max(turn.steeringFor, blackout.length + .seconds(1))
            }
            for index in order.order(in: round) where !Task.isCancelled {
                guard await bench.reference.mayGoOn() else { return }
                let probe = bench.probes[index]
                progress(.turn(probe.link))
                turn.phase = Turn.Phase(turn, &random)
                guard await load(probe) else { continue }
                await probe.prepare(turn)
                await bench.costs.measure(probe) { [turn] in await probe.take(turn) }
                _ = try? probe.relays.setLoaded(false)
                // Otherwise what the emulation has lost would be taken for loss.
                if probe.relays.failure != nil { return }
                await reportFigures()
            }
            if round > 0 { longest = max(longest, clock.now - began) }
            // Nothing was measured, and would not be in the next round.
            if loadFailures.count == bench.probes.count { return }
            round += 1
            progress(.round(number: round, of: plan.rounds, elapsed: clock.now - start, planned: plan.duration))
            if isOver(after: round), isBlackoutDone { break }
        }
    }

    /// Begins what competes with a link in its turn, if anything does; `false` if it cannot be made.
    private mutating func load(_ probe: any Probe) async -> Bool {
        do throws(LinkError) {
            if try probe.relays.setLoaded(true) { try? await Task.sleep(for: Self.loadLead) }
            return true
        } catch {
            loadFailures[probe.link] = error
            return false
        }
    }

    /// Whether so many rounds are all; or would be, if `next` more were.
    private func isOver(after round: Int, next: Int = 0) -> Bool {
        if let planned = plan.rounds, round + next >= planned { return true }
        // Another whole round would exceed the time by more than half a round.
        guard let duration = plan.duration, round > 0 else { return false }
        return clock.now - start + longest / 2 >= duration
    }

    /// Reports intermediate figures between two turns, when no link is being measured.
    private mutating func reportFigures() async {
        let began = clock.now
        guard budget?.isDue(at: began) == true, !Task.isCancelled else { return }
        let limit = (began - Self.traceDelay - start).nanoseconds
        var figures: [String: [RunningFigures]] = [:]
        for probe in bench.probes { figures[probe.link.rawValue] = await probe.figures(upTo: limit) }
        progress(.figures(plan.links.flatMap { figures[$0.rawValue] ?? [] }))
        let ended = clock.now
        budget?.took(from: began, to: ended)
    }
}
