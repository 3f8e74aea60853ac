package import FlightRecorder
internal import Impairment
internal import ReportKit
internal import Statistics
internal import SystemKit
package import UAVLink
package import VehicleAccess

/// Measures links in turns, so that all of them have the same conditions; one network condition after the other.
///
/// ```
///   condition ─▶ warm-up of each link ─▶ round: link after link, each round begun by another ─▶ round ... ─▶ report
///                                          ╰ setpoints on their schedule, then commands on theirs; telemetry meanwhile
///   where motion is measured: round ... ─▶ push ─▶ without the condition: back ─▶ push over the next link ...
/// ```
/// Cancelling the task ends the run early; the report then has what was measured. So does a vehicle that takes off or
/// lands, and another ground that stops it or gets control authority: the commands that are measured could end that.
package struct MeasuringInteractor: Sendable {
    /// Called with each event.
    package typealias Progress = @Sendable (MeasuringEvent) -> Void

    private let access: LaboratoryAccess
    private let plan: MeasuringPlan
    private let clock: any MonotonicClock
    private let recorder: FlightRecorder?
    private let recordsTelemetry: Bool

    /// Duration of steering in a link's turn, and of the commands after it: three turns are enough for a 99th percentile of
    /// steering.
    private static let steeringFor: Duration = .seconds(1)
    private static let commandsFor: Duration = .milliseconds(400)
    private static let warmUpFor: Duration = .milliseconds(200)
    private static let warmUpCommands = 5
    /// After an impairment ends, the relay still delivers what it holds.
    private static let drain: Duration = .milliseconds(300)
    private static let blackoutDelay: Duration = .milliseconds(300)

    /// Creates a measurement for the vehicle of `connector`.
    ///
    /// - Parameters:
    ///   - recorder: records the measurements after each condition.
    ///   - recordsTelemetry: whether telemetry is recorded throughout; `false` where another link to the vehicle is
    ///     recorded.
    package init(
        connector: VehicleConnector, plan: MeasuringPlan, clock: any MonotonicClock = SystemMonotonicClock(),
        recorder: FlightRecorder? = nil, recordsTelemetry: Bool = true
    ) {
        self.recorder = recorder
        self.recordsTelemetry = recordsTelemetry
        access = LaboratoryAccess(connector)
        self.plan = plan
        self.clock = clock
    }

    /// Runs the measurement.
    ///
    /// - Parameter reportsFigures: whether to report intermediate figures between turns.
    /// - Throws: ``LinkError`` when nothing can be measured: an impossible rate, no link that opens.
    package func run(
        reportsFigures: Bool = false, progress: @escaping Progress = { _ in }
    ) async throws(LinkError) -> LatencyReport {
        for rate in [plan.rateHertz, plan.commandHertz] where !MeasuringPlan.rates.contains(rate) {
            throw LinkError(.invalidInput, "the rate is \(rate) Hz; it must be from 1 to 1000 Hz")
        }
        guard !plan.links.isEmpty, !plan.conditions.isEmpty, plan.duration > .zero else {
            throw LinkError(.invalidInput, "nothing to measure: no link, no condition or no duration given")
        }
        let began = clock.now
        var report = LatencyReport(
            vehicle: access.profile.vehicle, commandLine: plan.commandLine, beganSeconds: Double(WallTime.now) / 1e9,
            lengthSeconds: 0, seed: plan.seed)
        report.machine = MachineFacts.machine
        report.versions = MachineFacts.versions
        let computer = await VehicleFacts(access, within: plan.timeout)
        report.machine += computer.facts
        report.settings = settings
        let reference = ReferenceClock()
        let setting = ProbeSetting(
            access: access, address: try await access.address(), seed: plan.seed, timeout: plan.timeout,
            command: plan.command, clock: clock, reference: reference)
        await reference.open(
            access, at: setting.address, within: plan.timeout, recorder: recordsTelemetry ? recorder : nil)
        if let failure = await reference.failure {
            report.notes.append("no companion for the clock comparison: \(failure.description)")
        }
        let bench = Bench(await open(setting, unless: computer.obstacle, progress), reference)
        var error: LinkError?
        if bench.probes.isEmpty { error = bench.failures.first?.error }
        if error == nil {
            for (index, condition) in plan.conditions.enumerated() where !Task.isCancelled {
                guard await reference.mayGoOn() else { break }
                progress(.condition(number: index + 1, count: plan.conditions.count, text: condition.text))
                let run = await measure(condition, bench, reportsFigures, progress)
                if reportsFigures { progress(.figures(run.links.flatMap { RunningFigures.all($0) })) }
                report.conditions.append(run)
                report.notes += run.untracedNotes
            }
        }
        report.notes += await reference.telemetryNotes(access.profile)
        report.isSimulated = await reference.isSimulated || access.profile.isSimulatedOnly
        if plan.measuresMotion, !Task.isCancelled, await reference.ending == nil { report.noteMissingMotion() }
        if Task.isCancelled { report.notes.append("interrupted: the report has what was measured until then") }
        if let ending = await reference.ending {
            report.end(early: ending)
            if report.conditions.isEmpty {
                error = LinkError(
                    .unsupported, "\(ending), and measuring sends commands that stop the vehicle",
                    hint: "wait until it has landed, or hovers")
            }
        }
        for probe in bench.probes { await probe.close() }
        await reference.close()
        if let error { throw error }
        report.lengthSeconds = (clock.now - began).inSeconds
        return report
    }

    // MARK: Opening

    /// The links that could be opened, and the errors of the others.
    private struct Bench: Sendable {
        var probes: [any Probe]
        var failures: [(link: MeasuredLink, error: LinkError)]
        let reference: ReferenceClock

        init(_ opened: ([any Probe], [(MeasuredLink, LinkError)]), _ reference: ReferenceClock) {
            probes = opened.0
            failures = opened.1.map { (link: $0.0, error: $0.1) }
            self.reference = reference
        }
    }

    /// - Parameter obstacle: why nobody can log in to the vehicle's computer; `nil` if that is not known.
    private func open(
        _ setting: ProbeSetting, unless obstacle: LinkError?, _ progress: Progress
    ) async -> ([any Probe], [(MeasuredLink, LinkError)]) {
        var probes: [any Probe] = []
        var failures: [(MeasuredLink, LinkError)] = []
        for link in plan.links {
            if Task.isCancelled { break }
            let probe: any Probe =
                switch link {
                case .ssh, .sshShell: ShellProbe(link, setting)
                case .sshTunnel, .tcp, .udp: ChannelProbe(link, setting)
                case .ros: ROSProbe(setting)
                }
            do throws(LinkError) {
                progress(.opening(link))
                // All others log in, for a ticket at least.
                if let obstacle, link != .ros { throw obstacle }
                try await probe.open()
                probes.append(probe)
            } catch {
                progress(.leftOut(link, reason: error.description))
                await probe.close()
                failures.append((link, error))
            }
        }
        return (probes, failures)
    }

    // MARK: A condition

    private func measure(
        _ condition: Impairment, _ bench: Bench, _ reportsFigures: Bool, _ progress: Progress
    ) async -> ConditionRun {
        var steady = condition
        steady.blackout = nil
        for probe in bench.probes { probe.relays.impair(steady) }
        var warmUp = turn(steeringFor: Self.warmUpFor, commands: Self.warmUpCommands)
        warmUp.isWarmUp = true
        for probe in bench.probes where !Task.isCancelled { await probe.take(warmUp) }
        let start = clock.now
        let recordings = recordings(condition)
        for probe in bench.probes { await probe.begin(at: start, recording: recordings[probe.link]) }
        var budget = reportsFigures ? FigureBudget() : nil
        await rounds(condition, bench, since: start, &budget, progress)
        if plan.measuresMotion, await bench.reference.mayGoOn() {
            await MotionTurns(clock: clock, drain: Self.drain).take(bench.probes, under: steady)
        }
        var runs: [String: LinkRun] = [:]
        for probe in bench.probes { runs[probe.link.rawValue] = await probe.finish() }
        await record(bench, recordings)
        for probe in bench.probes { probe.relays.impair(.none) }
        if !Task.isCancelled { try? await Task.sleep(for: Self.drain) }
        for failure in bench.failures {
            runs[failure.link.rawValue] = LinkRun(
                link: failure.link.rawValue, how: failure.link.how, failure: failure.error.description)
        }
        return ConditionRun(
            impairment: condition.text, links: plan.links.compactMap { runs[$0.rawValue] })
    }

    private func recordings(_ condition: Impairment) -> [MeasuredLink: RunRecording] {
        guard let recorder else { return [:] }
        return plan.links.reduce(into: [:]) { all, link in
            all[link] = RunRecording(
                recorder: recorder, link: link, condition: condition.text, command: plan.command)
        }
    }

    /// Records all measurements in chronological order.
    private func record(_ bench: Bench, _ recordings: [MeasuredLink: RunRecording]) async {
        guard let recorder else { return }
        var notes: [RecordingEntry] = []
        for probe in bench.probes {
            if let recording = recordings[probe.link] { notes += await probe.recorded(in: recording) }
        }
        await recorder.add(notes.sorted { $0.at < $1.at })
    }

    private func rounds(
        _ condition: Impairment, _ bench: Bench, since start: MonotonicTime, _ budget: inout FigureBudget?,
        _ progress: Progress
    ) async {
        var random = SeededRandom(seed: plan.seed)
        let order = bench.probes.shuffled(using: &random)
        var round = 0
        var isBlackoutDone = condition.blackout == nil
        var longest = Duration.zero
        while !Task.isCancelled {
            let began = clock.now
            var turn = turn(steeringFor: Self.steeringFor, commands: commandsInTurn)
            turn.isFirst = round == 0
            if let blackout = condition.blackout, !isBlackoutDone,
                began - start >= blackout.at || isLast(round, began, start, longest)
            {
                // Each link has the blackout in its own turn: one at a fixed time would hit a single link.
                isBlackoutDone = true
                turn.dark = (Self.blackoutDelay, blackout.length)
                turn.steeringFor = max(turn.steeringFor, blackout.length + .seconds(1))
            }
            // The order rotates with each round.
            for place in order.indices where !Task.isCancelled {
                guard await bench.reference.mayGoOn() else { return }
                let probe = order[(place + round) % order.count]
                progress(.turn(probe.link))
                await probe.take(turn)
                await reportFigures(of: bench, since: start, &budget, progress)
            }
            if round > 0 { longest = max(longest, clock.now - began) }
            round += 1
            progress(.round(number: round, elapsed: clock.now - start, planned: plan.duration))
            guard !isLast(round, clock.now, start, longest) || !isBlackoutDone else { break }
        }
    }

    /// Reports intermediate figures between two turns, when no link is being measured.
    private func reportFigures(
        of bench: Bench, since start: MonotonicTime, _ budget: inout FigureBudget?, _ progress: Progress
    ) async {
        let began = clock.now
        guard budget?.isDue(at: began) == true, !Task.isCancelled else { return }
        let limit = (began - Self.traceDelay - start).nanoseconds
        var figures: [String: [RunningFigures]] = [:]
        for probe in bench.probes { figures[probe.link.rawValue] = await probe.figures(upTo: limit) }
        progress(.figures(plan.links.flatMap { figures[$0.rawValue] ?? [] }))
        budget?.took(from: began, to: clock.now)
    }

    /// The companion sends its trace records a few times a second.
    private static let traceDelay: Duration = .milliseconds(500)

    /// Whether another whole round would exceed the duration by more than half a round.
    private func isLast(
        _ round: Int, _ now: MonotonicTime, _ start: MonotonicTime, _ longest: Duration
    ) -> Bool { round > 0 && now - start + longest / 2 >= plan.duration }

    private var commandsInTurn: Int {
        max(1, Int(saturating: (plan.commandHertz * Self.commandsFor.inSeconds).rounded()))
    }

    private func turn(steeringFor: Duration, commands: Int) -> Turn {
        Turn(
            steeringFor: steeringFor, steeringPeriod: .nanoseconds(Int64(saturating: (1e9 / plan.rateHertz).rounded())),
            commands: commands, commandPeriod: .nanoseconds(Int64(saturating: (1e9 / plan.commandHertz).rounded())))
    }

    private var settings: [LatencyReport.Fact] {
        [
            .init(
                "steering",
                "\(plan.rateHertz) Hz, neutral, valid for 500 ms, in turns of \(Self.steeringFor.inSeconds) s"),
            .init(
                "commands",
                "\(plan.command.name), \(plan.commandHertz) Hz, \(commandsInTurn) in a turn, on a fixed schedule"),
            .init("each condition", "\(plan.duration.inSeconds.formatted(decimals: 0)) s for all links together"),
            .init(
                "warm-up", "0.2 s of steering and \(Self.warmUpCommands) commands of each link and condition, discarded"
            ),
            .init(
                "impairment",
                "by relays in front of each link, same in each direction; a blackout in each link's own turn"),
            .init("clocks", "four timestamps with the companion, bypassing the relays"),
            .init(
                "telemetry", "from the stamp of the pose message, or its receipt on board, to the value on the ground"),
        ]
    }
}
