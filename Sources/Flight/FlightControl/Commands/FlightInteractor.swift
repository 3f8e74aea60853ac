internal import ReportKit
public import UAVLink

/// What flying needs: a link and a clock.
public struct FlightDependency: Sendable {
    /// The connected link.
    public var link: any UAVLink
    /// Where the time comes from.
    public var clock: any MonotonicClock

    /// What flying needs.
    public init(link: any UAVLink, clock: any MonotonicClock = SystemMonotonicClock()) {
        self.link = link
        self.clock = clock
    }
}

/// Flies a vehicle step by step: commands, the take-off sequence, and waiting for the effect of each.
///
/// The screens and the scriptable subcommands both call it. It knows nothing of either: what happens on the way goes
/// to `progress`.
public struct FlightInteractor: Sendable {
    /// Time limits and pauses of a flight, each with the measurement that chose it (facts of the real stack).
    public struct Limits: Sendable {
        /// For one command's answer. `rosservice call` over SSH takes 1.3 s on a quiet machine and several on a busy one.
        public var answer: Duration = .seconds(15)
        /// For the first telemetry after connecting: over SSH it takes the start of a Python program on the vehicle.
        public var firstTelemetry: Duration = .seconds(5)
        /// From the accepted take-off to normal flight: 5 s to 1.5 m on the real stack.
        public var takeOff: Duration = .seconds(40)
        /// From the accepted landing to disarmed: 9 s from 2 m, 0.5 m/s from higher up.
        public var landing: Duration = .seconds(180)
        /// From an accepted goto to the goal: 45 m take 14 s.
        public var goal: Duration = .seconds(180)
        /// How long what was accepted may take to show: `hw_api/status` follows arming and offboard within a second on the real
        /// stack, which refuses a take-off until then.
        public var stepShows: Duration = .seconds(3)
        /// Before a step is tried again that the vehicle refuses because it does not know of the one before: control output must
        /// have flowed for a second before `offboard`.
        public var stepRetryPause: Duration = .milliseconds(500)
        /// How often such a step is tried; it is safe to repeat, since a refused one has no effect.
        public var stepTries = 10
        /// How long a goal may take to show as such: the flag follows the call after 0.39 s, at 10 Hz, and later over SSH.
        public var goalAppears: Duration = .seconds(2)
        /// How long a velocity takes to die out after hover at the fast constraints (8 m/s at 4 m/s2).
        public var stop: Duration = .seconds(20)

        /// The limits for a real vehicle.
        public init() {}
    }

    /// A step that was asked for and did not come about.
    public enum Failure: Error, Sendable, CustomStringConvertible {
        /// The link failed.
        case link(LinkError)
        /// The vehicle refused; the text is its own.
        case refused(command: String, message: String)
        /// The vehicle accepted, but the effect did not come in time.
        case noEffect(command: String, waitedFor: String, within: Duration, lastSeen: String)
        /// The vehicle accepted, and then went its own way: somebody landed it.
        case cancelled(command: String, waitedFor: String, lastSeen: String)

        /// One line for people.
        public var description: String {
            switch self {
            case .link(let error): error.description
            case .refused(let command, let message):
                "the vehicle refused \(command): \(message.isEmpty ? "it gave no reason" : message.harmlessLine)"
            case .noEffect(let command, let waitedFor, let within, let lastSeen):
                "\(command) was accepted, but the vehicle was not \(waitedFor) within \(Int(saturating: within.inSeconds)) s (\(lastSeen))"
            case .cancelled(let command, let waitedFor, let lastSeen):
                "\(command) was accepted, and ended before the vehicle was \(waitedFor) (\(lastSeen))"
            }
        }
    }

    /// Told what happens on the way, one line at a time.
    public typealias Progress = @Sendable (String) -> Void

    let link: any UAVLink
    let clock: any MonotonicClock
    let limits: Limits

    /// An interactor over a connected link.
    public init(_ dependency: FlightDependency, limits: Limits = Limits()) {
        link = dependency.link
        clock = dependency.clock
        self.limits = limits
    }

    /// Asks the vehicle and returns its answer when it accepted.
    ///
    /// - Throws: ``Failure/link(_:)`` or ``Failure/refused(command:message:)``.
    @discardableResult
    public func perform(_ command: Command) async throws(Failure) -> CommandReply {
        let reply = try await ask(command)
        guard reply.accepted else { throw .refused(command: command.name, message: reply.message) }
        return reply
    }

    /// Asks the vehicle, then waits until the effect of the command is there.
    ///
    /// - Throws: ``Failure``.
    @discardableResult
    public func performAndWait(_ command: Command, progress: Progress = { _ in }) async throws(Failure) -> CommandReply
    {
        let before = link.latestTelemetry
        let reply = try await perform(command)
        try await waitForEffect(of: command, before: before, progress: progress)
        return reply
    }

    /// The command for a goto as it was typed; waits for the vehicle's heading when that is to be kept and not known yet.
    ///
    /// - Throws: ``Failure/link(_:)`` with `invalidInput` when the vehicle does not tell its heading.
    public func command(for goal: GoalInput) async throws(Failure) -> Command {
        let deadline = clock.now + limits.firstTelemetry
        while goal.needsHeading, link.latestTelemetry?.pose == nil, clock.now < deadline {
            try await pause(Self.telemetryPoll)
        }
        do {
            return try goal.command(knowing: link.latestTelemetry)
        } catch {
            throw .link(error)
        }
    }

    /// The whole take-off sequence: arm, output, offboard, take off; steps that are already done are left out.
    ///
    /// - Returns: the answer to the take-off itself.
    /// - Throws: ``Failure``. When the vehicle refused a step, the motors that this sequence has armed are off again; when the link
    ///   failed, the vehicle may be armed, or take off.
    @discardableResult
    public func armAndTakeOff(progress: @escaping Progress = { _ in }) async throws(Failure) -> CommandReply {
        try await TakeOffSequence(flight: self, progress: progress).run()
    }

    /// Waits until the effect of an accepted command shows in the telemetry.
    ///
    /// - Parameter before: the telemetry from before the command, to tell movement from standing still.
    /// - Throws: ``Failure/noEffect(command:waitedFor:within:lastSeen:)`` or ``Failure/link(_:)``.
    public func waitForEffect(
        of command: Command, before: Telemetry? = nil, progress: Progress = { _ in }
    ) async throws(Failure) {
        switch command {
        case .takeoff:
            try await wait(command, "flying", limits.takeOff) { $0.flight?.value.state == .flying }
        case .land, .landHome, .emergencyLand:
            try await wait(command, "on the ground with its motors off", limits.landing) {
                $0.flight?.value.state == .disarmed
            }
        case .goTo, .altitude, .heading, .turn, .goToTrajectoryStart:
            try await waitForGoal(command)
        case .startTrajectory, .resumeTrajectory:
            try await waitForTrajectory(command)
        case .uploadTrajectory(let trajectory):
            if trajectory.fliesNow, !trajectory.loops { try await waitForTrajectory(command) }
        case .hover, .emergencyHover, .stopTrajectory:
            try await wait(command, "standing still", limits.stop) {
                guard let velocity = $0.velocityMetresPerSecond?.value else { return false }
                return velocity.length < Self.standingStillMetresPerSecond
            }
        case .arm(let on):
            try await wait(command, on ? "armed" : "disarmed", limits.answer) { $0.flight?.value.isArmed == on }
        case .enableOutput(let on):
            try await wait(command, on ? "giving output" : "without output", limits.answer) {
                $0.flight?.value.isOutputEnabled == on
            }
        case .snapshot: break
        case .offboard:
            try await wait(command, "in offboard mode", limits.answer) { $0.flight?.value.isOffboard == true }
        }
    }

    /// A vehicle that holds its position in wind moves at up to about this speed.
    static let standingStillMetresPerSecond = 0.25

    /// The goal flag lags: right after the call the old `false` may still be read, so it has to be seen `true` first,
    /// or long enough to have passed that it must have been, and only parts measured after the call count.
    private func waitForGoal(_ command: Command) async throws(Failure) {
        let asked = clock.now
        let appears = limits.goalAppears
        let clock = clock
        var seenGoal = false
        try await wait(command, "at the goal", limits.goal, unless: Self.goesElsewhere) { telemetry in
            guard let tracker = telemetry.tracker, tracker.at > asked else { return false }
            if tracker.value.hasGoal { seenGoal = true }
            return !tracker.value.hasGoal && (seenGoal || clock.now - asked > appears)
        }
    }

    private func waitForTrajectory(_ command: Command) async throws(Failure) {
        let asked = clock.now
        var seenTracking = false
        let appears = limits.goalAppears
        let clock = clock
        try await wait(command, "at the end of the trajectory", limits.goal, unless: Self.goesElsewhere) { telemetry in
            guard let tracker = telemetry.tracker, tracker.at > asked else { return false }
            if tracker.value.isTrackingTrajectory { seenTracking = true }
            return !tracker.value.isTrackingTrajectory && (seenTracking || clock.now - asked > appears)
        }
    }

    /// A vehicle that lands or is disarmed does not come to its goal any more, though the goal is gone.
    private static func goesElsewhere(_ telemetry: Telemetry) -> Bool {
        switch telemetry.flight?.value.state {
        case .landing, .emergency, .disarmed: true
        default: false
        }
    }

    /// Waits until `isDone` holds for the newest telemetry; it is asked once for each that comes.
    private func wait(
        _ command: Command, _ what: String, _ limit: Duration, unless hasFailed: (Telemetry) -> Bool = { _ in false },
        until isDone: (Telemetry) -> Bool
    ) async throws(Failure) {
        let begun = clock.now
        let end = try await seen(within: limit) { telemetry -> Bool? in
            if let flight = telemetry.flight, flight.at > begun, hasFailed(telemetry) { return false }
            return isDone(telemetry) ? true : nil
        }
        if end == true { return }
        guard end == nil else {
            throw .cancelled(command: command.name, waitedFor: what, lastSeen: Self.summary(link.latestTelemetry))
        }
        throw .noEffect(
            command: command.name, waitedFor: what, within: limit, lastSeen: Self.summary(link.latestTelemetry))
    }

    /// What `look` makes of the newest telemetry, as soon as that is something; `nil` when the time is over.
    func seen<Value: Sendable>(
        within limit: Duration, _ look: (Telemetry) -> Value?
    ) async throws(Failure) -> Value? {
        let deadline = clock.now + limit
        while true {
            if let value = link.latestTelemetry.flatMap(look) { return value }
            guard clock.now < deadline else { return nil }
            try await pause(Self.telemetryPoll)
        }
    }

    /// The state frames of the channel come at 50 Hz: looking twice as often adds at most 10 ms.
    private static let telemetryPoll: Duration = .milliseconds(10)

    private static func summary(_ telemetry: Telemetry?) -> String {
        guard let telemetry else { return "no telemetry came" }
        let state = telemetry.flight?.value.state.word ?? "unknown"
        let tracker = telemetry.tracker?.value.tracker ?? "no tracker"
        return "state \(state), \(tracker.harmlessLine)"
    }

    func ask(_ command: Command) async throws(Failure) -> CommandReply {
        do {
            return try await link.perform(command, within: limits.answer)
        } catch {
            throw .link(error)
        }
    }

    func pause(_ duration: Duration) async throws(Failure) {
        do {
            try await clock.sleep(for: duration)
        } catch {
            throw .link(LinkError(.cancelled, "cancelled"))
        }
    }
}
