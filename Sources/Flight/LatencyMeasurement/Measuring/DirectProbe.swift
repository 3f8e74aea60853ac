internal import FlightRecorder
internal import Impairment
internal import ReportKit
internal import Statistics
internal import UAVLink
internal import VehicleAccess

/// Measures a machine over its own protocol, past the companion in front of it, which is idle meanwhile: nobody steers over the channel
/// in another link's turn. Both use one link to the machine, so it is impaired in this probe's turns only.
actor DirectProbe: Probe {
    nonisolated let link = MeasuredLink.direct
    /// Keeps the condition; it is made by the machine's own relays.
    nonisolated let relays: RelaySet
    private let setting: ProbeSetting
    private var start = MonotonicTime(nanoseconds: 0)
    private var book = TurnResults()
    private var gaps: [Int64] = []
    private var updates = 0
    private var windowSeconds = 0.0

    /// How often it is looked whether the machine is connected.
    private static let look: Duration = .milliseconds(20)

    init(_ setting: ProbeSetting) {
        self.setting = setting
        relays = setting.makeRelays()
    }

    /// The companion connects the machine; this waits for it.
    func open() async throws(LinkError) {
        guard let machine = setting.machine else {
            throw LinkError(
                .invalidInput, "there is no machine behind this vehicle's companion",
                hint: "name one with --link ardrone://HOST or tello://HOST")
        }
        let deadline = setting.clock.now + setting.timeout
        while !machine.link.quality.isConnected {
            guard setting.clock.now < deadline, !Task.isCancelled else {
                throw LinkError(
                    .timedOut, "the machine does not answer", hint: "is it switched on, and this computer in its Wi-Fi?"
                )
            }
            try? await setting.clock.sleep(until: setting.clock.now + Self.look)
        }
    }

    func begin(at start: MonotonicTime, recording: RunRecording?) {
        self.start = start
        book.beginCondition()
        (gaps, updates, windowSeconds) = ([], 0, 0)
    }

    func take(_ turn: Turn) async {
        guard let machine = setting.machine, setting.reference.others.ending() == nil else { return }
        let link = machine.link
        machine.impair(relays.impairment)
        let dark = blackOut(machine, turn.dark)
        let began = setting.clock.now
        let watch = DirectMeasurement.Watch()
        let clock = setting.clock
        let observation = link.observeTelemetry { _ in watch.note(at: clock.now) }
        // As over a channel, which is steered meanwhile.
        await dark?.value
        if turn.commands > 0, link.latestTelemetry?.manoeuvre == nil {
            let run = ScheduledCommands(setting)
            book.add(await run.run(book.commandSchedule(turn, clock: clock), over: link), of: turn)
        }
        observation.end()
        // As a companion's turn ends: what is measured next goes straight to the machine.
        machine.impair(.none)
        guard !turn.isWarmUp else { return }
        let figures = watch.figures
        gaps += figures.telemetryGaps.sorted
        updates += figures.updates
        windowSeconds += (clock.now - began).inSeconds
    }

    private nonisolated func blackOut(
        _ machine: ImpairedMachine, _ dark: (from: Duration, length: Duration)?
    ) -> Task<Void, Never>? {
        guard let dark else { return nil }
        return Task {
            try? await Task.sleep(for: dark.from)
            machine.setDark(true)
            try? await Task.sleep(for: dark.length)
            machine.setDark(false)
        }
    }

    /// Nothing is pushed over it: there is no position to return to.
    func push() async -> Pose? { nil }
    func goBack(to home: Pose) async {}

    func finish() async -> LinkRun {
        defer { book.endCondition() }
        return await soFar()
    }

    func soFar() async -> LinkRun {
        let machine = setting.machine
        let name = machine?.link.vehicleCapabilities.machine.sanitizedLine ?? "the machine"
        var how = link.how
        if machine?.hasRelays == true {
            how += "; relays stand in front of it, and lose datagrams, under each condition"
        }
        var run = LinkRun(link: link.rawValue, how: how)
        run.command = book.commanded.isEmpty ? .absent("not measured") : .series(commands)
        run.steering = .absent("not measured: \(name) does not say when a setpoint has arrived")
        run.telemetry = .absent(telemetryWords(name))
        return run
    }

    private var commands: LatencySeries {
        let samples = book.commanded.map { shot -> LatencySample in
            let whole = shot.answeredAt.map { ($0 - shot.intendedAt).nanoseconds }
            var sample = shot.sample(since: start)
            sample.nanoseconds = whole
            // What the machine takes cannot be told from the way to it.
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

    /// Without a stamp there is no age; how steadily it comes is known.
    private func telemetryWords(_ name: String) -> String {
        let reason = "\(name) does not say when its telemetry was measured"
        let samples = Samples(gaps)
        guard windowSeconds > 0, let median = samples.value(at: .p50), let longest = samples.maximum else {
            return reason
        }
        func text(_ nanoseconds: Int64) -> String { "\((Double(nanoseconds) / 1e6).formatted(decimals: 1)) ms" }
        return reason
            + "; it came \((Double(updates) / windowSeconds).formatted(decimals: 1)) times a second, "
            + "median gap \(text(median)), longest \(text(longest))"
    }

    func recorded(in recording: RunRecording) async -> [RecordingEntry] {
        book.commanded.map { shot in
            recording.command(
                .init(intendedAt: shot.intendedAt, sentAt: shot.calledAt), answeredAt: shot.answeredAt, shot.reply)
        }
    }

    func vehicleTime() async -> LinkCost.Known<Int64> { .unknown("the machine's own program") }

    /// The link is the companion's too, and stays open.
    func close() async {
        setting.machine?.impair(.none)
        relays.close()
    }
}
