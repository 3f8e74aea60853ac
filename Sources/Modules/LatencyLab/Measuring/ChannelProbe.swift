internal import SSHTransport
internal import SocketTransport
internal import Threads
internal import UAVLink
internal import VehicleAccess

/// Measures the socket channel over UDP, over TCP or inside an SSH session.
actor ChannelProbe: Probe {
    nonisolated let link: LaboratoryLink
    nonisolated let relays: RelaySet
    private let setting: ProbeSetting
    private var socket: SocketLink?
    private var session: SSHSession?
    private var notes = ChannelNotes()
    private var start = MonotonicTime(nanoseconds: 0)
    private var shots: [SteeringShot] = []
    private var calls: [CommandShot] = []
    private var windows: [Range<MonotonicTime>] = []
    private var steeringSeconds = 0.0
    private var hertz = (steering: 0.0, command: 0.0)
    private var warmUp = (steering: 0, command: 0)
    private var movements = MotionNotes()

    init(_ link: LaboratoryLink, _ setting: ProbeSetting) {
        self.link = link
        self.setting = setting
        relays = RelaySet(seed: setting.seed)
    }

    func open() async throws(LinkError) {
        let (access, timeout) = (setting.access, setting.timeout)
        let socket: SocketLink
        if link == .sshTunnel {
            let session = try await access.logIn(through: relays, at: setting.address, within: timeout)
            self.session = session
            socket = try access.tunnelledChannel(in: session)
        } else {
            socket = try access.channel(link == .udp ? .udp : .tcp, through: relays, at: setting.address)
        }
        self.socket = socket
        socket.startTracing()
        try await socket.connect(within: timeout)
    }

    func begin(at start: MonotonicTime) {
        gather()
        notes = ChannelNotes()
        self.start = start
        (shots, calls, windows) = ([], [], [])
        steeringSeconds = 0
        movements = MotionNotes()
    }

    func take(_ turn: Turn) async {
        guard let socket else { return }
        let began = setting.clock.now
        let dark = darken(turn.dark)
        if turn.steeringFor > .zero { await steer(turn, over: socket) }
        // Ends the lease by itself: lapsing, it would make the companion ask the vehicle for a hover amid the commands.
        _ = try? await socket.perform(setting.command.stopsMotion ? setting.command : .hover, within: setting.timeout)
        await dark?.value
        if turn.commands > 0, !Task.isCancelled { await call(turn, over: socket) }
        if !turn.isWarmUp { windows.append(began..<max(began, setting.clock.now)) }
        gather()
    }

    private func steer(_ turn: Turn, over socket: SocketLink) async {
        let schedule = FixedSchedule(
            start: setting.clock.now + .milliseconds(2), period: turn.steeringPeriod,
            count: max(1, Int(turn.steeringFor / turn.steeringPeriod)), first: shots.count)
        let run = ScheduledSteering(clock: setting.clock, wait: PreciseWait(clock: setting.clock))
        let flag = StopFlag()
        let taken = await withTaskCancellationHandler {
            await OwnThread.run {
                run.run(schedule, isStopped: { flag.value }) { (setpoint) throws(LinkError) in
                    try socket.steer(setpoint)
                    return nil
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

    private func call(_ turn: Turn, over socket: SocketLink) async {
        let schedule = FixedSchedule(
            start: setting.clock.now + .milliseconds(2), period: turn.commandPeriod, count: turn.commands,
            first: calls.count)
        let run = ScheduledCommands(
            clock: setting.clock, wait: PreciseWait(clock: setting.clock), command: setting.command,
            timeout: setting.timeout)
        let taken = await run.run(schedule, over: socket)
        hertz.command = 1 / turn.commandPeriod.inSeconds
        if turn.isWarmUp { return warmUp.command += taken.count }
        calls += taken
    }

    func move() async {
        guard let socket else { return }
        var movements = movements
        await movements.move(over: socket, clock: setting.clock)
        self.movements = movements
    }

    private func gather() {
        for part in socket?.takeTrace() ?? [] { notes.add(part) }
    }

    func finish() async -> LinkRun {
        defer { warmUp = (0, 0) }
        // The companion's notes come a few times a second, and later over a bad link.
        let deadline = setting.clock.now + Self.patience
        repeat {
            gather()
            if notes.setpointsWithoutRecord == 0 { break }
            try? await Task.sleep(for: .milliseconds(100))
        } while setting.clock.now < deadline && !Task.isCancelled
        var run = LinkRun(link: link.rawValue, how: link.how)
        if !calls.isEmpty {
            run.command = .series(
                notes.commands(calls, since: start, warmUpDropped: warmUp.command, hertz: hertz.command))
        }
        run.motion = movements.measured(since: start)
        guard let clock = await setting.reference.better(than: socket?.clockOffset()) else {
            run.steering = .absent("the clocks of both ends were not compared")
            run.telemetry = run.steering
            return run
        }
        let (offset, bound) = (clock.offsetNanoseconds, clock.boundNanoseconds)
        if !shots.isEmpty {
            run.steering = .series(
                notes.steering(
                    shots, since: start, offset: offset, bound: bound, warmUpDropped: warmUp.steering,
                    hertz: hertz.steering, seconds: steeringSeconds))
        }
        run.telemetry = .series(notes.telemetry(windows, since: start, offset: offset, bound: bound))
        return run
    }

    /// What is lost is asked for again within half a second, and twice over a link that loses a third.
    private static let patience: Duration = .milliseconds(1500)

    func close() async {
        await socket?.close()
        await session?.close()
        relays.close()
    }
}
