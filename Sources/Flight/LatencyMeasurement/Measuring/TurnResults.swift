internal import ReportKit
internal import Threads
internal import UAVLink

/// What was steered and commanded over one link under one condition, over all its turns; and how a turn is run.
struct TurnResults: Sendable {
    private(set) var steered: [SteeringAttempt] = []
    private(set) var commanded: [CommandAttempt] = []
    /// Duration of steering, warm-up excluded.
    private(set) var steeringSeconds = 0.0
    /// The scheduled rates of steering and of commands.
    private(set) var hertz = (steering: 0.0, command: 0.0)
    /// How many of each were discarded as warm-up.
    private(set) var warmUp = (steering: 0, command: 0)

    /// Another condition begins; the warm-up before it belongs to it.
    mutating func beginCondition() { (steered, commanded, steeringSeconds) = ([], [], 0) }

    /// The condition is over.
    mutating func endCondition() { warmUp = (0, 0) }

    /// Steers at each instant of the turn's schedule, on a dedicated thread, until another ground has stopped the vehicle.
    func steer(
        _ turn: Turn, over link: (any UAVLink)?, unless others: StopsOfOthers, clock: any MonotonicClock,
        _ steer: @escaping ScheduledSteering.Steer
    ) async -> [SteeringAttempt] {
        let schedule = FixedSchedule(
            start: clock.now + Self.lead + turn.phase.steering, period: turn.steeringPeriod,
            // A turn that a rounded period does not divide is not a setpoint shorter: the turns add up to the exposure.
            count: max(1, Int(saturating: (turn.steeringFor / turn.steeringPeriod - 1e-6).rounded(.up))),
            first: steered.count)
        let run = ScheduledSteering(clock: clock, wait: PreciseWait(clock: clock))
        let flag = StopFlag()
        let taken = await withTaskCancellationHandler {
            await DedicatedThread.run {
                run.run(schedule, isStopped: { flag.value || others.ending(over: link) != nil }, steer)
            }
        } onCancel: {
            flag.set()
        }
        return taken ?? []
    }

    /// When the turn's commands are due.
    func commandSchedule(_ turn: Turn, clock: any MonotonicClock) -> FixedSchedule {
        FixedSchedule(
            start: clock.now + Self.lead + turn.phase.commands, period: turn.commandPeriod, count: turn.commands,
            first: commanded.count)
    }

    mutating func add(_ shots: [SteeringAttempt], of turn: Turn) {
        hertz.steering = 1 / turn.steeringPeriod.inSeconds
        if turn.isWarmUp { return warmUp.steering += shots.count }
        steered += shots.enumerated().map { index, shot in
            var shot = shot
            (shot.round, shot.isCold) = (turn.round, index == 0 && shots.count > 1)
            return shot
        }
        steeringSeconds += Double(shots.count) * turn.steeringPeriod.inSeconds
    }

    mutating func add(_ shots: [CommandAttempt], of turn: Turn) {
        hertz.command = 1 / turn.commandPeriod.inSeconds
        if turn.isWarmUp { return warmUp.command += shots.count }
        // In a cancelled run, commands without an answer are not counted.
        let counted = Task.isCancelled ? shots.filter { $0.answeredAt != nil } : shots
        let first = shots.first?.number
        commanded += counted.map { shot in
            var shot = shot
            // Where a turn has one command only, each is a first one: then they are what is measured.
            (shot.round, shot.isCold) = (turn.round, shot.number == first && turn.commands > 1)
            return shot
        }
    }

    /// From creating the schedule to its first instant: the thread has to start.
    private static let lead: Duration = .milliseconds(2)
}
