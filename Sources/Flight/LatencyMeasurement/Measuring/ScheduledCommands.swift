internal import ChannelProtocol
internal import SocketTransport
internal import Synchronization
internal import Threads
internal import UAVLink

/// A command that was scheduled for an instant.
struct CommandAttempt: Sendable, Equatable {
    var number: Int
    var intendedAt: MonotonicTime
    var calledAt: MonotonicTime
    /// When the caller received the answer; `nil` when none arrived.
    var answeredAt: MonotonicTime?
    /// The vehicle's answer.
    var reply: CommandReply?
    /// The round of its turn, and whether it was the turn's first.
    var round = 0
    var isCold = false

    /// Its sample, without a value.
    func sample(since start: MonotonicTime) -> LatencySample {
        LatencySample(
            number: number, intendedNanoseconds: (intendedAt - start).nanoseconds, nanoseconds: nil, round: round,
            isCold: isCold)
    }
}

/// Commands on a schedule, each at its instant whether or not earlier ones have been answered. They end early when the
/// vehicle takes off or lands, or another ground has stopped it, which a stop command could end.
struct ScheduledCommands: Sendable {
    var clock: any MonotonicClock
    var wait: any InstantWaiting
    var command: Command
    var timeout: Duration
    var others: StopsOfOthers

    init(
        clock: any MonotonicClock, wait: any InstantWaiting, command: Command, timeout: Duration,
        others: StopsOfOthers = StopsOfOthers()
    ) {
        (self.clock, self.wait, self.command, self.timeout) = (clock, wait, command, timeout)
        self.others = others
    }

    init(_ setting: ProbeSetting) {
        self.init(
            clock: setting.clock, wait: PreciseWait(clock: setting.clock), command: setting.command,
            timeout: setting.timeout, others: setting.reference.others)
    }

    /// Whether the next command may be sent.
    private func mayGoOn(over link: any UAVLink) -> Bool {
        link.latestTelemetry?.manoeuvre == nil && others.ending(over: link) == nil
    }

    /// Runs on the link's dedicated thread, where answers are read.
    func run(_ schedule: FixedSchedule, over link: SocketLink) async -> [CommandAttempt] {
        let run = self
        let shots: [CommandAttempt] = await link.onLinkThread { () async -> [CommandAttempt] in
            await withTaskGroup(of: CommandAttempt.self) { group in
                for index in 0..<schedule.count {
                    let due = schedule.due(index)
                    // The thread reads answers meanwhile; only the last moment is busy-waited on it.
                    let left = due - run.clock.now - PreciseWait.early
                    if left > .zero { try? await Task.sleep(for: left) }
                    if Task.isCancelled || !run.mayGoOn(over: link) { break }
                    run.wait.wait(until: due)
                    let number = schedule.first + index
                    group.addTask { await run.one(number, intendedAt: due, over: link) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        return shots.sorted { $0.number < $1.number }
    }

    /// Runs wherever the link's answers resume: what its own thread takes to wake the caller counts.
    func run(_ schedule: FixedSchedule, over link: any UAVLink) async -> [CommandAttempt] {
        let shots = await withTaskGroup(of: CommandAttempt.self) { group in
            for index in 0..<schedule.count {
                let due = schedule.due(index)
                try? await clock.sleep(until: due)
                if Task.isCancelled || !mayGoOn(over: link) { break }
                let number = schedule.first + index
                group.addTask { await one(number, intendedAt: due, over: link) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return shots.sorted { $0.number < $1.number }
    }

    private func one(_ number: Int, intendedAt: MonotonicTime, over link: any UAVLink) async -> CommandAttempt {
        var shot = CommandAttempt(number: number, intendedAt: intendedAt, calledAt: clock.now)
        others.expect(command, over: link)
        if let reply = try? await link.perform(command, within: timeout) {
            (shot.answeredAt, shot.reply) = (clock.now, reply)
        }
        return shot
    }

    /// Runs on a dedicated thread; answers are recorded by the thread that delivers them.
    func run(_ schedule: FixedSchedule, over link: any CallbackLink, isStopped: StopFlag) async -> [CommandAttempt] {
        let answers = Answers(expected: schedule.count)
        let run = self
        let shots = await DedicatedThread.run { () -> [CommandAttempt] in
            var shots: [CommandAttempt] = []
            for index in 0..<schedule.count where !isStopped.value {
                guard run.mayGoOn(over: link) else { break }
                let due = schedule.due(index)
                run.wait.wait(until: due)
                shots.append(
                    CommandAttempt(number: schedule.first + index, intendedAt: due, calledAt: run.clock.now))
                run.others.expect(run.command, over: link)
                link.perform(run.command, within: run.timeout) { result in
                    let now = run.clock.now
                    answers.note(index, if: result, at: now)
                }
            }
            return shots
        }
        guard var shots else { return [] }
        let deadline = clock.now + timeout
        while !answers.areComplete(shots.count), clock.now < deadline, !isStopped.value {
            try? await Task.sleep(for: .milliseconds(2))
        }
        for index in shots.indices {
            guard let answer = answers.answer(index) else { continue }
            (shots[index].answeredAt, shots[index].reply) = (answer.at, answer.reply)
        }
        return shots
    }

    /// The answers, by their index in the schedule.
    private final class Answers: Sendable {
        private let state: Mutex<(answers: [Answer?], came: Int)>

        struct Answer {
            var at: MonotonicTime
            var reply: CommandReply
        }

        init(expected: Int) { state = Mutex((Array(repeating: nil, count: expected), 0)) }

        func note(_ index: Int, if result: Result<CommandReply, LinkError>, at now: MonotonicTime) {
            state.withLock { state in
                state.came += 1
                if case .success(let reply) = result { state.answers[index] = Answer(at: now, reply: reply) }
            }
        }

        func areComplete(_ count: Int) -> Bool { state.withLock { $0.came >= count } }
        func answer(_ index: Int) -> Answer? { state.withLock { $0.answers[index] } }
    }
}
