internal import ReportKit
internal import Threads
internal import UAVLink

/// What was steered and commanded over one link under one condition, turn by turn; and how a turn is run.
struct ShotBook: Sendable {
    private(set) var steered: [SteeringShot] = []
    private(set) var commanded: [CommandShot] = []
    /// How long was steered, warm-ups left out.
    private(set) var steeringSeconds = 0.0
    /// How often was meant to be steered and commanded, a second.
    private(set) var hertz = (steering: 0.0, command: 0.0)
    /// How many of each were dropped as warm-up.
    private(set) var warmUp = (steering: 0, command: 0)

    /// Another condition begins; the warm-up before it counts for it.
    mutating func beginCondition() { (steered, commanded, steeringSeconds) = ([], [], 0) }

    /// The condition is over.
    mutating func endCondition() { warmUp = (0, 0) }

    /// Steers at each instant of the turn's schedule, on a thread of its own.
    func steer(
        _ turn: Turn, clock: any MonotonicClock, _ steer: @escaping ScheduledSteering.Steer
    ) async -> [SteeringShot] {
        let schedule = FixedSchedule(
            start: clock.now + Self.lead, period: turn.steeringPeriod,
            count: max(1, Int(saturating: turn.steeringFor / turn.steeringPeriod)), first: steered.count)
        let run = ScheduledSteering(clock: clock, wait: PreciseWait(clock: clock))
        let flag = StopFlag()
        let taken = await withTaskCancellationHandler {
            await OwnThread.run { run.run(schedule, isStopped: { flag.value }, steer) }
        } onCancel: {
            flag.set()
        }
        return taken ?? []
    }

    /// When the turn's commands are due.
    func commandSchedule(_ turn: Turn, clock: any MonotonicClock) -> FixedSchedule {
        FixedSchedule(
            start: clock.now + Self.lead, period: turn.commandPeriod, count: turn.commands, first: commanded.count)
    }

    mutating func add(_ shots: [SteeringShot], of turn: Turn) {
        hertz.steering = 1 / turn.steeringPeriod.inSeconds
        if turn.isWarmUp { return warmUp.steering += shots.count }
        steered += shots
        steeringSeconds += Double(shots.count) * turn.steeringPeriod.inSeconds
    }

    mutating func add(_ shots: [CommandShot], of turn: Turn) {
        hertz.command = 1 / turn.commandPeriod.inSeconds
        if turn.isWarmUp { return warmUp.command += shots.count }
        // When the run was stopped, what has no answer was never to wait for one.
        commanded += Task.isCancelled ? shots.filter { $0.answeredAt != nil } : shots
    }

    /// From the schedule's making to its first instant: the thread has to start.
    private static let lead: Duration = .milliseconds(2)
}
