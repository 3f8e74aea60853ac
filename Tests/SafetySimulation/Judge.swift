import Authority
import UAVLink

@testable import ChannelProtocol

/// Checks after every step what must always hold (docs/safety.md), and remembers the first that did not.
final class Judge {
    /// A rule that was broken, and how.
    struct Finding: CustomStringConvertible {
        let rule: String
        let what: String
        let at: MonotonicTime
        var description: String { "\(rule): \(what) (at \(Double(at.nanoseconds) / 1e9) s)" }
    }

    private(set) var finding: Finding?
    private(set) var trace: [String] = []
    var keepsTrace = false

    /// The command, and the session, with which the companion is just being called.
    var handedIn: RequestID?
    var steeringSession: SessionID?
    /// By which that session's end knows how late it is on the ground.
    var exchanges: [ExchangeOfTimes] = []

    var pilots: PilotRule
    /// By which the companion measures silence.
    var companionClock: WorldClock?
    /// When the companion was last told that the vehicle lands or is flown by others; `nil` since it was told otherwise.
    private var elsewhereSince: MonotonicTime?
    private var elsewhereAt = MonotonicTime.atOnce
    private let lease: Duration
    private var setpoints: [SetpointOrigin] = []
    private var commands: [RequestID: CommandRecord] = [:]
    var finality = FinalityRule()
    /// What was executed last of what takes over, for each ground.
    private var newest: [Int: CommandRecord] = [:]
    /// When a setpoint that asked for motion was last given, and which.
    private var moving: (number: Int, at: MonotonicTime, onBoardAt: MonotonicTime)?
    /// When a setpoint was last given.
    private var steeredAt = MonotonicTime.atOnce
    /// When a companion was last started: it knows nothing of what the one before has passed on.
    private var companionSince = MonotonicTime(nanoseconds: 0)
    /// When a command that takes over was last begun: until it is executed the vehicle may move on, as long as its tracker lets it.
    private var takesOverSince = MonotonicTime.atOnce
    /// When the vehicle could last not be reached.
    private var unreachedAt = MonotonicTime.atOnce
    /// Whose setpoints have moved the vehicle since ``forgetWhoFlew()``.
    private(set) var haveFlown: Set<Int> = []
    /// Setpoints that reached the vehicle and commands executed: a run in which nothing happens shows nothing.
    private(set) var setpointsApplied = 0
    private(set) var commandsExecuted = 0

    init(lease: Duration) {
        self.lease = lease
        pilots = PilotRule(lease: lease)
    }

    func note(_ what: @autoclosure () -> String, at now: MonotonicTime) {
        guard keepsTrace else { return }
        trace.append("\(Double(now.nanoseconds / 1000) / 1e6) \(what())")
    }

    func broke(_ rule: String, _ what: String, at now: MonotonicTime) {
        note("BROKEN \(rule): \(what)", at: now)
        if finding == nil { finding = Finding(rule: rule, what: what, at: now) }
    }

    func forgetWhoFlew() { haveFlown = [] }

    // MARK: What is meant

    /// Numbers begin with 1; 0 is neutral.
    func meant(_ setpoint: SetpointOrigin) -> Int {
        setpoints.append(setpoint)
        return setpoints.count
    }

    func meant(_ record: CommandRecord, as request: RequestID) { commands[request] = record }

    /// A ground gets control authority by this request.
    ///
    /// - Parameters:
    ///   - isNew: it did not have it before.
    ///   - now: by the companion's clock.
    func granted(_ request: RequestID, isNew: Bool, at now: MonotonicTime) {
        pilots.granted(to: request.session, at: now)
        if isNew { finality.granted(request) }
    }

    /// How wrong the companion may be at most of a ground's clock; `nil` while it cannot know it. After a jump the first exchanges
    /// may be so slow that they fit to what was known before it: they leave up to a round trip in doubt.
    private func surelyShown(by clock: WorldClock) -> Duration? {
        let known = exchanges.lazy.filter { $0.begunAt > clock.steppedAt }.map(\.roundTrip).min()
        return clock.steppedAt == .atOnce ? known.map { _ in .zero } : known
    }

    // MARK: Outcome

    /// The companion brakes by itself.
    func braked(in mode: ModelVehicle.Mode, at now: MonotonicTime) {
        note("vehicle (\(mode)) is braked", at: now)
        checkElsewhere("a brake", at: now)
        // A goto that its service held back for so long that setpoints followed it is not what is newest.
        if case .goingTo(let begunAt) = mode, begunAt > steeredAt {
            broke("newer wins", "a brake breaks a goto off", at: now)
        }
        moving = nil
    }

    func given(setpoint number: Int, to mode: ModelVehicle.Mode, at now: MonotonicTime) {
        setpointsApplied += 1
        steeredAt = now
        note("vehicle (\(mode)) is given setpoint \(number)", at: now)
        checkElsewhere("setpoint \(number)", at: now)
        if let session = steeringSession {
            if let broken = pilots.applied(by: session, moves: number != 0, at: onBoard(now)) {
                broke(broken.rule, broken.what, at: now)
            }
        } else {
            broke("no own commands", "setpoint \(number) that no ground sent just now", at: now)
        }
        guard number > 0, number <= setpoints.count else {
            moving = nil
            return
        }
        let origin = setpoints[number - 1]
        let age = now - origin.createdAt
        // The slack is this simulation's own step.
        if age > origin.validFor + .milliseconds(1) {
            broke(
                "fresh",
                "a setpoint of \(age.inMilliseconds) ms ago, good for \(origin.validFor.inMilliseconds), moves it",
                at: now)
        }
        if let command = newest[origin.ground], origin.createdAt < command.createdAt {
            broke(
                "newer wins",
                "setpoint \(number) is older than the \(command.command.name) of its own ground that was executed",
                at: now)
        }
        if mode.takesReferences { haveFlown.insert(origin.ground) }
        moving = (number, now, onBoard(now))
    }

    /// The companion hands a command to the vehicle; gives which one it is.
    func begun(_ command: Command, at now: MonotonicTime) -> RequestID? {
        if command.interruptsSteering { takesOverSince = now }
        guard let request = handedIn, let record = commands[request], record.command == command else {
            broke("no own commands", "\(command.name) that no pilot gave", at: now)
            return nil
        }
        note("\(command.name) of ground \(record.ground) begins", at: now)
        if record.isBegun { broke("once", "\(command.name) was begun twice", at: now) }
        if record.wasDenied {
            broke("outcome", "\(command.name) begins after its caller got a negative answer", at: now)
        }
        // By the clock of its caller: that is the one by which the caller learns that it was not done. While the companion does not
        // know that clock, it goes by what was left when the command was sent, and cannot know for how long it waited.
        let late = record.clock.shown(at: now) - record.deadline
        let isLate = surelyShown(by: record.clock).map { late > $0 } ?? false
        if isLate { broke("deadline", "\(command.name) began \(late.inMilliseconds) ms after its deadline", at: now) }
        if let broken = finality.begun(record) { broke(broken.rule, broken.what, at: now) }
        commands[request]?.isBegun = true
        pilots.begun(command, by: request.session, at: onBoard(now))
        return request
    }

    func executed(_ request: RequestID, accepted: Bool, in mode: ModelVehicle.Mode, at now: MonotonicTime) {
        guard let record = commands[request] else { return }
        commandsExecuted += 1
        note("vehicle (\(mode)) \(accepted ? "executes" : "refuses") \(record.command.name)", at: now)
        if record.isDone { broke("once", "\(record.command.name) was executed twice", at: now) }
        if accepted, record.wasDenied {
            broke("outcome", "\(record.command.name) is executed after its caller got a negative answer", at: now)
        }
        commands[request]?.isDone = accepted
        if record.command.interruptsSteering {
            newest[record.ground] = record
            moving = nil
        }
    }

    /// The companion's words for a command that it has not begun because its deadline had passed.
    private static let neverBegun = [
        "was not sent to the vehicle: its deadline", "after its deadline and was not executed",
    ]

    /// A ground has the answer to its command.
    func reported(_ request: RequestID, _ result: Result<CommandReply, LinkError>, at now: MonotonicTime) {
        guard let record = commands[request] else { return }
        let isDone: Bool? =
            switch result {
            case .success(let reply): reply.accepted
            case .failure(let error):
                // A stop that a newer one of its kind has replaced may be done, too.
                error.code == .cancelled
                    || error.code == .timedOut && !Self.neverBegun.contains { error.what.contains($0) } ? nil : false
            }
        note("ground \(record.ground) gets the answer to \(record.command.name): \(result)", at: now)
        switch isDone {
        case true? where !record.isDone:
            broke("outcome", "the caller got the answer that \(record.command.name) was done, and it was not", at: now)
        case false? where record.isDone:
            broke("outcome", "the caller got the answer that \(record.command.name) was not done, and it was", at: now)
        case false?: commands[request]?.wasDenied = true
        default: break
        }
    }

    // MARK: The vehicle

    /// The companion hears whether the vehicle lands or is flown by others.
    func companionHears(isElsewhere: Bool, at now: MonotonicTime) {
        if isElsewhere { pilots.vehicleIsElsewhere(at: onBoard(now)) }
        elsewhereSince = isElsewhere ? elsewhereSince ?? now : nil
        elsewhereAt = now
    }

    /// For so long the companion must hold what it was told for true; after a second it may not know any more.
    private static let knowsFor = Duration.milliseconds(500)

    /// Nothing is sent to a vehicle that lands or is flown by others, once that is known.
    private func checkElsewhere(_ what: String, at now: MonotonicTime) {
        guard let elsewhereSince, now - elsewhereAt < Self.knowsFor else { return }
        let known = (now - elsewhereSince).inMilliseconds
        broke("not ours", "\(what) is sent \(known) ms after it was told that others fly or land the vehicle", at: now)
    }

    private func onBoard(_ now: MonotonicTime) -> MonotonicTime { companionClock?.shown(at: now) ?? now }

    /// A companion starts.
    func companionStarted(at now: MonotonicTime) {
        companionSince = now
        elsewhereSince = nil
        pilots.companionStarted()
        note("companion starts", at: now)
    }

    /// Nothing reaches the vehicle now.
    func vehicleIsUnreached(at now: MonotonicTime) { unreachedAt = now }

    // MARK: Always

    func look(at vehicle: ModelVehicle, companionRuns: Bool, at now: MonotonicTime) {
        guard let moving, companionRuns, onBoard(now).nanoseconds - moving.onBoardAt.nanoseconds > leaseAndTick,
            let number = vehicle.movesUnderSetpoint
        else { return }
        // What these leave to the tracker it ends, and with it `movesUnderSetpoint`.
        guard takesOverSince < moving.at, companionSince <= moving.at, unreachedAt < moving.at else { return }
        broke(
            "lease",
            "\((onBoard(now) - moving.onBoardAt).inMilliseconds) ms after setpoint \(number) it moves on, without a brake",
            at: now)
    }

    private lazy var leaseAndTick = (lease + .milliseconds(10)).nanoseconds

    /// Something that must stay small.
    func bound(_ what: String, _ count: Int, atMost most: Int, at now: MonotonicTime) {
        if count > most { broke("bounded", "\(count) \(what), \(most) at most", at: now) }
    }
}
