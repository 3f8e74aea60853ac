internal import Threads
internal import UAVLink

/// Movements on request: forward for a moment, and back the next time.
struct MotionNotes: Sendable {
    private var samples: [(intendedAt: MonotonicTime, seenAt: MonotonicTime?)] = []
    private var isForward = true

    /// Enough to be seen above an estimator's noise, and less than a metre of way.
    private static let speed = 0.5
    private static let push: Duration = .milliseconds(600)
    private static let patience: Duration = .seconds(2)
    private static let period: Duration = .milliseconds(20)
    /// A hovering vehicle's estimated speed stays well below.
    private static let visible = 0.08
    private static let neutralSetpoints = 5

    /// Steers and watches the odometry that comes back.
    mutating func move(over link: any UAVLink, clock: any MonotonicClock) async {
        guard link.latestTelemetry?.flight?.value.state == .flying,
            let rest = link.latestTelemetry?.velocityMetresPerSecond?.value
        else { return }
        let count = Int(Self.push / Self.period) + Self.neutralSetpoints
        let speed = isForward ? Self.speed : -Self.speed
        isForward.toggle()
        let schedule = FixedSchedule(start: clock.now + .milliseconds(20), period: Self.period, count: count)
        let intendedAt = schedule.due(Self.neutralSetpoints)
        let telemetry = link.telemetry()
        let watch = Task { () -> MonotonicTime? in
            for await news in telemetry {
                let now = clock.now
                if now > intendedAt + Self.patience || Task.isCancelled { return nil }
                guard now > intendedAt, let velocity = news.velocityMetresPerSecond?.value else { continue }
                let change = Vector3(x: velocity.x - rest.x, y: velocity.y - rest.y, z: velocity.z - rest.z)
                if (change.x * change.x + change.y * change.y).squareRoot() > Self.visible { return now }
            }
            return nil
        }
        let run = ScheduledSteering(clock: clock, wait: PreciseWait(clock: clock))
        let (neutral, flag) = (Self.neutralSetpoints, StopFlag())
        _ = await withTaskCancellationHandler {
            await OwnThread.run {
                run.run(
                    schedule, isStopped: { flag.value },
                    motion: { Vector3(x: $0 < neutral ? 0 : speed, y: 0, z: 0) }
                ) { (setpoint) throws(LinkError) in
                    try link.steer(setpoint)
                    return nil
                }
            }
        } onCancel: {
            flag.set()
            watch.cancel()
        }
        _ = try? await link.perform(.hover, within: .seconds(5))
        samples.append((intendedAt, await watch.value))
        // Until it hovers again.
        try? await Task.sleep(for: .seconds(1))
    }

    func measured(since start: MonotonicTime) -> Measured {
        guard !samples.isEmpty else {
            return .absent("not asked for with --motion, or the vehicle was not in flight")
        }
        let taken = samples.enumerated().map { number, sample in
            LatencySample(
                number: number, intendedNanoseconds: (sample.intendedAt - start).nanoseconds,
                nanoseconds: sample.seenAt.map { ($0 - sample.intendedAt).nanoseconds })
        }
        return .series(
            LatencySeries(samples: taken, traffic: .init(intended: taken.count, sent: taken.count), clock: .same))
    }
}
