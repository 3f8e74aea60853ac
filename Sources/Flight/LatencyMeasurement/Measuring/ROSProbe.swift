internal import FlightRecorder
internal import UAVLink
internal import VehicleAccess

/// Measures ROS from the ground: TCPROS, or in ROS 2 the session with the vehicle's Zenoh router. The companion observes what reaches the vehicle.
actor ROSProbe: Probe {
    nonisolated let link = MeasuredLink.ros
    nonisolated let relays: RelaySet
    private let setting: ProbeSetting
    private var ros: (any StampedLink)?
    private var start = MonotonicTime(nanoseconds: 0)
    private var book = TurnResults()
    private var heard = StampedArrivals()
    private var observed = ObservedSetpoints()
    private var movements: MotionMeasurement
    private var recording: RunRecording?

    init(_ setting: ProbeSetting) {
        self.setting = setting
        movements = MotionMeasurement(setting.box, others: setting.reference.others)
        relays = setting.makeRelays()
    }

    func open() async throws(LinkError) {
        let profile = setting.access.profile
        guard !profile.isSimulatedOnly else {
            throw LinkError(
                .invalidInput, "the simulated vehicle has no ROS",
                hint: "a ROS master that the environment names has another vehicle")
        }
        let ros = try setting.access.ros(through: setting.path(relays))
        self.ros = ros
        do throws(LinkError) { try await ros.connect(within: setting.timeout) } catch {
            // The relay accepts a connection before it knows whether the other end does.
            guard error.code == .rosMasterUnreachable, let reason = await refusal() else { throw error }
            throw reason
        }
    }

    /// Why the master or router cannot be reached, past the relays; `nil` if it can.
    private func refusal() async -> LinkError? {
        do throws(LinkError) {
            let direct = try setting.access.ros(through: nil)
            do throws(LinkError) { try await direct.connect(within: setting.timeout) } catch {
                await direct.close()
                throw error
            }
            await direct.close()
            return nil
        } catch {
            return error
        }
    }

    func begin(at start: MonotonicTime, recording: RunRecording?) {
        self.recording = recording
        self.start = start
        book.beginCondition()
        heard = StampedArrivals()
        observed.beginCondition()
        movements = MotionMeasurement(setting.box, others: setting.reference.others)
    }

    func prepare(_ turn: Turn) async {
        await setting.reference.watch(true)
        // The companion has to find and connect to our publisher first, over the bad link.
        try? await Task.sleep(for: ObservedSetpoints.subscriptionLead)
    }

    func take(_ turn: Turn) async {
        guard let ros, setting.reference.others.ending() == nil else { return await setting.reference.watch(false) }
        let began = setting.clock.now
        let dark = startBlackout(turn.dark)
        let listening = Task { () -> [(stampedAt: MonotonicTime?, arrivedAt: MonotonicTime)] in
            var heard: [(stampedAt: MonotonicTime?, arrivedAt: MonotonicTime)] = []
            var newest: MonotonicTime?
            for await update in ros.telemetry() {
                if Task.isCancelled { break }
                guard let at = update.pose?.at, at != newest else { continue }
                newest = at
                heard.append((ros.stamp(ofPoseAt: at), at))
            }
            return heard
        }
        if turn.steeringFor > .zero { await steer(turn, over: ros) }
        await dark?.value
        if turn.commands > 0, !Task.isCancelled { await call(turn, over: ros) }
        listening.cancel()
        let came = await listening.value
        if !turn.isWarmUp {
            heard.add(came, of: turn, from: began, to: setting.clock.now)
        }
        await setting.reference.watch(false)
        observed.add(await setting.reference.takeSeen())
    }

    private func steer(_ turn: Turn, over ros: any StampedLink) async {
        let others = setting.reference.others
        let shots = await book.steer(turn, over: ros, unless: others, clock: setting.clock) {
            (setpoint) throws(LinkError) in
            try ros.steer(setpoint)
        }
        book.add(shots, of: turn)
    }

    private func call(_ turn: Turn, over ros: any StampedLink) async {
        let (run, schedule, flag) = (
            ScheduledCommands(setting), book.commandSchedule(turn, clock: setting.clock), StopFlag()
        )
        let shots = await withTaskCancellationHandler {
            await run.run(schedule, over: ros, isStopped: flag)
        } onCancel: {
            flag.set()
        }
        book.add(shots, of: turn)
    }

    func push() async -> Pose? {
        guard let ros else { return nil }
        var movements = movements
        let home = await movements.push(over: recording?.around(ros) ?? ros, clock: setting.clock)
        self.movements = movements
        return home
    }

    func goBack(to home: Pose) async {
        guard let ros else { return }
        await movements.goBack(to: home, over: recording?.around(ros) ?? ros, clock: setting.clock)
    }

    func finish() async -> LinkRun {
        defer { book.endCondition() }
        await Self.waitEvenIfCancelled(ObservedSetpoints.lastRecords)
        observed.add(await setting.reference.takeSeen())
        return await soFar()
    }

    func soFar() async -> LinkRun {
        var run = LinkRun(
            link: link.rawValue, how: setting.access.profile.ros.isTwo ? MeasuredLink.howInROS2 : link.how)
        run.command = book.commanded.isEmpty ? .absent("not measured") : .series(commandSeries)
        run.motion = movements.measured(since: start)
        run.steering = observed.steering(book, since: start, await setting.reference.track, sequence: Self.sentNumber)
        run.telemetry = await telemetry
        return run
    }

    func recorded(in recording: RunRecording) async -> [RecordingEntry] {
        observed.entries(book, in: recording, await setting.reference.track, sequence: Self.sentNumber)
    }

    /// The `seq`, or the number in the attachment, with which a setpoint was sent; `nil` if it was not.
    private static func sentNumber(of shot: SteeringAttempt) -> UInt32? {
        guard let receipt = shot.receipt, receipt.sentAt != nil else { return nil }
        return UInt32(truncatingIfNeeded: receipt.number)
    }

    private var commandSeries: LatencySeries {
        let samples = book.commanded.map { shot -> LatencySample in
            let whole = shot.answeredAt.map { ($0 - shot.intendedAt).nanoseconds }
            var sample = shot.sample(since: start)
            sample.nanoseconds = whole
            // Network and service time cannot be separated here.
            sample.stages = whole.map {
                StageTimes(whole: $0, known: [.queue: (shot.calledAt - shot.intendedAt).nanoseconds])
            }
            return sample
        }
        return LatencySeries(
            samples: samples, warmUpDropped: book.warmUp.command,
            traffic: .init(intended: book.commanded.count, sent: book.commanded.count), clock: .same,
            intendedHertz: book.hertz.command)
    }

    private var telemetry: Measured {
        get async {
            // Whether the vehicle's stamps differ from its own companion's clock is seen on board only.
            let onBoard = await setting.reference.stampClock
            let own = ros?.latestTelemetry?.stampClock
            return heard.measured(
                since: start, await setting.reference.stampClockTrack,
                onBoard ?? (own?.kind == .simulated ? own : nil), over: link.rawValue)
        }
    }

    func vehicleTime() async -> LinkCost.Known<Int64> {
        .unknown("the vehicle's own nodes, which do other work besides")
    }

    func close() async {
        await ros?.close()
        relays.close()
    }
}
