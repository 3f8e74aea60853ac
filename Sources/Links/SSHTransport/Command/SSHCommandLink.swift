internal import MRS
internal import Synchronization
package import UAVLink

/// A link that uses only SSH and ROS's command line tools: each command is one `rosservice call`, in a new channel of an open SSH
/// session (`ssh`) or in a shell that is already open there (`ssh-shell`); telemetry is the output of `rostopic echo`.
///
/// It needs only ROS on the vehicle. A command takes about 1 s there, most of it Python's start-up. Steering sends one
/// setpoint at a time, so about one per second, and each moves the vehicle for 0.5 s, after which the tracker stops by
/// itself: usable for small corrections, not for manual flight.
package final class SSHCommandLink: UAVLink {
    private struct State {
        enum Phase { case idle, connected, closed }
        var phase = Phase.idle
        var session: SSHSession?
        /// The open shells; only over `ssh-shell`.
        var shells: ShellPool?
        var telemetry: EchoTelemetry?
        var following: Task<Void, Never>?
        var steering = SteeringSlot()
        var roundTrips = RoundTripWindow()
    }

    /// ``LinkKind/ssh`` or ``LinkKind/sshShell``.
    package let kind: LinkKind
    let names: VehicleNames
    let environment: EnvironmentFinder
    let clock: any MonotonicClock
    private let provideSession: @Sendable (Duration) async throws(LinkError) -> SSHSession
    private let broadcast = Broadcast<Telemetry>()
    let programs: Programs
    private let state = Mutex(State())

    /// The output limit of a command, bytes; a normal answer is a few lines.
    static let largestAnswer = 1 << 20
    /// The timeout of a steering call; it normally takes about 1 s.
    private static let steeringCallTimeout: Duration = .seconds(5)

    /// Creates a link that is not yet connected.
    ///
    /// - Parameters:
    ///   - kind: ``LinkKind/sshShell`` to run commands in open shells; any other is ``LinkKind/ssh``.
    ///   - vehicle: the vehicle's name, for example `uav1`.
    ///   - environment: finds ROS on the vehicle.
    ///   - clock: the time source.
    ///   - session: provides the session within the given timeout; called by every ``connect(within:)``. The session may
    ///     be shared with others; the link does not close it.
    /// - Throws: ``LinkError`` with `invalidInput` when `vehicle` is not a valid name.
    package init(
        _ kind: LinkKind = .ssh, vehicle: String, environment: EnvironmentFinder,
        clock: any MonotonicClock = SystemMonotonicClock(),
        session: @escaping @Sendable (Duration) async throws(LinkError) -> SSHSession
    ) throws(LinkError) {
        self.kind = kind == .sshShell ? .sshShell : .ssh
        names = try VehicleNames(vehicle: vehicle)
        self.environment = environment
        self.clock = clock
        programs = Programs(clock: clock)
        provideSession = session
    }

    deinit { end() }

    // MARK: Life

    /// Logs in, looks up the hover service and starts to read telemetry.
    ///
    /// - Throws: ``LinkError`` as ``SSHSession/connect(to:authentication:hostKeys:within:)``; `rosMasterUnreachable`,
    ///   `serviceMissing` when the flight stack does not run, `remoteFailed` when ROS is not found or
    ///   the profile's `setup` fails; `closed`.
    package func connect(within timeout: Duration) async throws(LinkError) {
        let deadline = Deadline(in: timeout)
        switch state.withLock({ $0.phase }) {
        case .closed: throw Self.closed
        case .connected: if state.withLock({ $0.session?.isConnected ?? false }) { return }
        case .idle: break
        }
        let session = try await provideSession(timeout)
        let shells = kind == .sshShell ? makeShells(in: session) : nil
        async let opening: Void = openFirst(of: shells, in: session, by: deadline)
        let probe = try ServiceCall(.hover)
        let result = try await run(on: session, by: deadline, programs.others) { $0.type(of: probe) }
        if result.exitStatus != 0 {
            _ = try probe.reply(to: result, from: environment.ros)
            throw LinkError(.rosMasterUnreachable, "cannot determine whether the flight stack runs")
        }
        await opening
        let telemetry = EchoTelemetry(names, environment, clock: clock, broadcast: broadcast)
        let following = Task { [programs] in await telemetry.follow(session, register: programs.echoes) }
        // The telemetry task of the previous session, or the new one if the link was closed meanwhile.
        let (obsolete, oldShells) = state.withLock { state -> (Task<Void, Never>?, ShellPool?) in
            guard state.phase != .closed else { return (following, shells) }
            state.phase = .connected
            state.session = session
            state.telemetry = telemetry
            state.steering.forget()
            defer { (state.following, state.shells) = (following, shells) }
            return (state.following, state.shells)
        }
        obsolete?.cancel()
        oldShells?.close()
        if state.withLock({ $0.phase == .closed }) { throw Self.closed }
    }

    /// Ends telemetry and all pending calls; the session stays open, since others may use it.
    ///
    /// A command that stops, lands or switches off the vehicle and is under way, also one whose caller has left, is given
    /// ``Programs/farewell`` to reach it.
    package func close() async {
        endAllButHalts()
        await programs.closeHalts()
        let following = state.withLock { $0.following.take() }
        await following?.value
    }

    private func end() {
        endAllButHalts()
        programs.halts.closeAll(includingLater: true)
    }

    private func endAllButHalts() {
        let (following, shells) = state.withLock { state in
            state.phase = .closed
            state.steering.forget()
            state.session = nil
            return (state.following, state.shells.take())
        }
        following?.cancel()
        shells?.close()
        programs.closeAllButHalts()
        broadcast.finish()
    }

    func session() throws(LinkError) -> SSHSession {
        let (phase, session) = state.withLock { ($0.phase, $0.session) }
        switch phase {
        case .closed: throw Self.closed
        case .idle: throw LinkError(.notConnected, "the SSH link is not connected")
        case .connected: break
        }
        guard let session else { throw LinkError(.notConnected, "the SSH link is not connected") }
        if let failure = session.failure { throw LinkError(.notConnected, failure.what, hint: failure.hint) }
        return session
    }

    var isClosed: Bool { state.withLock { $0.phase } == .closed }

    func note(roundTrip: Duration) { state.withLock { $0.roundTrips.add(roundTrip, at: clock.now) } }

    /// The open shells; `nil` over `ssh`.
    var shells: ShellPool? { state.withLock { $0.shells } }

    // MARK: Programs

    /// Runs a program on the vehicle that ends when its channel closes.
    func run(
        by deadline: Deadline, _ command: (ROSCommandLines) -> RemoteCommand
    ) async throws(LinkError) -> RemoteResult {
        try await run(on: session(), by: deadline, programs.others, command)
    }

    /// Runs a program in the environment of ROS; closing `register` after `moment`, which is now if `nil`, ends it.
    func run(
        on session: SSHSession, by deadline: Deadline, _ register: ChannelRegister,
        begunAt moment: ChannelRegister.Moment? = nil, isWanted: @escaping @Sendable () -> Bool = { true },
        _ command: (ROSCommandLines) -> RemoteCommand
    ) async throws(LinkError) -> RemoteResult {
        let moment = moment ?? register.now
        return try await environment.run(in: session, within: deadline.remaining, needsROS: true) {
            (lines, _) async throws(LinkError) -> RemoteResult in
            try await session.run(
                command(lines), by: deadline, outputLimit: Self.largestAnswer, register: register, begunAt: moment,
                isWanted: isWanted)
        } result: {
            $0
        }
    }

    // MARK: Steering

    /// Sends the setpoint when no other is in progress; otherwise it is queued, and the newest wins.
    @discardableResult
    package func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        try setpoint.validate()
        _ = try session()
        let number = state.withLock { $0.steering.offer(setpoint) }
        steerOn()
        // The channel for it is opened by a task.
        return SteeringReceipt(number: number, sentAt: nil)
    }

    private func steerOn() {
        let now = clock.now
        // Taken before the setpoint is dequeued: a stop command that arrives while the channel opens must abort it, too.
        let moment = programs.steerings.now
        guard let setpoint = state.withLock({ $0.steering.next(now: now) }) else { return }
        Task { [weak self] in await self?.send(setpoint, begunAt: moment) }
    }

    private func send(_ setpoint: VelocitySetpoint, begunAt moment: ChannelRegister.Moment) async {
        // Asked again when it is sent: it may have waited for a channel.
        let isCurrent: @Sendable () -> Bool = { [clock] in setpoint.isCurrent(at: clock.now) }
        do throws(LinkError) {
            let call = try ServiceCall(setpoint)
            let result = try await run(
                call, on: session(), by: Deadline(in: Self.steeringCallTimeout), programs.steerings, begunAt: moment,
                isWanted: isCurrent)
            let isAccepted = try call.reply(to: result, from: environment.ros).accepted
            state.withLock { $0.steering.finished(accepted: isAccepted) }
        } catch {
            // Steering has no answer; failures show in the link quality.
            let hasExpired = error == ChannelRecord.unwanted
            state.withLock { hasExpired ? $0.steering.expiredUnsent() : $0.steering.finished(accepted: false) }
        }
        steerOn()
    }

    /// A command that takes over from steering begins, or has ended.
    func suspendSteering() { state.withLock { $0.steering.commandBegins() } }
    func allowSteering() { state.withLock { $0.steering.commandEnds() } }

    /// A stream of all telemetry changes from now on.
    package func telemetry() -> AsyncStream<Telemetry> { broadcast.stream() }

    /// See ``UAVLink/UAVLink/observeTelemetry(_:)``.
    package func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation {
        broadcast.observe(body)
    }

    /// The newest telemetry.
    package var latestTelemetry: Telemetry? { broadcast.latest }

    /// The link quality; round trips are those of commands.
    package var quality: LinkQuality {
        let (steering, trips, telemetry, session) = state.withLock {
            ($0.steering, $0.roundTrips, $0.telemetry, $0.phase == .connected ? $0.session : nil)
        }
        var quality = LinkQuality(isConnected: session?.isConnected ?? false)
        (quality.roundTrip, quality.roundTripAt) = (trips.newest, trips.newestAt)
        quality.roundTripMedian = trips.percentile(0.5)
        quality.roundTripP99 = trips.percentile(0.99)
        if let rate = telemetry?.rate {
            quality.telemetryRateHertz = rate.hertz
            quality.lastTelemetryAt = rate.last
        }
        if quality.isConnected { quality.telemetryFault = telemetry?.fault }
        quality.setpointsSent = steering.sent
        quality.setpointsApplied = steering.applied
        quality.setpointsExpired = steering.expired
        return quality
    }

    static let closed = LinkError(.closed, "the SSH link was closed")
}
