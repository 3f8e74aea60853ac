internal import MRS
internal import Synchronization
package import UAVLink

/// A link that uses only SSH and ROS's command line tools: each command is one `rosservice call` in a new channel of an
/// open SSH session, and telemetry is the output of `rostopic echo`.
///
/// It needs only ROS on the vehicle. A command takes about 1 s there, most of it Python's start-up. Steering sends one
/// setpoint at a time, so about one per second, and each moves the vehicle for 0.5 s, after which the tracker stops by
/// itself: usable for small corrections, not for manual flight.
package final class SSHCommandLink: UAVLink {
    private struct State {
        enum Phase { case idle, connected, closed }
        var phase = Phase.idle
        var session: SSHSession?
        var telemetry: EchoTelemetry?
        var following: Task<Void, Never>?
        var steering = SteeringSlot()
        var roundTrips = RoundTripWindow()
    }

    /// Always ``LinkKind/ssh``.
    package let kind = LinkKind.ssh
    let names: VehicleNames
    let environment: EnvironmentFinder
    private let clock: any MonotonicClock
    private let provideSession: @Sendable (Duration) async throws(LinkError) -> SSHSession
    private let broadcast = Broadcast<Telemetry>()
    private let commands = ChannelRegister()
    /// Those of commands that move the vehicle: a newer one, or one that stops it, ends what has not reached it.
    private let motions = ChannelRegister()
    private let steerings = ChannelRegister()
    private let echoes = ChannelRegister()
    private let state = Mutex(State())

    /// The output limit of a command, bytes; a normal answer is a few lines.
    static let largestAnswer = 1 << 20
    /// The timeout of a steering call; it normally takes about 1 s.
    private static let steeringCallTimeout: Duration = .seconds(5)

    /// Creates a link that is not yet connected.
    ///
    /// - Parameters:
    ///   - vehicle: the vehicle's name, for example `uav1`.
    ///   - environment: finds ROS on the vehicle.
    ///   - clock: the time source.
    ///   - session: provides the session within the given timeout; called by every ``connect(within:)``. The session may
    ///     be shared with others; the link does not close it.
    /// - Throws: ``LinkError`` with `invalidInput` when `vehicle` is not a valid name.
    package init(
        vehicle: String, environment: EnvironmentFinder, clock: any MonotonicClock = SystemMonotonicClock(),
        session: @escaping @Sendable (Duration) async throws(LinkError) -> SSHSession
    ) throws(LinkError) {
        names = try VehicleNames(vehicle: vehicle)
        self.environment = environment
        self.clock = clock
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
        let probe = try ServiceCall(.hover)
        let result = try await run(on: session, by: deadline, commands) { $0.type(of: probe) }
        if result.exitStatus != 0 {
            _ = try probe.reply(to: result)
            throw LinkError(.rosMasterUnreachable, "cannot determine whether the flight stack runs")
        }
        let telemetry = EchoTelemetry(names, environment, clock: clock, broadcast: broadcast)
        let echoes = echoes
        let following = Task { await telemetry.follow(session, register: echoes) }
        // The telemetry task of the previous session, or the new one if the link was closed meanwhile.
        let obsolete = state.withLock { state -> Task<Void, Never>? in
            guard state.phase != .closed else { return following }
            state.phase = .connected
            state.session = session
            state.telemetry = telemetry
            state.steering.forget()
            defer { state.following = following }
            return state.following
        }
        obsolete?.cancel()
        if state.withLock({ $0.phase == .closed }) { throw Self.closed }
    }

    /// Ends telemetry and all pending calls; the session stays open, since others may use it.
    package func close() async {
        end()
        let following = state.withLock { $0.following.take() }
        await following?.value
    }

    private func end() {
        let following = state.withLock { state in
            state.phase = .closed
            state.steering.forget()
            state.session = nil
            return state.following
        }
        following?.cancel()
        for register in [commands, motions, steerings, echoes] { register.closeAll(includingLater: true) }
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

    // MARK: Commands

    /// Runs one `rosservice call` on the vehicle.
    ///
    /// A command that takes over from steering aborts the setpoint in progress and drops the queued one: a setpoint that
    /// reaches the vehicle after a goto makes it drop that goto. It also aborts commands in progress that move the vehicle:
    /// their programs take about a second each to start, and would overtake it as often as not.
    package func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try await perform(command, within: timeout, report: nil)
    }

    func perform(
        _ command: Command, within timeout: Duration, report: MonotonicProgress?
    ) async throws(LinkError) -> CommandReply {
        let begun = clock.now
        let deadline = Deadline(in: timeout)
        let call = try ServiceCall(command)
        let session = try session()
        guard !Task.isCancelled else { throw LinkError(.cancelled, "\(command.name) was cancelled before it was sent") }
        let takesOver = command.interruptsSteering
        if takesOver {
            state.withLock { $0.steering.commandBegins() }
            // Ends their programs on the vehicle well before this command's program has started.
            for register in [steerings, motions] { register.closeAll(includingLater: false) }
        }
        // Nothing ends a command that stops the vehicle.
        let register = takesOver && !command.stopsOrLands ? motions : commands
        let moment = register.now
        defer { if takesOver { state.withLock { $0.steering.commandEnds() } } }
        let result: RemoteResult
        do throws(LinkError) {
            if let document = call.largeDocument {
                result = try await send(
                    document, of: call, over: session, by: deadline, report: report, register, begunAt: moment)
            } else {
                result = try await run(on: session, by: deadline, register, begunAt: moment) { $0.abortableCall(call) }
            }
        } catch {
            if isReplaced(in: register, since: moment) { throw Self.replaced(command) }
            guard error.code == .notConnected else { throw error }
            throw LinkError(
                .timedOut, "\(error.what); unknown whether the vehicle received '\(command.name)'",
                hint: "reconnect and check the telemetry before repeating the command")
        }
        if result.exitStatus == nil, isReplaced(in: register, since: moment) { throw Self.replaced(command) }
        var reply = try call.reply(to: result)
        reply.roundTrip = clock.now - begun
        let roundTrip = reply.roundTrip
        state.withLock { $0.roundTrips.add(roundTrip) }
        return reply
    }

    /// Whether a newer command has ended one that was begun at a moment.
    private func isReplaced(in register: ChannelRegister, since moment: ChannelRegister.Moment) -> Bool {
        register.now != moment && state.withLock { $0.phase } != .closed
    }

    /// Runs a program on the vehicle that ends when its channel closes.
    func run(
        by deadline: Deadline, _ command: (ROSCommandLines) -> RemoteCommand
    ) async throws(LinkError) -> RemoteResult {
        try await run(on: session(), by: deadline, commands, command)
    }

    /// Runs a program in the environment of ROS; closing `register` after `moment`, which is now if `nil`, ends it.
    private func run(
        on session: SSHSession, by deadline: Deadline, _ register: ChannelRegister,
        begunAt moment: ChannelRegister.Moment? = nil, _ command: (ROSCommandLines) -> RemoteCommand
    ) async throws(LinkError) -> RemoteResult {
        let moment = moment ?? register.now
        return try await environment.run(in: session, within: deadline.remaining, needsROS: true) {
            (lines, _) async throws(LinkError) -> RemoteResult in
            try await session.run(
                command(lines), by: deadline, outputLimit: Self.largestAnswer, register: register, begunAt: moment)
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
        let moment = steerings.now
        guard let setpoint = state.withLock({ $0.steering.next(now: now) }) else { return }
        Task { [weak self] in await self?.send(setpoint, begunAt: moment) }
    }

    private func send(_ setpoint: VelocitySetpoint, begunAt moment: ChannelRegister.Moment) async {
        var isAccepted = false
        do throws(LinkError) {
            let call = try ServiceCall(setpoint)
            let result = try await run(
                on: session(), by: Deadline(in: Self.steeringCallTimeout), steerings, begunAt: moment
            ) { $0.abortableCall(call) }
            isAccepted = try call.reply(to: result).accepted
        } catch {
            // Steering has no answer; failures show in the link quality.
        }
        let accepted = isAccepted
        state.withLock { $0.steering.finished(accepted: accepted) }
        steerOn()
    }

    // MARK: What is known

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
        quality.roundTrip = trips.newest
        quality.roundTripMedian = trips.percentile(0.5)
        quality.roundTripP99 = trips.percentile(0.99)
        if let rate = telemetry?.rate {
            quality.telemetryRateHertz = rate.hertz
            quality.lastTelemetryAt = rate.last
        }
        quality.setpointsSent = steering.sent
        quality.setpointsApplied = steering.applied
        quality.setpointsExpired = steering.expired
        return quality
    }

    private static let closed = LinkError(.closed, "the SSH link was closed")

    private static func replaced(_ command: Command) -> LinkError {
        LinkError(
            .timedOut, "a newer command ended '\(command.name)'; unknown whether the vehicle received it",
            hint: "check the telemetry before repeating the command")
    }
}
