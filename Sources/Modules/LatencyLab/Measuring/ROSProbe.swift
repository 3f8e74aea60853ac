internal import Threads
internal import UAVCore
internal import UAVLink
internal import VehicleAccess

/// Measures ROS straight from the ground. The companion watches what reaches the vehicle.
actor ROSProbe: Probe {
    nonisolated let link = LaboratoryLink.ros
    nonisolated let relays: RelaySet
    private let setting: ProbeSetting
    private var ros: ROSLink?
    private var start = MonotonicTime(nanoseconds: 0)
    private var shots: [SteeringShot] = []
    private var calls: [CommandShot] = []
    private var heard: [(stampedAt: MonotonicTime?, arrivedAt: MonotonicTime)] = []
    private var seen: [UInt32: MonotonicTime] = [:]
    private var steeringSeconds = 0.0
    private var windowSeconds = 0.0
    private var hertz = (steering: 0.0, command: 0.0)
    private var warmUp = (steering: 0, command: 0)
    private var movements = MotionNotes()

    /// Two calls there and back over 100 ms each way, and the master's notice.
    private static let watchLead: Duration = .milliseconds(600)

    init(_ setting: ProbeSetting) {
        self.setting = setting
        relays = RelaySet(seed: setting.seed)
    }

    func open() async throws(LinkError) {
        let ros = try setting.access.ros(through: relays)
        self.ros = ros
        try await ros.connect(within: setting.timeout)
    }

    func begin(at start: MonotonicTime) {
        self.start = start
        (shots, calls, heard) = ([], [], [])
        seen = [:]
        (steeringSeconds, windowSeconds) = (0, 0)
        movements = MotionNotes()
    }

    func take(_ turn: Turn) async {
        guard let ros else { return }
        await setting.reference.watch(true)
        // The companion has to find and reach our publisher first, over the bad link. It does not watch all the time: its own
        // setpoints, those of the channel, would then have one more place to go to.
        try? await Task.sleep(for: Self.watchLead)
        let began = setting.clock.now
        let dark = darken(turn.dark)
        let listening = Task { () -> [(MonotonicTime?, MonotonicTime)] in
            var heard: [(MonotonicTime?, MonotonicTime)] = []
            var newest: MonotonicTime?
            for await news in ros.telemetry() {
                if Task.isCancelled { break }
                guard let at = news.pose?.at, at != newest else { continue }
                newest = at
                heard.append((news.poseStampedAt, at))
            }
            return heard
        }
        if turn.steeringFor > .zero { await steer(turn, over: ros) }
        await dark?.value
        if turn.commands > 0, !Task.isCancelled { await call(turn, over: ros) }
        listening.cancel()
        let came = await listening.value
        // What was on its way over a bad link is still to be seen.
        if !turn.isWarmUp {
            heard += came.map { (stampedAt: $0.0, arrivedAt: $0.1) }
            windowSeconds += (setting.clock.now - began).inSeconds
        }
        await setting.reference.watch(false)
        seen.merge(await setting.reference.takeSeen()) { first, _ in first }
    }

    private func steer(_ turn: Turn, over ros: ROSLink) async {
        let schedule = FixedSchedule(
            start: setting.clock.now + .milliseconds(2), period: turn.steeringPeriod,
            count: max(1, Int(turn.steeringFor / turn.steeringPeriod)), first: shots.count)
        let run = ScheduledSteering(clock: setting.clock, wait: PreciseWait(clock: setting.clock))
        let flag = StopFlag()
        let taken = await withTaskCancellationHandler {
            await OwnThread.run {
                run.run(schedule, isStopped: { flag.value }) { (setpoint) throws(LinkError) in
                    try ros.steerNumbered(setpoint).map(UInt64.init)
                }
            }
        } onCancel: {
            flag.set()
        }
        hertz.steering = 1 / turn.steeringPeriod.inSeconds
        if turn.isWarmUp { return warmUp.steering += taken?.count ?? 0 }
        shots += taken ?? []
        steeringSeconds += Double(taken?.count ?? 0) * turn.steeringPeriod.inSeconds
    }

    private func call(_ turn: Turn, over ros: ROSLink) async {
        let schedule = FixedSchedule(
            start: setting.clock.now + .milliseconds(2), period: turn.commandPeriod, count: turn.commands,
            first: calls.count)
        let run = ScheduledCommands(
            clock: setting.clock, wait: PreciseWait(clock: setting.clock), command: setting.command,
            timeout: setting.timeout)
        let flag = StopFlag()
        let taken = await withTaskCancellationHandler {
            await run.run(schedule, over: ros, isStopped: flag)
        } onCancel: {
            flag.set()
        }
        hertz.command = 1 / turn.commandPeriod.inSeconds
        if turn.isWarmUp { return warmUp.command += taken.count }
        calls += taken
    }

    func move() async {
        guard let ros else { return }
        var movements = movements
        await movements.move(over: ros, clock: setting.clock)
        self.movements = movements
    }

    func finish() async -> LinkRun {
        defer { warmUp = (0, 0) }
        try? await Task.sleep(for: .milliseconds(600))
        seen.merge(await setting.reference.takeSeen()) { first, _ in first }
        var run = LinkRun(link: link.rawValue, how: link.how)
        run.command = calls.isEmpty ? .absent("not measured") : .series(commandSeries)
        run.motion = movements.measured(since: start)
        run.steering = await steering
        run.telemetry = await telemetry
        return run
    }

    private var commandSeries: LatencySeries {
        let samples = calls.map { shot -> LatencySample in
            let whole = shot.answeredAt.map { ($0 - shot.intendedAt).nanoseconds }
            return LatencySample(
                number: shot.number, intendedNanoseconds: (shot.intendedAt - start).nanoseconds, nanoseconds: whole,
                // What is the network's and what the service's cannot be told apart from here.
                stages: whole.map {
                    StageTimes(whole: $0, known: [.queue: (shot.calledAt - shot.intendedAt).nanoseconds])
                })
        }
        return LatencySeries(
            samples: samples, warmUpDropped: warmUp.command,
            traffic: .init(intended: calls.count, sent: calls.count), clock: .same, intendedHertz: hertz.command)
    }

    private var steering: Measured {
        get async {
            guard let clock = await setting.reference.estimate else {
                return .absent("without a companion nobody sees on the vehicle when setpoints arrive there")
            }
            guard !shots.isEmpty else { return .absent("not measured") }
            var traffic = LatencySeries.Traffic(intended: shots.count, sent: 0)
            var arrived = 0
            let samples = shots.map { shot -> LatencySample in
                var sample = LatencySample(
                    number: shot.number, intendedNanoseconds: (shot.intendedAt - start).nanoseconds, nanoseconds: nil)
                guard let tag = shot.tag else { return sample }
                traffic.sent += 1
                guard let at = seen[UInt32(truncatingIfNeeded: tag)] else { return sample }
                arrived += 1
                let whole = at.nanoseconds &- clock.offsetNanoseconds &- shot.intendedAt.nanoseconds
                sample.nanoseconds = whole
                sample.stages = StageTimes(
                    whole: whole,
                    known: [
                        .queue: (shot.calledAt - shot.intendedAt).nanoseconds,
                        // Written out and handed to the sockets in one.
                        .encode: min((shot.returnedAt - shot.calledAt).nanoseconds, max(0, whole)),
                    ])
                return sample
            }
            traffic.lostUp = traffic.sent - arrived
            return .series(
                LatencySeries(
                    samples: samples, warmUpDropped: warmUp.steering, traffic: traffic,
                    clock: .measured(
                        offsetNanoseconds: clock.offsetNanoseconds, boundNanoseconds: clock.boundNanoseconds),
                    intendedHertz: hertz.steering,
                    achievedHertz: steeringSeconds > 0 ? Double(arrived) / steeringSeconds : nil))
        }
    }

    private var telemetry: Measured {
        get async {
            let correction = await setting.reference.stampCorrectionNanoseconds
            let estimate = await setting.reference.estimate
            let stamped = heard.compactMap { entry in entry.stampedAt.map { ($0, entry.arrivedAt) } }
            guard !stamped.isEmpty else {
                return .absent("the vehicle's messages came without stamps, or none came")
            }
            let samples = stamped.enumerated().map { number, entry in
                let began = MonotonicTime(nanoseconds: entry.0.nanoseconds &+ (correction ?? 0))
                let whole = (entry.1 - began).nanoseconds
                return LatencySample(
                    number: number, intendedNanoseconds: (began - start).nanoseconds, nanoseconds: whole,
                    stages: StageTimes(whole: whole, known: [:]))
            }
            let clock: LatencySeries.ClockRelation =
                if let correction, let estimate {
                    .measured(offsetNanoseconds: correction, boundNanoseconds: estimate.boundNanoseconds)
                } else { .unknown }
            return .series(
                LatencySeries(
                    samples: samples, traffic: .init(intended: samples.count, sent: samples.count), clock: clock,
                    achievedHertz: windowSeconds > 0 ? Double(samples.count) / windowSeconds : nil))
        }
    }

    func close() async {
        await ros?.close()
        relays.close()
    }
}
