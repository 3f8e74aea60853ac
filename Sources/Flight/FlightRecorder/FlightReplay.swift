internal import FlightControl
internal import MRSMessages
internal import ROSMessages
package import UAVLink

/// Replays a recording's commands and setpoints to another vehicle, a simulated one, at the recorded intervals.
package struct FlightReplay: Sendable {
    /// The result of one replayed command.
    package struct Step: Sendable {
        /// When it was intended, seconds after the first item.
        package var atSeconds: Double
        /// The command's name.
        package var name: String
        /// The recorded answer; `nil` if there was none.
        package var recorded: CommandReply?
        /// The answer in the replay, or the error.
        package var replayed: Result<CommandReply, LinkError>

        /// Whether both answers agree on acceptance.
        package var agrees: Bool {
            guard case .success(let reply) = replayed, let recorded else { return false }
            return reply.accepted == recorded.accepted
        }
    }

    /// The result of a replay.
    package struct Report: Sendable {
        /// The commands in order.
        package var steps: [Step] = []
        /// The number of setpoints replayed.
        package var setpoints = 0
        /// The number of setpoints that the link refused.
        package var refusedSetpoints = 0
        /// The number of recorded commands that are not valid.
        package var unreadable = 0
        /// Whether the vehicle took off before the replay, because the recording begins in flight.
        package var tookOffFirst = false
        /// Why that failed, in one line; what follows was replayed on the ground.
        package var takeOffProblem: String?
        /// Whether a trajectory was sent to the vehicle that no recorded command sent, because the recorded one held it before.
        package var sentTrajectoryFirst = false
        /// Why that failed, in one line.
        package var trajectoryProblem: String?
        /// What the recorded vehicle flew; `nil` if its places were not recorded.
        package var recorded: Way?
        /// What the replayed vehicle flew.
        package var replayed: Way?
        /// Whether it was cancelled; what was not replayed then is no difference.
        package var isInterrupted = false

        /// What is not well, in one line; `nil` if the replay agrees with the recording.
        package var problem: String? {
            if isInterrupted { return "interrupted" }
            return steps.allSatisfy(\.agrees) && unreadable == 0 ? nil : "the replay differs from the recording"
        }
    }

    private enum Item {
        case command(FlightLog.CommandEntry)
        case setpoint(UavlinkMsgs.Setpoint)

        var isSetpoint: Bool { if case .setpoint = self { true } else { false } }
    }

    /// How long a step of a take-off is given again that the recorded vehicle accepted.
    private static let longestRetry: Duration = .seconds(3)
    private static let retryPeriod: Duration = .milliseconds(100)

    private let link: any UAVLink
    private let timeSource: any TimeSource
    private let timeout: Duration

    /// A replay over a connected link.
    ///
    /// - Parameter timeout: for each answer.
    package init(link: any UAVLink, timeSource: any TimeSource, timeout: Duration) {
        self.link = link
        self.timeSource = timeSource
        self.timeout = timeout
    }

    /// Replays all items, then waits until the recording's end time; ends early when the task is cancelled.
    ///
    /// A vehicle on the ground takes off first, and flies to the recorded place, if the recording begins in flight. A trajectory
    /// that the recorded vehicle held before is sent when a command needs it.
    package func run(_ log: FlightLog, tell: (Step) -> Void = { _ in }) async -> Report {
        var report = Report()
        await replay(log, &report, tell)
        report.isInterrupted = Task.isCancelled
        return report
    }

    private func replay(_ log: FlightLog, _ report: inout Report, _ tell: (Step) -> Void) async {
        let items = Self.items(log)
        guard let first = items.first?.at else { return }
        let place = log.place(before: first)
        if log.beginsInFlight, !isFlying { await takeOff(to: place, &report) }
        let began = timeSource.clock.now
        let start = link.latestTelemetry?.pose?.value.positionMetres
        // An error is ignored: without control authority each setpoint is refused, which shows in the report.
        if items.contains(where: { $0.item.isSetpoint }) {
            try? await ControlAuthorityClient.take(of: link, within: timeout)
        }
        var holdsTrajectory = false
        for (index, (at, item)) in items.enumerated() {
            if Self.isRetried(item, before: items[(index + 1)...].lazy.map { $0.item }) { continue }
            guard await wait(until: began + .nanoseconds(at - first)) else { return }
            switch item {
            case .command(let entry):
                guard let command = entry.command else {
                    report.unreadable += 1
                    continue
                }
                if command.loadsTrajectory { holdsTrajectory = true }
                if command.needsTrajectory, !holdsTrajectory, entry.message.accepted {
                    holdsTrajectory = true
                    await send(log.trajectory(for: entry.message), &report)
                }
                let step = await give(command, entry.message, Double(at - first) / 1e9)
                if Task.isCancelled, !step.agrees { return }
                report.steps.append(step)
                tell(step)
            case .setpoint(let setpoint): give(setpoint, &report)
            }
        }
        if let end = log.span?.upperBound { _ = await wait(until: began + .nanoseconds(end - first)) }
        if let place, let end = log.places.last { report.recorded = Way(start: place.position, end: end.position) }
        if let start, let end = link.latestTelemetry?.pose?.value.positionMetres {
            report.replayed = Way(start: start, end: end)
        }
    }

    private var isFlying: Bool { link.latestTelemetry?.flight?.value.state == .flying }

    private func takeOff(to place: FlightLog.Place?, _ report: inout Report) async {
        report.tookOffFirst = true
        let flight = FlightInteractor(FlightDependency(link: link, clock: timeSource.clock))
        do throws(FlightInteractor.Failure) {
            try await flight.armAndTakeOff()
            try await flight.waitForEffect(of: .takeoff)
            if let place { try await fly(flight, to: place) }
        } catch {
            if Task.isCancelled {
                report.tookOffFirst = false
            } else {
                report.takeOffProblem = error.description
            }
        }
    }

    /// Recorded commands name places: the flight begins where the recorded one did, or, where the vehicle may not fly there, at
    /// its height.
    private func fly(_ flight: FlightInteractor, to place: FlightLog.Place) async throws(FlightInteractor.Failure) {
        do throws(FlightInteractor.Failure) {
            try await flight.performAndWait(
                .goTo(.init(.frame(.current), position: place.position, headingRadians: place.headingRadians)))
        } catch {
            guard case .refused = error else { throw error }
            try await flight.performAndWait(.altitude(metres: place.position.z))
        }
    }

    private func send(_ trajectory: Trajectory?, _ report: inout Report) async {
        guard var trajectory else { return }
        trajectory.fliesNow = false
        report.sentTrajectoryFirst = true
        do throws(LinkError) {
            let reply = try await link.perform(.uploadTrajectory(trajectory), within: timeout)
            if !reply.accepted { report.trajectoryProblem = reply.message.sanitizedLine }
        } catch {
            if !Task.isCancelled { report.trajectoryProblem = error.description }
        }
    }

    private func wait(until instant: MonotonicTime) async -> Bool {
        let rest = instant - timeSource.clock.now
        guard rest > .zero else { return !Task.isCancelled }
        return await timeSource.pause(rest)
    }

    private func give(_ command: Command, _ message: UavlinkMsgs.Command, _ seconds: Double) async -> Step {
        let recorded =
            message.error.isEmpty ? CommandReply(accepted: message.accepted, message: message.message) : nil
        do throws(LinkError) {
            var reply = try await link.perform(command, within: timeout)
            // The recorded vehicle may have been ready sooner after the step before, or this machine is busier.
            let giveUp = timeSource.clock.now + Self.longestRetry
            while command.isRefusedForNow(reply), recorded?.accepted == true, timeSource.clock.now < giveUp,
                await timeSource.pause(Self.retryPeriod)
            {
                reply = try await link.perform(command, within: timeout)
            }
            return Step(atSeconds: seconds, name: message.name, recorded: recorded, replayed: .success(reply))
        } catch {
            return Step(atSeconds: seconds, name: message.name, recorded: recorded, replayed: .failure(error))
        }
    }

    private func give(_ recorded: UavlinkMsgs.Setpoint, _ report: inout Report) {
        guard recorded.error.isEmpty else { return }
        report.setpoints += 1
        let valid = Int64(recorded.validFor.seconds) * 1_000_000_000 + Int64(recorded.validFor.nanoseconds)
        let setpoint = VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: recorded.velocity.x, y: recorded.velocity.y, z: recorded.velocity.z),
            headingRateRadiansPerSecond: recorded.headingRate,
            frame: VelocitySetpoint.Frame(rawValue: recorded.frame) ?? .world, intendedAt: timeSource.clock.now,
            validFor: .nanoseconds(valid))
        do { try link.steer(setpoint) } catch { report.refusedSetpoints += 1 }
    }

    private static func items(_ log: FlightLog) -> [(at: Int64, item: Item)] {
        let commands = log.commands.map { (at: FlightLog.nanoseconds($0.message.intended), item: Item.command($0)) }
        let setpoints = log.setpoints.map { (at: FlightLog.nanoseconds($0.intended), item: Item.setpoint($0)) }
        return (commands + setpoints).sorted { $0.at < $1.at }
    }

    /// Whether a recorded step of a take-off was refused and given again: only the attempt that counted is replayed, since another
    /// vehicle may be ready at once.
    private static func isRetried(_ item: Item, before next: some Sequence<Item>) -> Bool {
        guard case .command(let entry) = item, let command = entry.command, command == .offboard || command == .takeoff,
            entry.message.error.isEmpty, !entry.message.accepted
        else { return false }
        for item in next {
            guard case .command(let later) = item else { continue }
            return later.command == command
        }
        return false
    }
}

extension FlightLog {
    /// The last place before an instant, or the first one.
    fileprivate func place(before instant: Nanoseconds) -> Place? {
        places.last { $0.at <= instant } ?? places.first
    }

    /// Where the recorded vehicle was when its first command or setpoint was intended, in its current frame: recorded commands name
    /// places, so a replay starts there. `nil` if that was not recorded, or is no possible place.
    package var start: Pose? {
        let times = [
            commands.lazy.map { Self.nanoseconds($0.message.intended) }.min(),
            setpoints.lazy.map { Self.nanoseconds($0.intended) }.min(),
        ]
        guard let first = times.compactMap(\.self).min(), let place = place(before: first) else { return nil }
        return TelemetryBounds.pose(
            Pose(frame: .current, positionMetres: place.position, headingRadians: place.headingRadians))
    }

    /// The trajectory that a command needed: the last one before its answer, or the first one, if it was recorded later.
    fileprivate func trajectory(for command: UavlinkMsgs.Command) -> Trajectory? {
        let answered = Self.nanoseconds(command.answered)
        return (plans.last { $0.at <= answered } ?? plans.first)?.trajectory
    }
}

extension Command {
    fileprivate var loadsTrajectory: Bool {
        if case .uploadTrajectory = self { true } else { false }
    }

    /// Whether it flies a trajectory that the vehicle holds.
    fileprivate var needsTrajectory: Bool {
        switch self {
        case .goToTrajectoryStart, .startTrajectory, .resumeTrajectory: true
        default: false
        }
    }
}
