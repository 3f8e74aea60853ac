internal import ChannelProtocol
internal import FlightControl
internal import FlightRecorder
internal import LatencyStatistics
internal import SSHTransport
internal import SocketTransport
internal import UAVLink
internal import VehicleAccess

/// Measures the socket channel over UDP, over TCP or inside an SSH session.
actor ChannelProbe: Probe {
    nonisolated let link: MeasuredLink
    nonisolated let relays: RelaySet
    private let setting: ProbeSetting
    private var socket: SocketLink?
    private var session: SSHSession?
    private var notes = ChannelMeasurement()
    private var start = MonotonicTime(nanoseconds: 0)
    private var book = TurnResults()
    private var windows: [Range<MonotonicTime>] = []
    private var windowRounds: [Int] = []
    private var movements: MotionMeasurement
    private var recording: RunRecording?

    init(_ link: MeasuredLink, _ setting: ProbeSetting) {
        self.link = link
        self.setting = setting
        movements = MotionMeasurement(setting.box, others: setting.reference.others)
        relays = setting.makeRelays()
    }

    private var others: StopsOfOthers { setting.reference.others }

    func open() async throws(LinkError) {
        let (access, timeout) = (setting.access, setting.timeout)
        let socket: SocketLink
        if link == .sshTunnel {
            let session = try await access.logIn(through: setting.path(relays), at: setting.address, within: timeout)
            self.session = session
            socket = try access.tunnelledChannel(in: session)
        } else {
            socket = try access.channel(link == .udp ? .udp : .tcp, through: setting.path(relays), at: setting.address)
        }
        self.socket = socket
        socket.startTracing()
        if link == .udp { socket.stampReceipts() }
        // The same end as that of the links whose setpoints only the companion's subscriber sees.
        socket.watchOwnSetpoints()
        try await socket.connect(within: timeout)
        // It subscribes to itself at the first request, and for as long as the link is open.
        try? await Task.sleep(for: ObservedSetpoints.subscriptionLead)
    }

    func begin(at start: MonotonicTime, recording: RunRecording?) {
        self.recording = recording
        gather()
        notes = ChannelMeasurement()
        self.start = start
        book.beginCondition()
        (windows, windowRounds) = ([], [])
        movements = MotionMeasurement(setting.box, others: others)
    }

    func take(_ turn: Turn) async {
        guard let socket, others.ending(over: socket) == nil else { return }
        let began = setting.clock.now
        let dark = startBlackout(turn.dark)
        if turn.steeringFor > .zero {
            // A turn with high loss loses the request for control authority as well.
            await others.takeControl(of: socket, within: setting.timeout)
            await steer(turn, over: socket)
        }
        // A hover is accepted from every pilot, and would end the steering of one who has taken control authority meanwhile.
        let isOthers = socket.latestTelemetry?.control?.value.pilot.map { !$0.isYou } ?? false
        if !isOthers, socket.latestTelemetry?.manoeuvre == nil, others.ending(over: socket) == nil {
            // Ends steering explicitly, so that the lease does not expire in between the measured commands.
            let link = recording?.around(socket) ?? socket
            let command = setting.command.stopsMotion ? setting.command : .hover
            others.expect(command, over: link)
            _ = try? await link.perform(command, within: setting.timeout)
        }
        await dark?.value
        if turn.commands > 0, !isOthers, !Task.isCancelled { await call(turn, over: socket) }
        if !turn.isWarmUp {
            windows.append(began..<max(began, setting.clock.now))
            windowRounds.append(turn.round)
        }
        if turn.steeringFor > .zero { await others.releaseControl(of: socket) }
        gather()
    }

    private func steer(_ turn: Turn, over socket: SocketLink) async {
        let shots = await book.steer(turn, over: socket, unless: others, clock: setting.clock) {
            (setpoint) throws(LinkError) in
            try socket.steer(setpoint)
        }
        book.add(shots, of: turn)
    }

    private func call(_ turn: Turn, over socket: SocketLink) async {
        let run = ScheduledCommands(setting)
        book.add(await run.run(book.commandSchedule(turn, clock: setting.clock), over: socket), of: turn)
    }

    var controlled: (any UAVLink)? { socket }

    func push() async -> Pose? {
        guard let socket else { return nil }
        // Kept until the vehicle is back: nothing else moves it in between.
        await others.takeControl(of: socket, within: setting.timeout)
        var movements = movements
        let home = await movements.push(over: recording?.around(socket) ?? socket, clock: setting.clock)
        self.movements = movements
        if home == nil { await others.releaseControl(of: socket) }
        return home
    }

    func goBack(to home: Pose) async {
        guard let socket else { return }
        await movements.goBack(to: home, over: recording?.around(socket) ?? socket, clock: setting.clock)
        await others.releaseControl(of: socket)
    }

    private func gather() {
        for part in socket?.takeTrace() ?? [] { notes.add(part) }
    }

    func finish() async -> LinkRun {
        defer { book.endCondition() }
        // The companion sends its trace records a few times a second, and later over a bad link or on a busy machine: as long
        // as there are more, they are waited for. A cancelled run waits less long. What has no record would count as lost.
        let pause = Task.isCancelled ? Self.cancelledTimeout : Self.recordPause
        let limit = setting.clock.now + (Task.isCancelled ? Self.cancelledTimeout : Self.recordLimit)
        var (missing, deadline) = (Int.max, limit)
        repeat {
            gather()
            let now = notes.missingRecords
            if now == 0 { break }
            if now < missing { (missing, deadline) = (now, min(setting.clock.now + pause, limit)) }
            await Self.waitEvenIfCancelled(.milliseconds(100))
        } while setting.clock.now < deadline
        return await soFar()
    }

    func soFar() async -> LinkRun {
        var run = LinkRun(link: link.rawValue, how: link.how + receipts)
        if !book.commanded.isEmpty {
            run.command = .series(
                notes.commands(
                    book.commanded, since: start, warmUpDropped: book.warmUp.command, hertz: book.hertz.command))
        }
        run.motion = movements.measured(since: start)
        guard let clock = await clock() else {
            run.steering = .absent("the clocks of both ends were not compared")
            run.telemetry = run.steering
            return run
        }
        if !book.steered.isEmpty {
            run.steering = .series(
                notes.steering(
                    book.steered, since: start, clock: clock, warmUpDropped: book.warmUp.steering,
                    hertz: book.hertz.steering, seconds: book.steeringSeconds,
                    countsRefused: socket.map { !$0.vehicleCapabilities.telemetry.contains(.pose) } ?? false))
        }
        if let socket, !socket.vehicleCapabilities.telemetry.contains(.pose) {
            run.telemetry = .absent("the vehicle has no position, which is the part of telemetry that is timed")
            return run
        }
        let known = await setting.reference.stampClock
        run.telemetry = .series(
            notes.telemetry(
                windows, rounds: windowRounds, since: start, clock: clock,
                stampClock: socket?.latestTelemetry?.stampClock ?? known))
        return run
    }

    /// Whether host and wire can be told apart.
    private var receipts: String {
        guard link == .udp else { return "" }
        return notes.hasReceipts
            ? "; the stage receive is from the receipt by the kernels to the reading by the programs"
            : "; not both kernels have stamped receipts, so that the network has the waking of the programs in it"
    }

    func recorded(in recording: RunRecording) async -> [RecordingEntry] {
        notes.recorded(book.steered, book.commanded, await clock(), in: recording)
    }

    /// The companion's clock as the session past the impairment knows it; without one, as this link does.
    private func clock() async -> ClockTrack? {
        if let track = await setting.reference.track { return track }
        return ClockTrack(notes.exchanges)
    }

    /// How long no further record arrives before the rest is given up. A lost record is requested again within half a second
    /// and a round trip; a link that loses a third may need two requests.
    private static let recordPause: Duration = .seconds(3)
    /// How long records are waited for altogether.
    private static let recordLimit: Duration = .seconds(15)
    private static let cancelledTimeout: Duration = .milliseconds(600)

    func ownTraffic() async -> (connection: Int, traffic: LinkCost.Traffic)? {
        socket?.datagramCounts.map { connection, counts in
            let traffic = LinkCost.Traffic(
                packetsUp: counts.sent, bytesUp: counts.bytesSent, packetsDown: counts.received,
                bytesDown: counts.bytesReceived)
            return (connection, traffic)
        }
    }

    func vehicleUse() async -> (time: LinkCost.Known<Int64>, waits: LinkCost.Known<ThreadWaits>) {
        func unknown(_ reason: String) -> (LinkCost.Known<Int64>, LinkCost.Known<ThreadWaits>) {
            (.unknown(reason), .unknown(reason))
        }
        guard !setting.access.profile.isLocal else { return unknown("there is no log-in to the vehicle's computer") }
        guard let text = await setting.access.output(of: RemoteProcessorTime.ofCompanions, within: setting.timeout)
        else { return unknown("the vehicle did not answer") }
        let seen = RemoteProcessorTime.companion(text)
        guard let time = seen.nanoseconds else {
            return unknown("not one companion runs there, or its system does not say")
        }
        let words = "the companion\(link == .sshTunnel ? ", without sshd" : ""), which serves all open links"
        return (
            .value(time, of: words), seen.waits.map { .value($0, of: words) } ?? .unknown("its system does not say")
        )
    }

    func close() async {
        await socket?.close()
        await session?.close()
        relays.close()
    }
}
