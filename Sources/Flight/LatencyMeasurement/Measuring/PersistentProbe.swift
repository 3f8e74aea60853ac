internal import FlightRecorder
internal import MRS
internal import ReportKit
internal import SSHTransport
internal import UAVLink
internal import VehicleAccess

/// Measures a persistent `rospy` process that is fed over SSH: a base line that tells the transport from the start of a program for
/// each call. The companion observes what it publishes, as with ``ROSProbe``.
actor PersistentProbe: Probe {
    nonisolated let link = MeasuredLink.sshPersistent
    nonisolated let relays: RelaySet
    private let setting: ProbeSetting
    private var session: SSHSession?
    private var process: PersistentProcess?
    private var calls: PersistentCalls?
    private var start = MonotonicTime(nanoseconds: 0)
    private var book = TurnResults()
    /// The answers to commands and to setpoints, by their numbers in the schedules.
    private var replies: [Int: PersistentProcess.Arrival] = [:]
    private var published: [Int: PersistentProcess.Arrival] = [:]
    private var observed = ObservedSetpoints()
    /// The number of the next line.
    private var next = 1

    /// How long answers to setpoints are waited for after the last of a turn: nothing waits for them.
    private static let lastAnswers: Duration = .seconds(2)

    init(_ setting: ProbeSetting) {
        self.setting = setting
        relays = setting.makeRelays()
    }

    func open() async throws(LinkError) {
        let session = try await setting.access.logIn(
            through: setting.path(relays), at: setting.address, within: setting.timeout)
        self.session = session
        let lines = try await setting.access.commandLines(in: session, within: setting.timeout)
        let process = try await PersistentProcess.start(
            in: session, lines, clock: setting.clock, within: setting.timeout)
        self.process = process
        let calls = PersistentCalls(names: lines.names)
        self.calls = calls
        let number = take(1)
        let opened = await process.ask(calls.open(number: number), number, within: setting.timeout)
        switch opened?.answer.content {
        case .subscribers(let count) where count > 0: break
        case .failure(let reason): throw LinkError(.remoteFailed, "rospy on the vehicle: \(reason)")
        case .subscribers: throw LinkError(.notConnected, "the vehicle does not subscribe to the topic of setpoints")
        default:
            throw process.failure ?? LinkError(.timedOut, "the rospy process on the vehicle does not answer")
        }
        // Not counted: it connects the proxy.
        guard await setting.reference.mayGoOn() else { return }
        let first = take(1)
        _ = await process.ask(
            calls.call(try ServiceCall(setting.command), number: first), first, within: setting.timeout)
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
    }

    func take(_ turn: Turn) async {
        guard let process, let calls, setting.reference.others.ending() == nil else { return }
        let dark = startBlackout(turn.dark)
        if turn.steeringFor > .zero {
            await setting.reference.watch(true)
            try? await Task.sleep(for: ObservedSetpoints.subscriptionLead)
            // Late records of another link's turn: its messages have the same numbers.
            _ = await setting.reference.takeSeen()
            await steer(turn, process, calls)
        }
        await dark?.value
        if turn.commands > 0, !Task.isCancelled { await call(turn, process, calls) }
        guard turn.steeringFor > .zero else { return }
        await setting.reference.watch(false)
        observed.add(await setting.reference.takeSeen())
    }

    private func steer(_ turn: Turn, _ process: PersistentProcess, _ calls: PersistentCalls) async {
        let numbers = LineNumbers(from: next)
        let clock = setting.clock
        let shots = await book.steer(turn, over: nil, unless: setting.reference.others, clock: clock) {
            (setpoint) throws(LinkError) in
            let number = numbers.next()
            let isSent = try process.send(try calls.steer(setpoint, number: number))
            return SteeringReceipt(number: UInt64(clamping: number), sentAt: isSent ? clock.now : nil)
        }
        let first = take(numbers.count)
        let sent = shots.compactMap { $0.receipt?.sentAt == nil ? nil : $0.receipt?.number }
        let last = sent.last.flatMap { Int(exactly: $0) } ?? first - 1
        let answers = await process.takeAnswers(first..<last + 1, within: Self.lastAnswers)
        book.add(shots, of: turn)
        guard !turn.isWarmUp else { return }
        for shot in shots {
            if let number = shot.receipt.flatMap({ Int(exactly: $0.number) }) {
                published[shot.number] = answers[number]
            }
        }
    }

    private func call(_ turn: Turn, _ process: PersistentProcess, _ calls: PersistentCalls) async {
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
            guard !Task.isCancelled, await setting.reference.mayGoOn() else { break }
            let line = calls.call(request, number: first + index)
            wait.wait(until: due)
            shots.append(
                CommandAttempt(
                    number: schedule.first + index, intendedAt: due, calledAt: setting.clock.now))
            _ = try? process.send(line)
        }
        let answers = await process.takeAnswers(first..<first + shots.count, within: setting.timeout)
        for index in shots.indices {
            guard let arrival = answers[first + index], let reply = Self.reply(to: request, arrival.answer) else {
                continue
            }
            (shots[index].answeredAt, shots[index].reply) = (arrival.at, reply)
            if !turn.isWarmUp { replies[shots[index].number] = arrival }
        }
        book.add(shots, of: turn)
    }

    /// `nil` where nothing was answered that a reply can be made of.
    private static func reply(to call: ServiceCall, _ answer: PersistentCalls.Answer) -> CommandReply? {
        switch answer.content {
        case .response(let bytes): try? call.reply(from: bytes)
        default: nil
        }
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
        run.telemetry = .absent("the process answers lines only: see ssh")
        if !book.commanded.isEmpty { run.command = .series(commandSeries) }
        run.steering = observed.steering(book, since: start, await setting.reference.track, sequence: sequence)
        return run
    }

    /// Includes how long the process took to start, which is paid once.
    private var how: String {
        let nanoseconds = process?.startNanoseconds ?? 0
        return "\(link.how); started once, in \((nanoseconds + 500_000) / 1_000_000) ms"
    }

    private var commandSeries: LatencySeries {
        let samples = book.commanded.map { shot -> LatencySample in
            var sample = shot.sample(since: start)
            guard let answeredAt = shot.answeredAt else { return sample }
            let whole = (answeredAt - shot.intendedAt).nanoseconds
            sample.nanoseconds = whole
            var known: [LatencyStage: Int64] = [.queue: (shot.calledAt - shot.intendedAt).nanoseconds]
            if let answer = replies[shot.number]?.answer {
                known[.ros] = answer.serviceNanoseconds
                known[.companion] = answer.insideNanoseconds - answer.serviceNanoseconds
            }
            sample.stages = StageTimes(whole: whole, known: known)
            return sample
        }
        return LatencySeries(
            samples: samples, warmUpDropped: book.warmUp.command,
            traffic: .init(intended: book.commanded.count, sent: book.commanded.count), clock: .same,
            intendedHertz: book.hertz.command)
    }

    /// The `seq` of the message that a setpoint became.
    private func sequence(of shot: SteeringAttempt) -> UInt32? {
        guard case .published(let sequence)? = published[shot.number]?.answer.content else { return nil }
        return sequence
    }

    func recorded(in recording: RunRecording) async -> [RecordingEntry] {
        observed.entries(book, in: recording, await setting.reference.track, sequence: sequence)
    }

    func vehicleTime() async -> LinkCost.Known<Int64> {
        guard let process, let calls else { return .unknown("the process does not run") }
        let number = take(1)
        let arrival = await process.ask(calls.cost(number: number), number, within: setting.timeout)
        guard case .processorTime(let nanoseconds)? = arrival?.answer.content else {
            return .unknown("the process did not say")
        }
        return .value(nanoseconds, of: "the rospy process, without sshd")
    }

    func close() async {
        process?.close()
        await session?.close()
        relays.close()
    }
}
