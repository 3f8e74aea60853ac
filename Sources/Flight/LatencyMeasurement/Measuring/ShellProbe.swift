internal import FlightRecorder
internal import LatencyStatistics
internal import MRS
internal import ReportKit
internal import SSHTransport
internal import Statistics
internal import UAVLink
internal import VehicleAccess

/// Measures commands that run programs on the vehicle: `rosservice`, each in a separate exec channel, or in a warm shell.
actor ShellProbe: Probe {
    nonisolated let link: MeasuredLink
    nonisolated let relays: RelaySet
    private let setting: ProbeSetting
    private var session: SSHSession?
    private var shell: SSHWarmShell?
    private var lines: ROSCommandLines?
    /// The start-up of the login shell and of `rosservice`, measured before this turn, nanoseconds; that of the set-up is known of each
    /// call.
    private var startUp = (shell: Int64(0), program: Int64(0))
    /// Those before the turns of the condition.
    private var starts: [(shell: Int64, program: Int64)] = []
    private var warmUpCalls = 0
    private var start = MonotonicTime(nanoseconds: 0)
    private var commands: [LatencySample] = []
    private var replies: [CommandReply?] = []
    private var setpoints: [LatencySample] = []
    private var setpointsSent = 0
    private var steeringSeconds = 0.0
    private var steeringHertz = 0.0
    private var telemetry = EchoedTelemetry()

    /// How long a link over a shell steers in a turn, where calls take about a second each: in the first rounds for two calls,
    /// between which there is a gap, later for one. `nil`, not at all, after so many rounds as an interval takes.
    static func steeringFor(inRound round: Int) -> Duration? {
        guard round < ClusterBootstrap.minimumRounds else { return nil }
        return round < 4 ? .milliseconds(1500) : .milliseconds(800)
    }

    init(_ link: MeasuredLink, _ setting: ProbeSetting) {
        self.link = link
        self.setting = setting
        relays = setting.makeRelays()
    }

    func open() async throws(LinkError) {
        let session = try await setting.access.logIn(
            through: setting.path(relays), at: setting.address, within: setting.timeout)
        self.session = session
        let whole = try await setting.access.commandLines(in: session, within: setting.timeout)
        // A timed call would wait on the vehicle for a service that is not there, and send a hover that is long out of date.
        guard !whole.environment.ros.isTwo else {
            throw LinkError(
                .unsupported, "calls by ROS 2's own programs are not measured", hint: "measure udp, tcp or ros")
        }
        if link == .sshShell {
            // The set-up is read once, by the shell itself.
            lines = ROSCommandLines(names: whole.names)
            shell = SSHWarmShell(session, setup: whole.setup)
        } else {
            lines = whole
        }
        startUp = try await timedStart()
        // Not counted: it warms up.
        if await setting.reference.mayGoOn() { _ = try await call(try ServiceCall(setting.command)) }
    }

    /// How long the login shell takes, where each call starts one, and `rosservice` without a call, the start of Python and its imports:
    /// both by the vehicle's own clock, so that no impairment is taken for them.
    private func timedStart() async throws(LinkError) -> (shell: Int64, program: Int64) {
        guard let lines else { return (0, 0) }
        let result = try await run(lines.timedStart(withShell: link == .ssh))
        let times = RemoteTimes(standardError: result.errorText)
        return (times?.shellNanoseconds ?? 0, times?.programNanoseconds ?? 0)
    }

    /// Times these starts before each turn: they change with the load of the vehicle's computer.
    func prepare(_ turn: Turn) async {
        // If that fails the turn has the times of the one before.
        guard !turn.isWarmUp, turn.commands > 0, !Task.isCancelled, let start = try? await timedStart() else { return }
        startUp = start
        starts.append(start)
    }

    private func run(_ command: RemoteCommand) async throws(LinkError) -> SSHCommandResult {
        if let shell { return try await shell.run(command.line, within: setting.timeout) }
        guard let session else { throw LinkError(.notConnected, "the SSH link is not connected") }
        return try await session.run(command.line, within: setting.timeout)
    }

    /// Calls a service; returns the answer and the remote times, if they were reported.
    private func call(_ call: ServiceCall) async throws(LinkError) -> (times: RemoteTimes?, reply: CommandReply) {
        guard let lines else { throw LinkError(.notConnected, "the SSH link is not connected") }
        let result = try await run(lines.timedCall(call))
        // A refusal by the vehicle is an answer.
        let reply = try call.reply(to: RemoteResult(result))
        return (RemoteTimes(standardError: result.errorText), reply)
    }

    func begin(at start: MonotonicTime, recording: RunRecording?) {
        self.start = start
        (commands, replies, setpoints, telemetry) = ([], [], [], EchoedTelemetry())
        (setpointsSent, steeringSeconds, starts) = (0, 0, [])
    }

    func take(_ turn: Turn) async {
        if turn.isWarmUp { return await warmUp() }
        if turn.isFirst, link == .ssh, let session, let lines {
            telemetry = await telemetry.extended(on: session, lines, setting)
        }
        if turn.steeringFor > .zero, !Task.isCancelled, let length = Self.steeringFor(inRound: turn.round) {
            await steer(turn, for: length)
        }
        guard turn.commands > 0, !Task.isCancelled, await setting.reference.mayGoOn() else { return }
        let dark = startBlackout(turn.dark)
        // The one command of the turn has a phase, as the first of a schedule has.
        let intendedAt = setting.clock.now + turn.phase.commands
        try? await setting.clock.sleep(until: intendedAt)
        let calledAt = setting.clock.now
        var sample = LatencySample(
            number: commands.count, intendedNanoseconds: (intendedAt - start).nanoseconds, nanoseconds: nil,
            round: turn.round)
        var reply: CommandReply?
        do throws(LinkError) {
            let (times, answer) = try await call(try ServiceCall(setting.command))
            complete(&sample, intendedAt: intendedAt, calledAt: calledAt, times)
            reply = answer
        } catch {
            // It stays without an answer; if the run was cancelled it is not counted.
            if Task.isCancelled { return }
        }
        commands.append(sample)
        replies.append(reply)
        await dark?.value
    }

    /// One call, which counts in nothing.
    private func warmUp() async {
        guard await setting.reference.mayGoOn(), let request = try? ServiceCall(setting.command),
            (try? await call(request)) != nil
        else { return }
        warmUpCalls += 1
    }

    private func complete(
        _ sample: inout LatencySample, intendedAt: MonotonicTime, calledAt: MonotonicTime, _ times: RemoteTimes?
    ) {
        let whole = (setting.clock.now - intendedAt).nanoseconds
        sample.nanoseconds = whole
        guard let times else { return }
        let remote = times.setupNanoseconds + times.programNanoseconds
        let program = min(times.programNanoseconds, startUp.program)
        let queue = (calledAt - intendedAt).nanoseconds
        let shell = min(startUp.shell, max(0, whole - queue - remote))
        sample.stages = StageTimes(
            whole: whole,
            known: [
                .queue: queue, .startUp: shell + times.setupNanoseconds + program,
                .ros: times.programNanoseconds - program,
            ])
    }

    /// Calls one after the other, each with the newest setpoint: those scheduled in between are skipped.
    private func steer(_ turn: Turn, for length: Duration) async {
        let schedule = FixedSchedule(
            start: setting.clock.now + turn.phase.steering, period: turn.steeringPeriod,
            count: max(1, Int(saturating: length / turn.steeringPeriod)), first: setpoints.count)
        var next = 0
        while next < schedule.count, !Task.isCancelled, setting.reference.others.ending() == nil {
            let now = setting.clock.now
            let newest = Int(saturating: (now - schedule.start) / turn.steeringPeriod)
            while next < min(newest, schedule.count) {
                var skipped = leftOut(next, schedule, turn)
                skipped.fate = .superseded
                setpoints.append(skipped)
                next += 1
            }
            guard next < schedule.count else { break }
            let due = schedule.due(next)
            if due > now { try? await Task.sleep(for: due - now) }
            var sample = leftOut(next, schedule, turn)
            let calledAt = setting.clock.now
            let setpoint = VelocitySetpoint(velocityMetresPerSecond: .zero, frame: .body, intendedAt: due)
            do throws(LinkError) {
                setpointsSent += 1
                let answer = try await call(try ServiceCall(setpoint))
                complete(&sample, intendedAt: due, calledAt: calledAt, answer.times)
            } catch {}
            setpoints.append(sample)
            next += 1
        }
        steeringSeconds += max((setting.clock.now - schedule.start).inSeconds, 0.001)
        steeringHertz = 1 / turn.steeringPeriod.inSeconds
    }

    private func leftOut(_ index: Int, _ schedule: FixedSchedule, _ turn: Turn) -> LatencySample {
        LatencySample(
            number: schedule.first + index, intendedNanoseconds: (schedule.due(index) - start).nanoseconds,
            nanoseconds: nil, round: turn.round)
    }

    func push() async -> Pose? { nil }

    func goBack(to home: Pose) async {}

    func recorded(in recording: RunRecording) async -> [RecordingEntry] {
        func passage(_ sample: LatencySample) -> RunRecording.Passage {
            let intended = start + .nanoseconds(sample.intendedNanoseconds)
            // Only ground times are known: when it was called, and when its answer arrived.
            let queue = sample.stages?[.queue] ?? 0
            return .init(intendedAt: intended, sentAt: intended + .nanoseconds(queue))
        }
        // Setpoints that were skipped for a newer one were never sent.
        let steered = setpoints.filter { $0.nanoseconds != nil }.map { recording.setpoint(passage($0), fate: .applied) }
        return steered
            + zip(commands, replies).map { sample, reply in
                let passage = passage(sample)
                return recording.command(
                    passage, answeredAt: sample.nanoseconds.map { passage.intendedAt + .nanoseconds($0) }, reply)
            }
    }

    func finish() async -> LinkRun {
        defer { warmUpCalls = 0 }
        return await soFar()
    }

    func soFar() async -> LinkRun {
        var run = LinkRun(link: link.rawValue, how: how)
        run.motion = .absent("setpoints over a shell are too slow for this")
        if !commands.isEmpty {
            run.command = .series(
                LatencySeries(
                    samples: commands, warmUpDropped: warmUpCalls,
                    traffic: .init(intended: commands.count, sent: commands.count)))
        }
        if !setpoints.isEmpty {
            let arrived = setpoints.count { $0.nanoseconds != nil }
            run.steering = .series(
                LatencySeries(
                    samples: setpoints, traffic: .init(intended: setpoints.count, sent: setpointsSent), clock: .same,
                    intendedHertz: steeringHertz,
                    achievedHertz: steeringSeconds > 0 ? Double(arrived) / steeringSeconds : nil))
        }
        run.telemetry =
            link == .ssh
            ? telemetry.measured(
                from: start, track: await setting.reference.stampClockTrack,
                stampClock: await setting.reference.stampClock)
            : .absent("rostopic echo needs a separate exec channel: see ssh")
        return run
    }

    /// Includes the measured start-up times, so that they can be separated from the link's own share.
    private var how: String {
        func text(_ nanoseconds: Int64) -> String { "\((nanoseconds + 500_000) / 1_000_000) ms" }
        let shell = text(Samples(starts.map { $0.shell }).median ?? startUp.shell)
        let program = text(Samples(starts.map { $0.program }).median ?? startUp.program)
        return
            "\(link.how); start-up of a call: \(link == .ssh ? "login shell \(shell), " : "")rosservice \(program) (medians of what was "
            + "timed before each turn), and its set-up, timed in each call; steering is a service call too, round trip"
    }

    func vehicleTime() async -> LinkCost.Known<Int64> {
        let text = "sshd of the session and what it has run"
        do throws(LinkError) {
            guard let session else { return .unknown("the SSH link is not connected") }
            let result =
                if let shell {
                    try await shell.run(RemoteProcessorTime.ofShell, within: setting.timeout)
                } else {
                    try await session.run(RemoteProcessorTime.ofSSHD, within: setting.timeout)
                }
            let time = RemoteProcessorTime.nanoseconds(
                result.outputText, lines: shell == nil ? 1 : 2, first: shell == nil ? "sshd" : nil)
            return time.map { .value($0, of: text) } ?? .unknown("the vehicle's system does not say")
        } catch {
            return .unknown("the vehicle did not answer")
        }
    }

    func close() async {
        shell?.close()
        await session?.close()
        relays.close()
    }
}
