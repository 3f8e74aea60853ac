package import FlightControl
internal import ReportKit
package import UAVLink

/// Runs take-off, landing, hover and flights to a place on one or all vehicles, with progress reports.
@MainActor
package final class FlightTasks {
    /// The command in progress, as a short text.
    package private(set) var underWay: String?
    /// Whether a newer flight to a place replaces it; a take-off is not replaced.
    private var isReplaceable = false
    private var task: Task<Void, Never>?
    private var hover: Task<Void, Never>?
    private let fleet: Fleet
    private let tasks: TaskBag
    private let clock: any MonotonicClock
    private let tell: @MainActor (Notice) -> Void

    package init(fleet: Fleet, tasks: TaskBag, clock: any MonotonicClock, tell: @escaping @MainActor (Notice) -> Void) {
        self.fleet = fleet
        self.tasks = tasks
        self.clock = clock
        self.tell = tell
    }

    /// Takes off: arm, output, offboard, take-off; until the vehicle flies.
    package func takeOff(_ targets: [LoggedInVehicle]) {
        begin("take-off", targets) { flight, progress throws(FlightInteractor.Failure) in
            try await flight.armAndTakeOff(progress: progress)
            progress("climbing")
            try await flight.waitForEffect(of: .takeoff, progress: progress)
            return .done
        }
    }

    /// Clears the emergency of machines whose take-off does that, and no more: of one that is in none any more it would be a take-off, which
    /// nobody has agreed to. Their answer is a refusal of the take-off, so the state shows whether it is done.
    package func clearEmergency(_ targets: [LoggedInVehicle]) {
        begin("emergency", targets) { flight, progress throws(FlightInteractor.Failure) in
            progress("being cleared")
            try await flight.clearEmergency()
            return .success("cleared: take off again if it stands level and free")
        }
    }

    /// Lands, until the motors are off. It is sent to each vehicle, whatever telemetry shows, and waits for nothing: what is under way is
    /// not waited for any longer.
    package func land(_ targets: [LoggedInVehicle]) {
        let isOne = targets.count == 1
        // Again while it lands: the command goes out again, and nothing is given up.
        if underWay?.hasPrefix("landing") == true { stopWaiting() } else if !targets.isEmpty { cancel() }
        begin("landing", targets) { flight, progress throws(FlightInteractor.Failure) in
            let stood = flight.showsMotorsOff
            progress(stood ? "waiting for the answer" : "descending")
            do throws(FlightInteractor.Failure) { try await flight.performAndWait(.land, progress: progress) } catch {
                // Beside others that land it is no news that one which stands refuses to.
                guard stood, !isOne, case .refused = error else { throw error }
                return .success("not needed: it stands on the ground with its motors off")
            }
            return stood ? .success("accepted; it stood on the ground with its motors off") : .done
        }
    }

    /// Stops the motors of a vehicle that telemetry shows on the ground; any other would fall, and is refused.
    package func disarm(_ targets: [LoggedInVehicle]) {
        begin("disarming", targets) { flight, _ throws(FlightInteractor.Failure) in
            if let danger = try await flight.disarmingDanger() {
                throw .link(
                    LinkError(.invalidInput, "\(danger.words): without its motors it falls", hint: danger.advice))
            }
            try await flight.performAndWait(.arm(false))
            return .done
        }
    }

    /// Performs a command until its effect shows. A newer one replaces it, as it does in the vehicle.
    ///
    /// - Parameters:
    ///   - what: the command in a word or two, for notices: `goto`.
    ///   - destination: finds where a command leads over a link, if it does not say it itself; asked once the command is accepted.
    ///   - command: makes the command, knowing the vehicle's telemetry.
    package func perform(
        _ what: String, on targets: [LoggedInVehicle],
        to destination: @escaping @Sendable (Command, any UAVLink) async -> KnownDestination?,
        _ command: @escaping @Sendable (FlightInteractor) async throws(FlightInteractor.Failure) -> Command
    ) {
        if isReplaceable, !targets.isEmpty { stopWaiting() }
        begin(what, targets, isReplaceable: true) { flight, progress throws(FlightInteractor.Failure) in
            let command = try await command(flight)
            let start = flight.pose
            try await flight.perform(command)
            let answered = flight.clock.now
            // It was accepted all the same.
            guard flight.canSeeEffect(of: command) else { return .success("accepted; its end cannot be seen") }
            let place = await destination(command, flight.link)
            let arrival = try await flight.waitForEffect(
                of: command, from: start, to: place, since: answered, progress: progress)
            if command == .landHome { return .done }
            guard let arrival else {
                return .unknown("it is not known whether the goal was reached: no position was received")
            }
            guard arrival.isSuccess else { return .unknown(arrival.text) }
            if case .goTo = command { return .success(arrival.text) }
            return .success("reached after \(arrival.duration.inSeconds.formatted(decimals: 1)) s")
        }
    }

    /// Hovers; continues when the screen is left.
    package func hover(_ targets: [LoggedInVehicle]) { send(.hover, targets) }

    /// Lands without waiting for the ground; continues when the screen is left.
    package func landAfterLeaving(_ targets: [LoggedInVehicle]) {
        send(.land, targets)
    }

    private func send(_ command: Command, _ targets: [LoggedInVehicle]) {
        guard !targets.isEmpty else { return }
        fleet.beginCommand()
        let landing = HoverInLanding(command, on: targets, of: fleet)
        if let announcement = FleetCommander().announcement(of: command, on: targets) { tell(announcement) }
        hover = Task { [tell, weak self] in
            let answers = await FleetCommander().perform(command, on: targets)
            for notice in answers.withoutHiddenFailures { tell(notice) }
            self?.followUp(landing, answers)
        }
    }

    /// Says which vehicles land on although their hover was accepted, and waits for their landing again.
    ///
    /// - Parameter answers: the answers to the hover, in the order of its targets.
    package func followUp(_ hover: HoverInLanding, _ answers: [Notice]) {
        guard !hover.isEmpty else { return }
        tasks.start { [weak self] in
            let vehicles = await hover.landingOn(after: answers)
            guard let self, !Task.isCancelled, !vehicles.isEmpty else { return }
            for vehicle in vehicles {
                tell(
                    Notice(
                        .warning,
                        "\(vehicle.title): hover accepted, but it lands on: this flight stack ends no landing so low",
                        scope: .vehicle))
            }
            guard underWay == nil else { return }
            begin("landing", vehicles) { flight, progress throws(FlightInteractor.Failure) in
                progress("descending")
                try await flight.waitForEffect(of: .land, progress: progress)
                return .done
            }
        }
    }

    /// Returns when the last hover is answered.
    package func settle() async { await hover?.value }

    /// Stops waiting; the vehicle completes the steps already sent. `false` when no command was in progress.
    @discardableResult
    package func cancel() -> Bool {
        guard let what = underWay else { return false }
        stopWaiting()
        tell(
            Notice(
                .warning,
                "\(what): stopped waiting; no further step is sent, the vehicle may still execute the last one",
                scope: .vehicle))
        return true
    }

    private func stopWaiting() {
        task?.cancel()
        task = nil
        underWay = nil
        isReplaceable = false
    }

    /// How a step ended that did not fail.
    private enum Ending: Sendable {
        case done
        /// Done, with more to say than that.
        case success(String)
        /// It is not known whether it is done, in a sentence.
        case unknown(String)
    }

    private typealias Step =
        @Sendable (FlightInteractor, @escaping FlightInteractor.Progress) async throws(FlightInteractor.Failure)
        -> Ending

    private func begin(
        _ what: String, _ targets: [LoggedInVehicle], isReplaceable: Bool = false, _ step: @escaping Step
    ) {
        guard !targets.isEmpty else { return tell(Notice(.warning, "not logged in to a vehicle")) }
        guard underWay == nil else {
            return tell(Notice(.warning, "\(underWay ?? "a command") is in progress: wait for its end, or F7 hovers"))
        }
        // What another screen began still has steps to send: this is newer.
        fleet.beginCommand { [weak self] in self?.cancel() }
        underWay = what
        self.isReplaceable = isReplaceable
        task = tasks.start { [weak self, clock] in
            await withTaskGroup(of: Notice.self) { group in
                for target in targets {
                    let flight = FlightInteractor(FlightDependency(link: target.link, clock: clock))
                    group.addTask {
                        await Self.run(what, target.title, flight, step) { line in
                            Task { @MainActor in self?.step(what, "\(target.title): \(line)") }
                        }
                    }
                }
                var ended: [Notice] = []
                for await notice in group where !Task.isCancelled {
                    ended.append(notice)
                    // A failure is not hidden by what another vehicle did.
                    self?.tell(ended.withoutHiddenFailures.last ?? notice)
                }
            }
            guard !Task.isCancelled else { return }
            self?.stopWaiting()
        }
    }

    private func step(_ what: String, _ line: String) {
        guard let underWay, underWay.hasPrefix(what) else { return }
        self.underWay = "\(what): \(line.sanitizedLine)"
    }

    private static func run(
        _ what: String, _ title: String, _ flight: FlightInteractor, _ step: Step,
        progress: @escaping FlightInteractor.Progress
    ) async -> Notice {
        do {
            let ending = try await step(flight, progress)
            return switch ending {
            case .done: Notice(.success, "\(title): \(what) done")
            case .success(let end): Notice(.success, "\(title): \(what) \(end)")
            case .unknown(let why): Notice(.warning, "\(title): \(what): \(why)")
            }
        } catch {
            return Notice(.error, "\(title): \(error.description)")
        }
    }
}
