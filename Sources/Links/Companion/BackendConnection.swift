internal import Authority
internal import Synchronization
internal import UAVLink

/// The backend of a companion, and its first connection; later the backend reconnects by itself.
final class BackendConnection: Sendable {
    /// State of the first connection.
    private enum State: Sendable {
        /// Also before ``connect()``: commands may arrive as soon as the channel listens.
        case trying
        case failed(LinkError)
        case connected
    }

    /// Poll interval; connecting a backend takes up to 70 ms, so it adds little.
    private static let connectPollInterval: Duration = .milliseconds(5)

    let link: any UAVLink
    /// The backend, if it takes commands without a task.
    private let callbackLink: (any CallbackLink)?
    private let configuration: Companion.Configuration
    private let clock: any MonotonicClock
    private let log: CompanionLog
    private let state: Mutex<State>
    private let brakeFailures = Mutex(EventRateLimiter())
    /// The newest of the commands that wait, each for the one before it.
    private let queue = Mutex(Queue())

    /// The last that was given of all commands, and of those that stop the vehicle.
    private struct Queue {
        var last: Task<Void, Never>?
        var lastStop: Task<Void, Never>?
        /// How many of them have not begun yet.
        var waiting = 0
        var waitingStops = 0

        /// Whether a command would overtake none that it must follow.
        func isFree(for command: Command) -> Bool { waitingStops == 0 && (command.stopsOrLands || waiting == 0) }
    }

    init(
        _ link: any UAVLink, isConnected: Bool, _ configuration: Companion.Configuration, clock: any MonotonicClock,
        log: CompanionLog
    ) {
        self.link = link
        callbackLink = link.capabilities.callbacks
        self.configuration = configuration
        self.clock = clock
        self.log = log
        state = Mutex(isConnected ? .connected : .trying)
    }

    /// Connects, retrying until the backend answers or the task is cancelled.
    func connect() async {
        var lastFailure: String?
        while !Task.isCancelled {
            do {
                let isFirst = lastFailure == nil
                try await link.connect(
                    within: isFirst ? configuration.firstConnectTimeout : configuration.connectTimeout)
                log.say("connected to \(configuration.vehicle) over \(link.kind.rawValue)")
                state.withLock { $0 = .connected }
                return
            } catch {
                state.withLock { $0 = .failed(error) }
                // Logged once per reason, so that an absent master does not fill the disk.
                if lastFailure != error.description { log.say("\(error.description); retrying") }
                lastFailure = error.description
                try? await clock.sleep(for: configuration.reconnectPause)
            }
        }
    }

    /// Returns when the backend is connected; the companion may have just been started.
    ///
    /// - Throws: why it could not be connected, which is more specific than "not connected"; `timedOut` if the command's
    ///   deadline has passed.
    func waitUntilConnected(for name: String, until deadline: MonotonicTime) async throws(LinkError) {
        // 50 % longer than the first attempt: leaving a graph that was not joined takes a moment.
        let end = clock.now + configuration.firstConnectTimeout * 1.5
        while true {
            if clock.now >= deadline { throw Self.late(name) }
            switch state.withLock({ $0 }) {
            case .connected: return
            case .failed(let error): throw error
            case .trying:
                guard clock.now < end else {
                    throw LinkError(
                        .notConnected,
                        "the companion is not yet connected to \(configuration.vehicle) over \(link.kind.rawValue)",
                        hint:
                            "is its flight stack running, and is '\(configuration.vehicle)' its name? (uavlink doctor)")
                }
            }
            do { try await clock.sleep(for: Self.connectPollInterval) } catch {
                throw LinkError(.cancelled, "cancelled")
            }
        }
    }

    /// Gives a command to the backend: on this thread where the backend can, else in a task that first waits for the
    /// connection, after those that came before. Nothing begins after the deadline.
    ///
    /// - Parameter answer: called with the answer, and with what the vehicle did as far as it is known: a command that was not given to
    ///   the backend had no effect.
    /// - Returns: takes the command back as long as it waits; `nil` if it does not.
    func perform(
        _ command: Command, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>, CommandOutcome) -> Void
    ) -> CommandRecall? {
        // Right after the first connection those that waited for it may not have begun yet.
        if let callbackLink, isConnected, command.isSmall, queue.withLock({ $0.isFree(for: command) }) {
            let timeout = timeout(until: deadline)
            guard timeout > .zero else {
                answer(.failure(Self.late(command.name)), .refused)
                return nil
            }
            return callbackLink.begin(command, within: timeout) { answer($0, CommandOutcome($0)) }
        }
        let waiting = WaitingCommand(answer)
        queue.withLock { queue in
            let before = queue.last
            queue.waiting += 1
            guard command.stopsOrLands else {
                queue.last = Task {
                    await before?.value
                    await begin(command, waiting, until: deadline)
                    self.queue.withLock { $0.waiting -= 1 }
                }
                return
            }
            queue.waitingStops += 1
            // A stop waits for earlier stops only; those that come later wait for it, too.
            let stopBefore = queue.lastStop
            let stop = Task(priority: .high) {
                await stopBefore?.value
                await begin(command, waiting, until: deadline)
                self.queue.withLock {
                    $0.waiting -= 1
                    $0.waitingStops -= 1
                }
            }
            queue.lastStop = stop
            queue.last = Task {
                await before?.value
                await stop.value
            }
        }
        return { waiting.takeBack() }
    }

    /// Waits for the connection, and then gives a command to the backend; its answer is not waited for.
    private func begin(_ command: Command, _ waiting: WaitingCommand, until deadline: MonotonicTime) async {
        do throws(LinkError) { try await waitUntilConnected(for: command.name, until: deadline) } catch {
            return waiting.fail(error)
        }
        let timeout = timeout(until: deadline)
        guard timeout > .zero else { return waiting.fail(Self.late(command.name)) }
        guard let answer = waiting.begin() else { return }
        if let callbackLink {
            return waiting.hold(callbackLink.begin(command, within: timeout) { answer($0, CommandOutcome($0)) })
        }
        Task(priority: command.stopsOrLands ? .high : .medium) {
            let result: Result<CommandReply, LinkError>
            do throws(LinkError) { result = .success(try await link.perform(command, within: timeout)) } catch {
                result = .failure(error)
            }
            answer(result, CommandOutcome(result))
        }
    }

    /// Stops motion under the last setpoint: sends the vehicle a neutral one, after it on the same connection. It does not
    /// disturb a vehicle that lands, or whose newer tracker accepts no setpoints.
    func brake() {
        let now = clock.now
        let neutral = VelocitySetpoint(
            velocityMetresPerSecond: .zero, intendedAt: now, validFor: VelocitySetpoint.longestValidity)
        do throws(LinkError) { try link.steer(neutral) } catch {
            // Repeated for as long as the vehicle's tracker would go on by itself.
            if brakeFailures.withLock({ $0.note(at: now) }) {
                log.say("the vehicle cannot be braked: \(error.description)")
            }
        }
    }

    private var isConnected: Bool {
        switch state.withLock({ $0 }) {
        case .connected: true
        case .trying, .failed: false
        }
    }

    /// Timeout of the backend for a command: it must not begin later than its caller waits.
    private func timeout(until deadline: MonotonicTime) -> Duration {
        min(configuration.commandTimeout, deadline - clock.now)
    }

    private static func late(_ name: String) -> LinkError {
        LinkError(
            .timedOut, "\(name) was not sent to the vehicle: its deadline passed first", hint: "send it again")
    }
}

extension Command {
    /// Whether it is encoded within microseconds; a trajectory is not, and would block the channel thread.
    fileprivate var isSmall: Bool { if case .uploadTrajectory = self { false } else { true } }
}
