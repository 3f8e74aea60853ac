internal import Synchronization
internal import UAVLink

/// A setpoint that was meant for an instant of the schedule.
struct SteeringShot: Sendable, Equatable {
    var number: Int
    var intendedAt: MonotonicTime
    var calledAt: MonotonicTime
    var returnedAt: MonotonicTime
    /// Whether the link took it.
    var isSent: Bool
    /// What the link calls it, where it says so.
    var tag: UInt64?
}

/// Steers on a schedule from the calling thread. No instant is left out: after a stall each that has passed is made up for at
/// once with its own intended time, so that the stall is charged to everything that it delayed.
struct ScheduledSteering: Sendable {
    var clock: any MonotonicClock
    var wait: any InstantWaiting
    /// How long the setpoints are good for: the longest, so that a slow link shows how late they come and not only that they
    /// are refused.
    var validity = VelocitySetpoint.longestValidity

    typealias Steer = @Sendable (VelocitySetpoint) throws(LinkError) -> UInt64?

    /// - Parameters:
    ///   - isStopped: looked at before each instant.
    ///   - motion: what to steer; neutral unless somebody asked for more.
    func run(
        _ schedule: FixedSchedule, isStopped: () -> Bool = { false },
        motion: (Int) -> Vector3 = { _ in .zero }, _ steer: Steer
    ) -> [SteeringShot] {
        var shots: [SteeringShot] = []
        shots.reserveCapacity(schedule.count)
        for index in 0..<schedule.count {
            let due = schedule.due(index)
            if isStopped() { break }
            wait.wait(until: due)
            let setpoint = VelocitySetpoint(
                velocityMetresPerSecond: motion(index), frame: .body, intendedAt: due, validFor: validity)
            var shot = SteeringShot(
                number: schedule.first + index, intendedAt: due, calledAt: clock.now, returnedAt: due, isSent: true)
            do throws(LinkError) { shot.tag = try steer(setpoint) } catch { shot.isSent = false }
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
