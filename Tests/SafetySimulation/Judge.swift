import UAVLink

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

    private var setpoints: [SetpointOrigin] = []
    private var commands: [CommandOrigin] = []
    private var executions: [Int: Int] = [:]
    /// What was executed last, of what takes over.
    private var newest: CommandOrigin?
    /// When a setpoint that asked for motion was last given, and by whom.
    private var moving: (number: Int, at: MonotonicTime)?
    /// When a companion was last started: it knows nothing of what the one before has passed on.
    private var companionSince = MonotonicTime(nanoseconds: 0)
    /// Seconds flown under setpoints, and commands executed: a run in which nothing happens shows nothing.
    private(set) var setpointsApplied = 0
    private(set) var commandsExecuted = 0

    func note(_ what: @autoclosure () -> String, at now: MonotonicTime) {
        guard keepsTrace else { return }
        trace.append("\(Double(now.nanoseconds / 1000) / 1e6) \(what())")
    }

    func broke(_ rule: String, _ what: String, at now: MonotonicTime) {
        note("BROKEN \(rule): \(what)", at: now)
        if finding == nil { finding = Finding(rule: rule, what: what, at: now) }
    }

    // MARK: What is meant

    /// Numbers begin with 1; 0 is neutral.
    func meant(_ setpoint: SetpointOrigin) -> Int {
        setpoints.append(setpoint)
        return setpoints.count
    }

    func meant(_ command: CommandOrigin) -> Int {
        commands.append(command)
        return commands.count
    }

    // MARK: What comes of it

    /// The companion brakes by itself.
    func braked(in mode: ModelVehicle.Mode, at now: MonotonicTime) {
        note("vehicle (\(mode)) is braked", at: now)
        if case .goingTo(let number) = mode { broke("newer wins", "a brake breaks goto \(number) off", at: now) }
        moving = nil
    }

    func given(setpoint number: Int, to mode: ModelVehicle.Mode, at now: MonotonicTime) {
        setpointsApplied += 1
        note("vehicle (\(mode)) is given setpoint \(number)", at: now)
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
        if let newest, newest.ground == origin.ground, origin.createdAt < newest.createdAt {
            broke(
                "newer wins", "setpoint \(number) is older than the \(newest.name) of its own ground that was executed",
                at: now)
        }
        moving = (number, now)
    }

    /// The companion hands a command to the vehicle.
    func begun(_ command: Command, at now: MonotonicTime) {
        begunByName[command.name, default: 0] += 1
        if begunByName[command.name, default: 0] > commands.count(where: { $0.name == command.name }) {
            broke("own accord", "more \(command.name) than anybody gave", at: now)
        }
        if command.takesOverFromSteering { takesOverSince = now }
        guard let number = Self.number(of: command), number > 0, number <= commands.count else { return }
        // By the clock of whoever gave it: that is the one by which it is told that it was not done.
        let late = commands[number - 1].clock.shown(at: now) - commands[number - 1].deadline
        if late > .zero {
            broke("deadline", "\(command.name) began \(late.inMilliseconds) ms after its deadline", at: now)
        }
    }

    private var begunByName: [String: Int] = [:]
    /// A command that takes over was begun while it moved: until it is executed the vehicle may move on, as long as its tracker lets it.
    private var takesOverSince: MonotonicTime?

    func executed(_ command: Command, in mode: ModelVehicle.Mode, at now: MonotonicTime) {
        commandsExecuted += 1
        note("vehicle (\(mode)) executes \(command.name)", at: now)
        guard let number = Self.number(of: command) else { return }
        guard number > 0, number <= commands.count else {
            return broke("known", "\(command.name) that nobody gave", at: now)
        }
        executions[number, default: 0] += 1
        if executions[number, default: 0] > 1 { broke("once", "\(command.name) \(number) was executed twice", at: now) }
        let origin = commands[number - 1]
        if command.takesOverFromSteering { newest = origin }
        if command.takesOverFromSteering { moving = nil }
    }

    /// The number that a command carries, where there is room for one.
    static func number(of command: Command) -> Int? {
        if case .goTo(let place) = command { Int(place.position.x) } else { nil }
    }

    /// A companion starts.
    func companionStarted(at now: MonotonicTime) {
        companionSince = now
        note("companion starts", at: now)
    }

    // MARK: Always

    /// - Parameter lease: how long steering may be silent.
    func look(at vehicle: ModelVehicle, lease: Duration, companionRuns: Bool, at now: MonotonicTime) {
        guard let number = vehicle.movesUnderSetpoint, let moving else { return }
        if let takesOverSince, takesOverSince >= moving.at, now - moving.at <= .milliseconds(501) { return }
        if companionSince > moving.at, now - moving.at <= .milliseconds(501) { return }
        if companionRuns, now - moving.at > lease + .milliseconds(10) {
            broke(
                "silence stops",
                "\((now - moving.at).inMilliseconds) ms after setpoint \(number) it moves on, and nobody brakes",
                at: now)
        }
    }
}
