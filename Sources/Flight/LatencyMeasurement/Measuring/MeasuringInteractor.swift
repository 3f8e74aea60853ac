package import FlightRecorder
internal import GroundComputer
internal import Impairment
internal import ReportKit
internal import SystemKit
package import UAVLink
package import VehicleAccess

/// Measures links in turns, so that all of them have the same conditions; one network condition after the other.
///
/// ```
///   condition ─▶ warm-up of each link ─▶ round: link after link, in a balanced order ─▶ round ... ─▶ report
///                                          ╰ setpoints on their schedule, then commands on theirs; telemetry meanwhile
///   where motion is measured: round ... ─▶ push ─▶ without the condition: back ─▶ push over the next link ...
/// ```
/// Links are opened again where a condition without impairment follows one with it, or the other way round: without one no
/// relay stands in front of them. Where packets are lost they are opened for each condition, since a connection of TCP
/// remembers what it has met.
///
/// Cancelling the task ends the run early; the report then has what was measured. So does a vehicle that takes off or
/// lands, and another ground that stops it or gets control authority: the commands that are measured could end that.
package struct MeasuringInteractor: Sendable {
    /// Called with each event.
    package typealias Progress = @Sendable (MeasuringEvent) -> Void

    private let access: LaboratoryAccess
    private let machine: ImpairedMachine?
    private let plan: MeasuringPlan
    private let clock: any MonotonicClock
    private let recorder: FlightRecorder?
    private let recordsTelemetry: Bool
    private let lossObstacle: @Sendable () -> String?

    private static let warmUpFor: Duration = .milliseconds(200)
    /// After an impairment ends, the relay still delivers what it holds.
    private static let drain: Duration = .milliseconds(300)

    /// Creates a measurement for the vehicle of `connector`.
    ///
    /// - Parameters:
    ///   - machine: the machine that the companion is in front of, to be measured directly too.
    ///   - recorder: records the measurements after each condition.
    ///   - recordsTelemetry: whether telemetry is recorded throughout; `false` where another link to the vehicle is
    ///     recorded.
    ///   - lossObstacle: why this process cannot lose IP packets; `nil` if it can. Asked when a condition loses any, or has a
    ///     rate.
    package init(
        connector: VehicleConnector, plan: MeasuringPlan, clock: any MonotonicClock = SystemMonotonicClock(),
        machine: ImpairedMachine? = nil, recorder: FlightRecorder? = nil, recordsTelemetry: Bool = true,
        lossObstacle: @escaping @Sendable () -> String? = { PacketNetwork.missing }
    ) {
        self.machine = machine
        self.recorder = recorder
        self.recordsTelemetry = recordsTelemetry
        self.lossObstacle = lossObstacle
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
        try plan.validate()
        let began = clock.now
        var report = LatencyReport(
            vehicle: access.profile.vehicle, commandLine: plan.commandLine, beganSeconds: Double(WallTime.now) / 1e9,
            lengthSeconds: 0, seed: plan.seed)
        let (own, address) = (ComputerFacts.own, try await access.address())
        let begun = own.processorTime
        report.machine = (own.machine(to: address) + own.clockFacts(at: "the start")).map(LatencyReport.Fact.init)
        report.versions = own.versions.map(LatencyReport.Fact.init)
        if let commit = HostProcess.executablePath.flatMap(own.commit) {
            report.versions.append(.init("commit", commit))
        }
        let computer = await VehicleFacts(access, within: plan.timeout)
        report.machine += computer.machine
        report.versions += computer.versions
        if access.profile.isLocal, let ros = HostProcess.environment["ROS_DISTRO"] {
            report.versions.append(.init("ROS", ros))
        }
        report.settings = plan.settings
        let reference = ReferenceClock()
        let setting = ProbeSetting(
            access: access, address: address, seed: plan.seed, timeout: plan.timeout,
            command: plan.command, clock: clock, reference: reference, rosbridge: plan.rosbridge,
            box: MotionBounds(reachMetres: plan.boxMetres), machine: machine)
        await reference.open(
            access, at: setting.address, within: plan.timeout, recorder: recordsTelemetry ? recorder : nil)
        if let version = await reference.companionVersion { report.versions.append(.init("companion", version)) }
        if let failure = await reference.failure {
            report.notes.append("no companion for the clock comparison: \(failure.description)")
        }
        var error = await measureConditions(setting, computer.obstacle, &report, reportsFigures, progress)
        report.notes += await reference.telemetryNotes(access.profile)
        if let machine {
            if let note = machine.note { report.notes.append(note) }
            report.notes.append(
                "the stage ROS of tcp and udp is the companion's own link to the machine; direct has it in network, and is not judged"
            )
        }
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
        report.clockExchanges = await reference.exchanges(since: began)
        await reference.close()
        let ended = own.processorTime
        let later = own.clockFacts(at: "the end").filter { $0.name != "clock kept by" }
        report.machine += (later + ComputerFacts.load(from: begun, to: ended)).map(LatencyReport.Fact.init)
        if let note = ComputerFacts.stealNote(from: begun, to: ended) { report.notes.append(note) }
        if let error { throw error }
        report.lengthSeconds = (clock.now - began).inSeconds
        return report
    }

    /// Measures one condition after the other.
    ///
    /// - Parameter obstacle: why nobody can log in to the vehicle's computer; `nil` if that is not known.
    /// - Returns: the error of the first link, if none opens for the first condition.
    private func measureConditions(
        _ setting: ProbeSetting, _ obstacle: LinkError?, _ report: inout LatencyReport, _ reportsFigures: Bool,
        _ progress: @escaping Progress
    ) async -> LinkError? {
        var bench: ProbeBench?
        for (index, part) in plan.parts.enumerated() where !Task.isCancelled {
            let condition = part.condition
            if index > 0 { guard await setting.reference.mayGoOn() else { break } }
            let way = EmulatedWay(condition, lossObstacle)
            var own = setting
            own.emulation = way.emulation
            own.takesPackets = condition.hasLoad
            let serves = bench?.serves(way.emulation, way.lossObstacle, takesPackets: own.takesPackets) == true
            let known = serves ? bench : nil
            if known == nil { await bench?.close() }
            let ready: ProbeBench
            if let known {
                ready = known
            } else {
                ready = await ProbeBench.open(plan.links, own, obstacle, lossObstacle: way.lossObstacle, progress)
            }
            bench = ready
            if index == 0, ready.probes.isEmpty {
                await ready.close()
                return ready.failures.first?.error
            }
            guard await setting.reference.mayGoOn() else { break }
            progress(.condition(number: index + 1, count: plan.parts.count, text: part.text))
            let run = await measure(part, ready, reportsFigures, progress)
            if reportsFigures { progress(.figures(run.links.flatMap { RunningFigures.all($0) })) }
            report.conditions.append(run)
            report.notes += run.untracedNotes + run.emulationNotes
        }
        await bench?.close()
        return nil
    }

    // MARK: A condition

    private func measure(
        _ part: MeasuringPlan.Part, _ bench: ProbeBench, _ reportsFigures: Bool, _ progress: @escaping Progress
    ) async -> ConditionRun {
        let condition = part.condition
        var plan = plan
        plan.rateHertz = part.rateHertz
        var steady = condition
        steady.blackout = nil
        for probe in bench.probes { probe.relays.impair(steady) }
        var warmUp = plan.turn(steeringFor: Self.warmUpFor, commands: MeasuringPlan.warmUpCommands)
        warmUp.isWarmUp = true
        for probe in bench.probes where !Task.isCancelled {
            await probe.prepare(warmUp)
            await probe.take(warmUp)
        }
        let start = clock.now
        await bench.costs.begin()
        let recordings = recordings(part.text)
        for probe in bench.probes { await probe.begin(at: start, recording: recordings[probe.link]) }
        var rounds = MeasuringRounds(
            plan: plan, clock: clock, bench: bench, start: start, reportsFigures: reportsFigures, progress: progress)
        await rounds.run(condition)
        if plan.measuresMotion, await bench.reference.mayGoOn() {
            await MotionTurns(clock: clock, drain: Self.drain, pushes: plan.pushes, seed: plan.seed)
                .take(bench.probes, under: steady)
        }
        var runs: [String: LinkRun] = [:]
        for probe in bench.probes {
            var run = LinkRun(link: probe.link.rawValue, how: probe.link.how)
            let measured = probe.relays.failure == nil ? await probe.finish() : run
            // Asked again: the failure of the last turn may be noticed only while its records are waited for.
            if let failure = probe.relays.failure { run.failure = Emulation.failure(failure) } else { run = measured }
            if let failure = rounds.loadFailures[probe.link] { run.failure = failure.description }
            if run.failure == nil { run.cost = await bench.costs.cost(of: probe.link) }
            runs[probe.link.rawValue] = run
        }
        await record(bench, recordings)
        for probe in bench.probes { probe.relays.impair(.none) }
        if !Task.isCancelled { try? await Task.sleep(for: Self.drain) }
        for failure in bench.failures {
            runs[failure.link.rawValue] = LinkRun(
                link: failure.link.rawValue, how: failure.link.how, failure: failure.error.description)
        }
        return ConditionRun(
            impairment: part.text, links: plan.links.compactMap { runs[$0.rawValue] },
            emulation: bench.emulation)
    }

    private func recordings(_ condition: String) -> [MeasuredLink: RunRecording] {
        guard let recorder else { return [:] }
        return plan.links.reduce(into: [:]) { all, link in
            all[link] = RunRecording(
                recorder: recorder, link: link, condition: condition, command: plan.command)
        }
    }

    /// Records all measurements in chronological order.
    private func record(_ bench: ProbeBench, _ recordings: [MeasuredLink: RunRecording]) async {
        guard let recorder else { return }
        var notes: [RecordingEntry] = []
        for probe in bench.probes {
            if let recording = recordings[probe.link] { notes += await probe.recorded(in: recording) }
        }
        await recorder.add(notes.sorted { $0.at < $1.at })
    }
}
