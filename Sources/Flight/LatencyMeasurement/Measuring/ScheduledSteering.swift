internal import Synchronization
internal import UAVLink

/// A setpoint that was scheduled for an instant.
struct SteeringAttempt: Sendable, Equatable {
    var number: Int
    var intendedAt: MonotonicTime
    var calledAt: MonotonicTime
    var returnedAt: MonotonicTime
    /// The link's receipt; `nil` if it refused the setpoint.
    var receipt: SteeringReceipt?
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

/// Steers on a schedule from the calling thread. No instant is skipped: after a stall, each missed setpoint is sent at once
/// with its own intended time, so that the stall is charged to everything that it delayed.
struct ScheduledSteering: Sendable {
    var clock: any MonotonicClock
    var wait: any InstantWaiting
    /// Validity of the setpoints: the longest, so that a slow link shows how late they arrive and not only that they are
    /// refused.
    var validity = VelocitySetpoint.longestValidity

    typealias Steer = @Sendable (VelocitySetpoint) throws(LinkError) -> SteeringReceipt

    /// - Parameters:
    ///   - isStopped: checked before each instant.
    ///   - motion: the velocity to steer; neutral by default.
    func run(
        _ schedule: FixedSchedule, isStopped: () -> Bool = { false },
        motion: (Int) -> Vector3 = { _ in .zero }, _ steer: Steer
    ) -> [SteeringAttempt] {
        var shots: [SteeringAttempt] = []
        shots.reserveCapacity(schedule.count)
        for index in 0..<schedule.count {
            let due = schedule.due(index)
            if isStopped() { break }
            wait.wait(until: due)
            let setpoint = VelocitySetpoint(
                velocityMetresPerSecond: motion(index), frame: .body, intendedAt: due, validFor: validity)
            var shot = SteeringAttempt(
                number: schedule.first + index, intendedAt: due, calledAt: clock.now, returnedAt: due)
            shot.receipt = try? steer(setpoint)
            shot.returnedAt = clock.now
            shots.append(shot)
        }
        return shots
    }
}

/// A flag that stops a run on another thread.
final class StopFlag: Sendable {
    private let isSet = Atomic(false)

    func set() { isSet.store(true, ordering: .relaxed) }
    var value: Bool { isSet.load(ordering: .relaxed) }
}
