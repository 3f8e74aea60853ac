internal import ReportKit
internal import Threads
internal import UAVLink

/// Movements on request: forward for a moment, and back the next time.
struct MotionNotes: Sendable {
    private var samples: [(intendedAt: MonotonicTime, seenAt: MonotonicTime?)] = []
    private var isForward = true
    /// How long after the stick a movement may begin to be seen, and how long the vehicle takes to hover again.
    private let patience: Duration
    private let settling: Duration

    /// Enough to be seen above an estimator's noise, and less than a metre of way.
    private static let speed = 0.5
    private static let push: Duration = .milliseconds(600)
    private static let period: Duration = .milliseconds(20)
    /// A hovering vehicle's estimated speed stays well below.
    private static let visible = 0.08
    private static let neutralSetpoints = 5

    init(patience: Duration = .seconds(2), settling: Duration = .seconds(1)) {
        self.patience = patience
        self.settling = settling
    }

    /// Steers and watches the odometry that comes back. One that is interrupted ends with a hover as any.
    mutating func move(
        over link: any UAVLink, clock: any MonotonicClock, wait: (any InstantWaiting)? = nil
    ) async {
        guard link.latestTelemetry?.flight?.value.state == .flying,
            let rest = link.latestTelemetry?.velocityMetresPerSecond?.value
        else { return }
        let count = Int(saturating: Self.push / Self.period) + Self.neutralSetpoints
        let speed = isForward ? Self.speed : -Self.speed
        isForward.toggle()
        let schedule = FixedSchedule(start: clock.now + .milliseconds(20), period: Self.period, count: count)
        let intendedAt = schedule.due(Self.neutralSetpoints)
        let (telemetry, patience) = (link.telemetry(), patience)
        let watch = Task { () -> MonotonicTime? in
            for await news in telemetry {
                let now = clock.now
                if now > intendedAt + patience || Task.isCancelled { return nil }
                guard now > intendedAt, let velocity = news.velocityMetresPerSecond?.value else { continue }
                let change = Vector3(x: velocity.x - rest.x, y: velocity.y - rest.y, z: velocity.z - rest.z)
                if (change.x * change.x + change.y * change.y).squareRoot() > Self.visible { return now }
            }
            return nil
        }
        let run = ScheduledSteering(clock: clock, wait: wait ?? PreciseWait(clock: clock))
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
        }
        // In a task of its own: that of an interrupted run would command nothing any more, and the vehicle is moving.
        _ = await Task { try? await link.perform(.hover, within: .seconds(5)) }.value
        // Telemetry that ends with the link must not hold the run.
        let left = intendedAt + patience - clock.now
        let limit = Task {
            try? await clock.sleep(for: max(left, .zero))
            watch.cancel()
        }
        let seenAt = await withTaskCancellationHandler {
            await watch.value
        } onCancel: {
            watch.cancel()
        }
        limit.cancel()
        if seenAt != nil || !Task.isCancelled { samples.append((intendedAt, seenAt)) }
        // Until it hovers again.
        try? await clock.sleep(for: settling)
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
