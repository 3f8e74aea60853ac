internal import FlightControl
internal import ModeKit
internal import GameController
internal import UAVLink

/// Flies one vehicle by sticks: takes and ends control, watches everything that must end it.
///
/// Setpoints are made and sent on the steering thread (``SteeringRun``); here, on the main actor, keys and settings are put
/// on its desk, and a beat shows that the screen lives.
@MainActor
public final class JoystickInteractor {
    /// How often ``tick()`` is to be called: the beat of ``SteeringDesk/Watch``.
    public static let tickPeriod: Duration = .milliseconds(50)

    /// How a person likes to fly.
    public private(set) var settings: JoystickSettings
    /// Take-off, landing, hover.
    let flight: FlightTasks
    /// What is worth telling.
    private let tell: @MainActor (Notice) -> Void
    private let fleet: Fleet
    private let clock: any MonotonicClock
    private let tellsReleasesNow: @MainActor () -> Bool
    private let board: StickBoard
    private var machine = ControlMachine()
    private var run: SteeringRun?
    /// The run that detaching ended.
    private var lastRun: SteeringRun?
    private var runNumber = 0
    /// The vehicle that control was asked for.
    private var steered: LoggedInVehicle?
    private var whenReleased: (() -> Void)?
    private var lastTick: MonotonicTime?
    /// Trail and rates.
    private(set) var notes = FlightNotes()

    init(
        fleet: Fleet, clock: any MonotonicClock, settings: JoystickSettings, tasks: TaskBag,
        tellsReleases: @escaping @MainActor () -> Bool, makeGamepads: @escaping @MainActor () -> any Gamepads,
        tell: @escaping @MainActor (Notice) -> Void
    ) {
        self.fleet = fleet
        self.clock = clock
        self.settings = settings
        tellsReleasesNow = tellsReleases
        self.tell = tell
        board = StickBoard(settings, makeGamepads: makeGamepads)
        flight = FlightTasks(tasks: tasks, clock: clock, tell: tell)
    }

    // MARK: What is known

    /// Who has the sticks.
    public var state: ControlState { machine.state }
    /// The vehicle that keys act on.
    var selected: LoggedInVehicle? { fleet.selected }
    /// The vehicles that take-off and landing go to.
    var targets: [LoggedInVehicle] { fleet.targets }
    /// Whether the terminal tells key-ups.
    var tellsReleases: Bool { board.keyboard.tellsReleases }
    /// What is known of game controllers; `nil` before they were asked for.
    var gamepadsState: GamepadsState? { board.gamepadsState }
    /// What was sent last, while setpoints are sent.
    var output: SteeringDesk.Output? { run?.desk.output }

    /// What the sticks ask for now.
    var wish: Deflection { source?.reading(at: clock.now).deflection ?? .neutral }

    /// The commanded velocity in world axes; `nil` when nobody here steers.
    func commanded(headingRadians: Double?) -> Vector3? {
        switch machine.state {
        case .released, .waitsForNeutral: return nil
        case .stopping(let reason): return reason.stopsVehicle ? .zero : nil
        case .engaged:
            guard let output else { return .zero }
            let velocity = output.motion.velocityMetresPerSecond
            guard output.frame == .body else { return velocity }
            return headingRadians.map { velocity.turned(byHeading: $0) }
        }
    }

    /// What is to happen before control engages, in words; empty when nothing is.
    var obstacles: [String] {
        guard let vehicle = fleet.selected else { return ["nobody is logged in"] }
        var obstacles: [String] = []
        if !vehicle.link.quality.isConnected { obstacles.append("the link is not connected") }
        let state = vehicle.link.latestTelemetry?.flight?.value.state ?? .unknown
        if state != .flying {
            obstacles.append(state == .unknown ? "no telemetry yet" : "the vehicle is \(state.words)")
        }
        switch source?.reading(at: clock.now) {
        case nil: obstacles.append("no game controller")
        case .stop(let reason): obstacles.append(reason.words)
        case .deflection(let wish):
            let unrest = settings.shaping.unrest(of: wish)
            if !unrest.isEmpty { obstacles.append("let go of: \(unrest.joined(separator: ", "))") }
        }
        return obstacles
    }

    private var source: (any StickSource)? { board.source(settings, isActive: machine.isActive) }

    // MARK: Control

    /// Asks for control of the selected vehicle; it engages when the sticks are neutral and the vehicle flies.
    func take() {
        guard case .released = machine.state else { return }
        guard let vehicle = fleet.selected else { return tell(Notice(.warning, "nobody is logged in")) }
        // One that is plugged in later must not find somebody waiting for it.
        guard board.choose(settings) else {
            return tell(Notice(.warning, "no game controller is plugged in; c changes to the keyboard"))
        }
        steered = vehicle
        handle(.take)
        engageWhenReady()
    }

    /// Ends control, or the wish for it.
    func stop(_ reason: StopReason) {
        // Keys that are down stay unheard until they go down again.
        board.keyboard.letGo()
        handle(.stop(reason))
    }

    /// Stops what moves and hovers: the run does so itself, everyone else is told.
    func hover() {
        let steeredID = isEngaged ? steered?.id : nil
        stop(.hover)
        flight.hover(fleet.targets.filter { $0.id != steeredID })
    }

    /// Lands; setpoints end before the vehicle is told.
    func land() {
        let targets = fleet.targets
        let isEngaged = isEngaged
        stop(.command(.land))
        if isEngaged {
            whenReleased = { [flight] in flight.land(targets) }
        } else {
            flight.land(targets)
        }
    }

    /// Lets go of everything; the vehicle that was steered is told to hover.
    func detach() {
        stop(.leftScreen)
        lastRun = run
        run = nil
        board.closeGamepads()
    }

    /// Returns when the hover that detaching began is answered, or ``FleetCommander/answer`` has passed.
    func settle() async {
        await lastRun?.finish()
        await flight.settle()
    }

    private var isEngaged: Bool { if case .engaged = machine.state { true } else { false } }

    private func handle(_ event: ControlMachine.Event) {
        switch machine.handle(event) {
        case .begin: begin()
        case .end(let reason): run?.stop(reason)
        case nil: break
        }
    }

    private func begin() {
        guard let vehicle = steered, let source else { return handle(.stop(.controllerGone)) }
        let now = clock.now
        let desk = SteeringDesk(
            source: source, shaping: settings.shaping, frame: settings.frame, slew: settings.slew,
            validFor: vehicle.link.kind == .ssh ? VelocitySetpoint.longestValidity : .milliseconds(200), now: now)
        runNumber += 1
        let number = runNumber
        do {
            run = try SteeringRun(
                link: vehicle.link, desk: desk, rateHertz: settings.rateHertz, clock: clock,
                listener: .init(
                    stopped: { [weak self] reason in self?.runStopped(number, reason) },
                    ended: { [weak self] reason, outcome in self?.runEnded(number, reason, outcome) }))
        } catch {
            handle(.stop(.linkLost(error.what)))
            handle(.ended(.notStopped))
        }
    }

    private func runStopped(_ number: Int, _ reason: StopReason) {
        guard number == runNumber, run != nil else { return }
        stop(reason)
        whenReleased?()
        whenReleased = nil
    }

    private func runEnded(_ number: Int, _ reason: StopReason, _ outcome: StopOutcome) {
        guard number == runNumber, run != nil else { return }
        runStopped(number, reason)
        run = nil
        handle(.ended(outcome))
        if case .refused(let message) = outcome {
            tell(Notice(.error, "hover was refused: \(message)"))
        } else if case .unanswered(let why) = outcome {
            tell(Notice(.error, "hover was not answered (\(why)); F7 asks again"))
        }
    }

    private func engageWhenReady() {
        guard case .waitsForNeutral = machine.state, obstacles.isEmpty else { return }
        handle(.ready)
    }

    // MARK: Time

    /// Looks after everything that ends control, shows the steering thread that the screen lives, and takes notes.
    func tick() {
        let now = clock.now
        defer { lastTick = now }
        if let lastTick, now - lastTick > SteeringDesk.Watch.endAfter, machine.isActive {
            stop(.stoodStill(now - lastTick))
        }
        run?.desk.beat(at: now)
        if tellsReleasesNow() { board.keyboard.tellsReleases = true }
        watch()
        engageWhenReady()
        if let vehicle = fleet.selected { notes.look(at: vehicle, isSteered: isEngaged, now: now) }
    }

    private func watch() {
        guard machine.isActive, let steered else { return }
        guard fleet.selectedID == steered.id else { return stop(.otherVehicle) }
        if case .stop(let reason)? = source?.reading(at: clock.now) { return stop(reason) }
        guard isEngaged else { return }
        guard steered.link.quality.isConnected else { return stop(.linkLost("nothing is heard of the vehicle")) }
        switch steered.link.latestTelemetry?.flight?.value.state ?? .unknown {
        case .unknown, .flying: break
        case let other: stop(.notFlying(other))
        }
    }
}

// MARK: Keys and settings

extension JoystickInteractor {
    func press(_ key: StickKey) {
        if settings.source == .controller, machine.isActive {
            return tell(Notice(.information, "the game controller steers; c changes to the keyboard after giving back"))
        }
        board.keyboard.press(key, steers: isEngaged, at: clock.now)
        keysChanged()
    }

    func repeats(_ key: StickKey) {
        // What a terminal without key-ups sends as a repetition is a press; with them it is no new press.
        guard board.keyboard.tellsReleases else { return press(key) }
        board.keyboard.repeats(key, at: clock.now)
        keysChanged()
    }

    func release(_ key: StickKey) {
        // Only a terminal that tells key-ups sends one.
        board.keyboard.tellsReleases = true
        board.keyboard.release(key)
        keysChanged()
    }

    func otherKey() {
        board.keyboard.otherKey()
        keysChanged()
    }

    private func keysChanged() {
        guard settings.source == .keyboard else { return }
        run?.desk.set(board.keyboard.source)
        engageWhenReady()
    }

    func changeFrame() {
        settings.frame = settings.frame == .body ? .world : .body
        run?.desk.set(settings.frame)
    }

    func changeSpeed(_ step: Int) {
        settings.shaping.limits = settings.shaping.limits.stepped(step)
        board.keyboard.set(settings.shaping.limits)
        run?.desk.set(settings.shaping)
    }

    func changeRate(_ step: Int) {
        guard isFree("the rate") else { return }
        settings.rateHertz = settings.steppedRate(step)
    }

    func changeLayout() {
        guard isFree("the stick layout") else { return }
        settings.layout = settings.layout.next
    }

    func changeSource() {
        guard isFree("the source of sticks") else { return }
        board.keyboard.letGo()
        settings.source = settings.source == .keyboard ? .controller : .keyboard
        if settings.source == .controller { openGamepads() }
    }

    /// Looks for game controllers, if nobody did yet.
    func openGamepads() { board.openGamepads() }

    private func isFree(_ what: String) -> Bool {
        if case .released = machine.state { return true }
        tell(Notice(.information, "give control back before changing \(what)"))
        return false
    }
}
