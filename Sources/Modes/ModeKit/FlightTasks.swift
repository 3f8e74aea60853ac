internal import FlightControl
internal import ModeKit
internal import UAVLink

/// Runs take-off, landing and hover on one or all vehicles, with progress reports.
@MainActor
final class FlightTasks {
    /// The command in progress, as a short text.
    private(set) var underWay: String?
    private var task: Task<Void, Never>?
    private var hover: Task<Void, Never>?
    private let tasks: TaskBag
    private let clock: any MonotonicClock
    private let tell: @MainActor (Notice) -> Void

    init(tasks: TaskBag, clock: any MonotonicClock, tell: @escaping @MainActor (Notice) -> Void) {
        self.tasks = tasks
        self.clock = clock
        self.tell = tell
    }

    /// Takes off: arm, output, offboard, take-off; until the vehicle flies.
    func takeOff(_ targets: [LoggedInVehicle]) {
        begin("take-off", targets) { flight, progress throws(FlightInteractor.Failure) in
            try await flight.armAndTakeOff(progress: progress)
            progress("climbing")
            try await flight.waitForEffect(of: .takeoff)
        }
    }

    /// Lands, until the motors are off. It waits for nothing: what is under way is not waited for any longer.
    func land(_ targets: [LoggedInVehicle]) {
        if !targets.isEmpty { cancel() }
        begin("landing", targets) { flight, progress throws(FlightInteractor.Failure) in
            progress("descending")
            try await flight.performAndWait(.land)
        }
    }

    /// Stops the motors of a vehicle that telemetry shows on the ground; any other would fall, and is refused.
    func disarm(_ targets: [LoggedInVehicle]) {
        begin("disarming", targets) { flight, _ throws(FlightInteractor.Failure) in
            if let danger = try await flight.disarmingDanger() {
                throw .link(LinkError(.invalidInput, "\(danger): without its motors it falls", hint: "land it"))
            }
            try await flight.performAndWait(.arm(false))
        }
    }

    /// Hovers; continues when the screen is left.
    func hover(_ targets: [LoggedInVehicle]) { send(.hover, targets) }

    /// Lands without waiting for the ground; continues when the screen is left.
    func landAfterLeaving(_ targets: [LoggedInVehicle]) { send(.land, targets) }

    private func send(_ command: Command, _ targets: [LoggedInVehicle]) {
        guard !targets.isEmpty else { return }
        hover = Task { [tell] in
            for notice in await FleetCommander().perform(command, on: targets) { tell(notice) }
        }
    }

    /// Returns when the last hover is answered.
    func settle() async { await hover?.value }

    /// Stops waiting; the vehicle completes the steps already sent. `false` when no command was in progress.
    @discardableResult
    func cancel() -> Bool {
        guard let task, let what = underWay else { return false }
        task.cancel()
        self.task = nil
        underWay = nil
        tell(
            Notice(
                .warning,
                "\(what): stopped waiting; no further step is sent, the vehicle may still execute the last one"))
        return true
    }

    private typealias Step =
        @Sendable (FlightInteractor, @escaping FlightInteractor.Progress) async throws(FlightInteractor.Failure) -> Void

    private func begin(_ what: String, _ targets: [LoggedInVehicle], _ step: @escaping Step) {
        guard !targets.isEmpty else { return tell(Notice(.warning, "not logged in to a vehicle")) }
        guard underWay == nil else {
            return tell(Notice(.warning, "\(underWay ?? "a command") is in progress; x stops waiting for it"))
        }
        underWay = what
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
                for await notice in group where !Task.isCancelled { self?.tell(notice) }
            }
            guard !Task.isCancelled else { return }
            self?.underWay = nil
            self?.task = nil
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
            try await step(flight, progress)
            return Notice(.success, "\(title): \(what) done")
        } catch {
            return Notice(.error, "\(title): \(error.description)")
        }
    }
}
