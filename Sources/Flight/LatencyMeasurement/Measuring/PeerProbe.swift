internal import FlightRecorder
internal import MRS
internal import ReportKit
internal import SSHTransport
internal import UAVLink
internal import VehicleAccess

/// Measures what stays beside the ROS master and is fed with messages: base lines that tell transports from the start of a program for
/// each call. A persistent `rospy` process that is fed over SSH, and a rosbridge server. The companion observes what they publish, as
/// with ``ROSProbe``.
actor PeerProbe: Probe {
    nonisolated let link: MeasuredLink
    nonisolated let relays: RelaySet
    private let setting: ProbeSetting
    private var peer: (any LaboratoryPeer)?
    private var process: (session: SSHSession, peer: PersistentPeer?)?
    private var bridge: ROSBridgePeer?
    private var start = MonotonicTime(nanoseconds: 0)
    private var book = TurnResults()
    /// The answers to commands, and the `seq` of the message that each setpoint became, by their numbers in the schedules.
    private var replies: [Int: LaboratoryAnswer] = [:]
    private var published: [Int: UInt32] = [:]
    /// What the setpoints of the rosbridge server are numbered by, which does not tell.
    private var numbering = PublishedNumbers()
    private var heard = StampedArrivals()
    private var observed = ObservedSetpoints()
    /// The number of the next message.
    private var next = 1

    /// How long answers to setpoints are waited for after the last of a turn: nothing waits for them.
    private static let lastAnswers: Duration = .seconds(2)

    init(_ link: MeasuredLink, _ setting: ProbeSetting) {
        (self.link, self.setting) = (link, setting)
        relays = setting.makeRelays()
    }

    func open() async throws(LinkError) {
        let peer: any LaboratoryPeer = link == .rosbridge ? try await openBridge() : try await openProcess()
        self.peer = peer
        // Not counted: it connects the proxy.
        guard await setting.reference.mayGoOn() else { return }
        let (call, number) = (try ServiceCall(setting.command), take(1))
        let answer = await peer.ask(try peer.call(call, number: number), number, within: setting.timeout)
        guard let bridge else { return }
        try bridge.check(answer, of: call)
        var numbers = numbering
        await numbers.learn(setting) { setpoint throws(LinkError) in
            try bridge.send(try bridge.steer(setpoint, number: 0))
        }
        numbering = numbers
    }

    private func openProcess() async throws(LinkError) -> PersistentPeer {
        let session = try await setting.access.logIn(
            through: setting.path(relays), at: setting.address, within: setting.timeout)
        process = (session, nil)
        let lines = try await setting.access.commandLines(in: session, within: setting.timeout)
        let peer = try await PersistentPeer.open(
            in: session, lines, number: take(1), clock: setting.clock, within: setting.timeout)
        process = (session, peer)
        return peer
    }

    private func openBridge() async throws(LinkError) -> ROSBridgePeer {
        guard let address = setting.rosbridge else { throw MeasuringPlan.noROSBridge }
        let bridge = try await setting.access.rosbridge(
            address, through: setting.path(relays), clock: setting.clock, within: setting.timeout)
        self.bridge = bridge
        return bridge
    }

    private func take(_ count: Int) -> Int {
        defer { next += count }
        return next
    }

    func begin(at start: MonotonicTime, recording: RunRecording?) {
        self.start = start
        book.beginCondition()
        (replies, published) = ([:], [:])
        observed.beginCondition()
        heard = StampedArrivals()
    }

    func prepare(_ turn: Turn) async {
        guard turn.steeringFor > .zero else { return }
        await setting.reference.watch(true)
        try? await Task.sleep(for: ObservedSetpoints.subscriptionLead)
        // Late records of another link's turn: its messages have the same numbers.
        _ = await setting.reference.takeSeen()
    }

    func take(_ turn: Turn) async {
        guard let peer, setting.reference.others.ending() == nil else { return await setting.reference.watch(false) }
        // In the turns of others it would be a load of the vehicle's computer.
        bridge?.listen(true)
        await measure(turn, peer)
        bridge?.listen(false)
    }

    private func measure(_ turn: Turn, _ peer: any LaboratoryPeer) async {
        let dark = startBlackout(turn.dark)
        let began = setting.clock.now
        if turn.steeringFor > .zero { await steer(turn, peer) }
        await dark?.value
        if turn.commands > 0, !Task.isCancelled { await call(turn, peer) }
        if let bridge, !turn.isWarmUp {
            heard.add(bridge.takeHeard(), of: turn, from: began, to: setting.clock.now)
        }
        guard turn.steeringFor > .zero else { return }
        await setting.reference.watch(false)
        let seen = await setting.reference.takeSeen()
        numbering.check(seen)
        observed.add(seen)
    }

    private func steer(_ turn: Turn, _ peer: any LaboratoryPeer) async {
        let numbers = LineNumbers(from: next)
        let clock = setting.clock
        let shots = await book.steer(turn, over: nil, unless: setting.reference.others, clock: clock) {
            (setpoint) throws(LinkError) in
            let number = numbers.next()
            let isSent = try peer.send(try peer.steer(setpoint, number: number))
            return SteeringReceipt(number: UInt64(clamping: number), sentAt: isSent ? clock.now : nil)
        }
        let first = take(numbers.count)
        book.add(shots, of: turn)
        let sent = shots.compactMap { shot -> (line: Int, number: Int)? in
            guard let receipt = shot.receipt, receipt.sentAt != nil else { return nil }
            return Int(exactly: receipt.number).map { ($0, shot.number) }
        }
        var became: [Int: UInt32] = [:]
        if bridge != nil {
            for shot in sent { became[shot.number] = numbering.next() }
        } else {
            let answers = await peer.takeAnswers(first..<(sent.last?.line ?? first - 1) + 1, within: Self.lastAnswers)
            for shot in sent {
                if case .published(let sequence)? = answers[shot.line]?.content { became[shot.number] = sequence }
            }
        }
        if !turn.isWarmUp { published.merge(became) { $1 } }
    }

    private func call(_ turn: Turn, _ peer: any LaboratoryPeer) async {
        guard let request = try? ServiceCall(setting.command) else { return }
        let schedule = book.commandSchedule(turn, clock: setting.clock)
        let wait = PreciseWait(clock: setting.clock)
        let first = take(schedule.count)
        var shots: [CommandAttempt] = []
        for index in 0..<schedule.count where !Task.isCancelled {
            let due = schedule.due(index)
            let left = due - setting.clock.now - .milliseconds(1)
            if left > .zero { try? await Task.sleep(for: left) }
            // A stop command could end what the vehicle has begun meanwhile.
            guard !Task.isCancelled, await setting.reference.mayGoOn(),
                let message = try? peer.call(request, number: first + index)
            else { break }
            wait.wait(until: due)
            shots.append(
                CommandAttempt(number: schedule.first + index, intendedAt: due, calledAt: setting.clock.now))
            _ = try? peer.send(message)
        }
        let answers = await peer.takeAnswers(first..<first + shots.count, within: setting.timeout)
        for index in shots.indices {
            // Where nothing was answered that a reply can be made of, there is no answer.
            guard let answer = answers[first + index], case .response(let bytes) = answer.content,
                let reply = try? request.reply(from: bytes)
            else { continue }
            (shots[index].answeredAt, shots[index].reply) = (answer.at, reply)
            if !turn.isWarmUp { replies[shots[index].number] = answer }
        }
        book.add(shots, of: turn)
    }

    func push() async -> Pose? { nil }

    func goBack(to home: Pose) async {}

    func finish() async -> LinkRun {
        defer { book.endCondition() }
        await Self.waitEvenIfCancelled(ObservedSetpoints.lastRecords)
        observed.add(await setting.reference.takeSeen())
        return await soFar()
    }

    func soFar() async -> LinkRun {
        var run = LinkRun(link: link.rawValue, how: how)
        run.motion = .absent("a base line of the laboratory, over which nothing is flown")
        run.telemetry =
            bridge == nil
            ? .absent("the process answers lines only: see ssh")
            : heard.measured(
                since: start, await setting.reference.stampClockTrack, await setting.reference.stampClock,
                over: link.rawValue)
        if !book.commanded.isEmpty { run.command = .series(commandSeries) }
        let track = await setting.reference.track
        run.steering = observed.steering(book, since: start, track) { published[$0.number] }
        if bridge != nil, track != nil, let obstacle = numbering.obstacle { run.steering = .absent(obstacle) }
        return run
    }

    /// Includes how long it took to start or to connect, which is paid once.
    private var how: String {
        func text(_ nanoseconds: Int64) -> String { "\((nanoseconds + 500_000) / 1_000_000) ms" }
        if let bridge {
            return
                "\(link.how), at \(setting.rosbridge?.place ?? "?"); connected once, in \(text(bridge.connectNanoseconds))"
        }
        return "\(link.how); started once, in \(text(process?.peer?.startNanoseconds ?? 0))"
    }

    private var commandSeries: LatencySeries {
        let samples = book.commanded.map { shot -> LatencySample in
            var sample = shot.sample(since: start)
            guard let answeredAt = shot.answeredAt else { return sample }
            let whole = (answeredAt - shot.intendedAt).nanoseconds
            sample.nanoseconds = whole
            var known: [LatencyStage: Int64] = [.queue: (shot.calledAt - shot.intendedAt).nanoseconds]
            // Of rosbridge network, server and service cannot be separated.
            if let times = replies[shot.number]?.times {
                known[.ros] = times.service
                known[.companion] = times.inside - times.service
            }
            sample.stages = StageTimes(whole: whole, known: known)
            return sample
        }
        return LatencySeries(
            samples: samples, warmUpDropped: book.warmUp.command,
            traffic: .init(intended: book.commanded.count, sent: book.commanded.count), clock: .same,
            intendedHertz: book.hertz.command)
    }

    func recorded(in recording: RunRecording) async -> [RecordingEntry] {
        observed.entries(book, in: recording, await setting.reference.track) { published[$0.number] }
    }

    func vehicleTime() async -> LinkCost.Known<Int64> {
        guard bridge == nil else { return .unknown("the rosbridge server does not say") }
        guard let peer = process?.peer else { return .unknown("the process does not run") }
        guard let nanoseconds = await peer.processorTime(number: take(1), within: setting.timeout) else {
            return .unknown("the process did not say")
        }
        return .value(nanoseconds, of: "the rospy process, without sshd")
    }

    func close() async {
        await peer?.close()
        if peer == nil { await bridge?.close() }
        await process?.session.close()
        relays.close()
    }
}
