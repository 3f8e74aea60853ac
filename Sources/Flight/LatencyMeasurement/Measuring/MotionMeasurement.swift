#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import LatencyStatistics
internal import ReportKit
internal import Threads
internal import UAVLink

/// Measured movements: short pushes, forward and backward in turn, which are timed, and the return to the previous
/// position after each.
///
/// ```
///   neutral setpoints (noise floor of the odometry) ─▶ push (change point) ─▶ hover ─▶ goBack
/// ```
struct MotionMeasurement: Sendable {
    private struct Push: Sendable {
        var number: Int
        var intendedAt: MonotonicTime
        var seenAt: MonotonicTime?
    }

    private var samples: [Push] = []
    /// How many pushes there were, also those that were interrupted: every second one goes backward.
    private var pushes = 0
    /// Why a push was left out.
    private var obstacle: String?
    private let box: MotionBounds
    private let others: StopsOfOthers
    /// How long after the setpoint a movement may begin to be visible, and how long the return may take.
    private let timeout: Duration
    private let returning: Duration
    /// How long a vehicle that still brakes is waited for before a push.
    private let resting: Duration

    private static let period: Duration = .milliseconds(20)
    /// Metres per second below which the vehicle has arrived. A hovering vehicle's estimated speed stays well below.
    private static let visible = 0.08
    /// Half a second of hovering before the push, in which the noise floor is measured: 25 values of telemetry at 50
    /// Hz.
    private static let neutralSetpoints = 25
    /// How often the position is checked during the return.
    private static let look: Duration = .milliseconds(50)
    /// Pause after the return: remaining motion would be taken for the next push.
    private static let settling: Duration = .seconds(1)

    static let notFlying = "the vehicle was not flying"
    static let tooFar = "the vehicle was too far from the start of the push"

    /// - Parameter others: after a stop of theirs nothing moves or stops the vehicle.
    init(
        _ box: MotionBounds, others: StopsOfOthers = StopsOfOthers(), timeout: Duration = .seconds(2),
        returning: Duration = .seconds(5), resting: Duration = .seconds(4)
    ) {
        self.box = box
        self.others = others
        self.timeout = timeout
        self.returning = returning
        self.resting = resting
    }

    /// Pushes the vehicle forward, or backward every second time, and watches odometry along the push. A push that is
    /// interrupted, or leaves the limits, ends with a hover like any other.
    ///
    /// - Returns: the pose to return to; `nil` when the vehicle was not moved, or the run was interrupted.
    mutating func push(
        over link: any UAVLink, clock: any MonotonicClock, wait: (any InstantWaiting)? = nil
    ) async -> Pose? {
        guard others.ending(over: link) == nil else { return nil }
        if link.latestTelemetry?.flight?.value.state == .flying { await comeToRest(over: link, clock: clock) }
        guard others.ending(over: link) == nil, !Task.isCancelled else { return nil }
        guard link.latestTelemetry?.flight?.value.state == .flying,
            let rest = link.latestTelemetry?.velocityMetresPerSecond?.value,
            let pose = link.latestTelemetry?.pose?.value
        else {
            obstacle = Self.notFlying
            return nil
        }
        guard let home = box.begin(at: pose) else {
            obstacle = Self.tooFar
            return nil
        }
        let count = Int(saturating: MotionBounds.push / Self.period) + Self.neutralSetpoints
        let schedule = FixedSchedule(start: clock.now + .milliseconds(20), period: Self.period, count: count)
        let intendedAt = schedule.due(Self.neutralSetpoints)
        let (telemetry, timeout, flag, stops) = (link.telemetry(), timeout, StopFlag(), others)
        let bounds = watchBounds(over: link) { flag.set() }
        let number = pushes
        pushes += 1
        let sign = number.isMultiple(of: 2) ? 1.0 : -1.0
        let along = Self.direction(headingRadians: pose.headingRadians, sign: sign)
        let watch = Task { () -> MonotonicTime? in
            var onset = MotionOnset(rest: along(rest))
            // One value for each measurement of the vehicle's, however often telemetry repeats it.
            var newest: MonotonicTime?
            for await update in telemetry {
                let now = clock.now
                if now > intendedAt + timeout || Task.isCancelled { return nil }
                guard let velocity = update.velocityMetresPerSecond, velocity.at != newest else { continue }
                newest = velocity.at
                if now <= intendedAt {
                    onset.takeRest(along(velocity.value))
                } else if onset.takeMotion(along(velocity.value), at: now.nanoseconds) {
                    return onset.onsetNanoseconds.map { MonotonicTime(nanoseconds: $0) }
                }
            }
            return nil
        }
        let run = ScheduledSteering(clock: clock, wait: wait ?? PreciseWait(clock: clock))
        let neutral = Self.neutralSetpoints
        _ = await withTaskCancellationHandler {
            await DedicatedThread.run {
                run.run(
                    schedule, isStopped: { flag.value || stops.ending(over: link) != nil },
                    motion: { Vector3(x: $0 < neutral ? 0 : sign * MotionBounds.speed, y: 0, z: 0) }
                ) { (setpoint) throws(LinkError) in try link.steer(setpoint) }
            }
        } onCancel: {
            flag.set()
        }
        bounds.cancel()
        // In a separate task: in the cancelled task no command would be sent, and the vehicle is moving.
        await Task { await Self.stop(link, unless: stops) }.value
        // Telemetry that ends with the link must not block the run.
        let left = intendedAt + timeout - clock.now
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
        // What another ground ended is no loss.
        guard others.ending(over: link) == nil else { return nil }
        if seenAt != nil || !Task.isCancelled {
            samples.append(Push(number: number, intendedAt: intendedAt, seenAt: seenAt))
        }
        return Task.isCancelled ? nil : home
    }

    /// Waits until the vehicle's speed is constant, for at most ``resting``: in gusts it never is, and the noise floor has them.
    private func comeToRest(over link: any UAVLink, clock: any MonotonicClock) async {
        let deadline = clock.now + resting
        var detector = RestDetector()
        // What was measured once is no second sign of rest.
        var newest: MonotonicTime?
        while !Task.isCancelled, clock.now < deadline, others.ending(over: link) == nil,
            let speed = link.latestTelemetry?.velocityMetresPerSecond
        {
            if speed.at != newest {
                newest = speed.at
                if detector.add(x: speed.value.x, y: speed.value.y) { return }
            }
            try? await clock.sleep(for: Self.period)
        }
    }

    /// The speed along a push: setpoints are in body axes, telemetry is in world axes.
    private static func direction(headingRadians: Double, sign: Double) -> @Sendable (Vector3) -> Double {
        let (x, y) = (sign * cos(headingRadians), sign * sin(headingRadians))
        return { $0.x * x + $0.y * y }
    }

    /// Looks at each position until it is cancelled or telemetry ends, and calls `onLeaving` at the first outside the limits.
    private func watchBounds(over link: any UAVLink, _ onLeaving: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        let (telemetry, box) = (link.telemetry(), box)
        return Task {
            for await update in telemetry {
                if let pose = update.pose?.value, !box.holds(pose) { return onLeaving() }
            }
        }
    }

    /// Commands hover, unless the vehicle lands or takes off by now, or another ground has stopped it, which that could end.
    private static func stop(_ link: any UAVLink, unless others: StopsOfOthers) async {
        guard link.latestTelemetry?.manoeuvre == nil, others.ending(over: link) == nil else { return }
        others.expect(.hover, over: link)
        _ = try? await link.perform(.hover, within: .seconds(5))
    }

    /// Flies the vehicle back, and returns when it hovers there. If it leaves the limits or does not arrive in time it hovers
    /// where it is, and the next push is refused as too far away. A vehicle that lands is left to land, and one that another ground
    /// has stopped to that one.
    func goBack(to home: Pose, over link: any UAVLink, clock: any MonotonicClock) async {
        guard link.latestTelemetry?.manoeuvre == nil, others.ending(over: link) == nil else { return }
        let way = Task { await fly(to: home, over: link, clock: clock) }
        // Something moves it away: a push or a hover of another pilot, or wind.
        let bounds = watchBounds(over: link) { way.cancel() }
        let hasArrived = await withTaskCancellationHandler {
            await way.value
        } onCancel: {
            way.cancel()
        }
        bounds.cancel()
        let stops = others
        if !hasArrived { await Task { await Self.stop(link, unless: stops) }.value }
    }

    /// - Returns: whether the vehicle has arrived and settled.
    private func fly(to home: Pose, over link: any UAVLink, clock: any MonotonicClock) async -> Bool {
        guard let start = link.latestTelemetry?.pose?.value, box.holds(start) else { return false }
        let deadline = clock.now + returning
        let goal = Command.Destination(
            .frame(home.frame), position: home.positionMetres, headingRadians: home.headingRadians)
        guard (try? await link.perform(.goTo(goal), within: returning))?.accepted == true else { return false }
        while !Task.isCancelled, clock.now < deadline {
            try? await clock.sleep(for: Self.look)
            guard others.ending(over: link) == nil, let now = link.latestTelemetry, now.manoeuvre == nil,
                let pose = now.pose?.value
            else { return false }
            let speed = now.velocityMetresPerSecond?.value.length ?? .infinity
            if box.isHome(pose), speed < Self.visible {
                try? await clock.sleep(for: Self.settling)
                return !Task.isCancelled
            }
        }
        return false
    }

    func measured(since start: MonotonicTime) -> Measured {
        guard !samples.isEmpty else {
            return .absent(obstacle ?? "not requested with --motion")
        }
        let taken = samples.enumerated().map { number, sample in
            LatencySample(
                number: number, intendedNanoseconds: (sample.intendedAt - start).nanoseconds,
                nanoseconds: sample.seenAt.map { ($0 - sample.intendedAt).nanoseconds }, round: sample.number)
        }
        return .series(
            LatencySeries(samples: taken, traffic: .init(intended: taken.count, sent: taken.count), clock: .same))
    }
}
