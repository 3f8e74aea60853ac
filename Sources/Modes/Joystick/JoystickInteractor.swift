internal import FlightControl
internal import ModeKit
internal import GameController
internal import UAVLink

/// Steers one vehicle by sticks: takes and ends control, and monitors everything that must end it.
///
/// Setpoints are computed and sent on the steering thread (``SteeringRun``); the main actor passes keys and settings to it, and a
/// heartbeat.
@MainActor
package final class JoystickInteractor {
    /// The longest interval of ``tick()``, and so of the heartbeat; see ``SetpointGenerator/Watch``.
    package static let tickPeriod: Duration = .milliseconds(50)
    /// The least interval of ``tick()`` when telemetry arrives: 30 Hz is enough for a screen.
    static let shortestTickPeriod: Duration = .milliseconds(33)

    /// The user's settings.
    package internal(set) var settings: JoystickSettings {
        didSet { store.settings = settings }
    }
    /// Keeps the settings, and the speed limits of each vehicle.
    let store: JoystickStore
    /// Take-off, landing, hover.
    let flight: FlightTasks
    /// Shows a notice.
    let tell: @MainActor (Notice) -> Void
    let fleet: Fleet
    let clock: any MonotonicClock
    private let reportsReleasesNow: @MainActor () -> Bool
    let board: StickSelection
    private(set) var machine = ControlMachine()
    private(set) var run: SteeringRun?
    /// The run that was ended by ``detach()``.
    private var lastRun: SteeringRun?
    private var runNumber = 0
    /// The vehicle that control was requested for.
    private(set) var steered: LoggedInVehicle?
    /// The vehicles to land once setpoints have ended.
    private var pendingLanding: [LoggedInVehicle]?
    /// When steering ended last; `nil` if it has not.
    private var ending: EndingNews?
    private var lastTick: MonotonicTime?
    /// When it was last said that control comes before steering.
    var toldToTakeControl: MonotonicTime?
    /// The rates of setpoints.
    private(set) var rates = SteeringRates()

    init(
        fleet: Fleet, clock: any MonotonicClock, settings: JoystickSettings, store: JoystickStore,
        tasks: TaskBag,
        reportsReleases: @escaping @MainActor () -> Bool, makeGamepads: @escaping @MainActor () -> any Gamepads,
        tell: @escaping @MainActor (Notice) -> Void
    ) {
        self.fleet = fleet
        self.clock = clock
        self.settings = settings
        self.store = store
        reportsReleasesNow = reportsReleases
        self.tell = tell
        board = StickSelection(settings, makeGamepads: makeGamepads)
        flight = FlightTasks(fleet: fleet, tasks: tasks, clock: clock, tell: tell)
    }

    // MARK: What is known

    package var state: ControlState { machine.state }
    /// The selected vehicle.
    var selected: LoggedInVehicle? { fleet.selected }
    /// The vehicles that take-off, landing and hover apply to.
    var targets: [LoggedInVehicle] { fleet.targets }
    /// Those of the targets that would take off.
    var takeOffTargets: TakeOffTargets { fleet.takeOffTargets(of: fleet.targets) }
    /// Takes off with those that a question has named, or clears their emergency.
    func takeOff(_ asked: TakeOffTargets) {
        if asked.clearsEmergency { return flight.clearEmergency(fleet.commanded(of: asked.vehicles)) }
        flight.takeOff(fleet.takeOffTargets(stillOf: asked.vehicles))
    }
    /// Whether telemetry may not show yet what was commanded last: over SSH it is a few seconds old.
    var hasNewCommand: Bool { fleet.hasBegunCommand(within: .seconds(10)) }
    /// Why no target would take off, and what to do; `nil` if one may.
    var takeOffObstacle: String? { fleet.takeOffObstacle(of: fleet.targets) }
    /// Whether a pilot flies a vehicle by radio, as far as telemetry shows.
    func radioFlight(of vehicle: LoggedInVehicle?) -> RadioFlight { fleet.radioFlight(of: vehicle) }
    /// Whether the selected vehicle flies and takes no setpoints.
    var takesNoSetpoints: Bool { selected.map { fleet.takesNoReferences($0) } ?? false }
    /// Whether the terminal reports key releases.
    var reportsReleases: Bool { board.keyboard.reportsReleases }
    /// The state of game controllers; `nil` before they were opened.
    var gamepadsState: GamepadsState? { board.gamepadsState }
    /// The last output of the steering thread; `nil` without a run.
    var output: SetpointGenerator.Output? { run?.desk.output }

    /// The current deflection of the sticks.
    var requested: Deflection { source?.reading(at: clock.now).deflection ?? .neutral }

    /// The commanded velocity in world axes; `nil` without steering, or in the body frame without a heading.
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

    /// The sticks of the chosen input device; `nil` without a game controller.
    var source: (any StickSource)? { board.source(settings, isActive: machine.isActive) }

    // MARK: Control

    /// Requests control of the selected vehicle; it engages when the sticks are neutral and the vehicle flies.
    func take() {
        guard case .released = machine.state else { return }
        guard let vehicle = fleet.selected else { return tell(Notice(.warning, "not logged in to a vehicle")) }
        if let lack = vehicle.link.vehicleCapabilities.lack(of: Mode.joystick.requirement) {
            return tell(Notice(.warning, "\(vehicle.title): \(lack)"))
        }
        if let refusal = refusalOfControl(of: vehicle) { return tell(Notice(.warning, refusal, scope: .vehicle)) }
        // A controller that is plugged in later must not find a pending request.
        guard board.choose(settings) else {
            return tell(Notice(.warning, "no game controller is connected; c switches to the keyboard"))
        }
        steered = vehicle
        handle(.take)
        engageWhenReady()
    }

    /// Ends control, or the request for it.
    func stop(_ reason: StopReason) {
        // Held keys are ignored until they are pressed again.
        board.keyboard.letGo()
        handle(.stop(reason))
    }

    /// Ends steering and hovers: the run stops its own vehicle, all other targets get the command.
    func hover() {
        // Only a run that steers sends it: one that waits for control authority, or ends for another reason, would not, or so late
        // that it ended what was commanded meanwhile.
        let isSteering = isEngaged && run?.desk.isSteering == true
        let steeredID = isSteering ? steered?.id : nil
        stop(isEngaged && !isSteering ? .controlReleased : .hover)
        flight.hover(fleet.targets.filter { $0.id != steeredID })
    }

    /// Lands; setpoints end before the command is sent.
    func land() {
        let targets = fleet.targets
        let isEngaged = isEngaged
        stop(.command(.land))
        guard isEngaged else { return flight.land(targets) }
        pendingLanding = targets
        // The companion accepts a landing from every pilot at any time: a run that hangs in its request must not delay it.
        Task { [clock, number = runNumber, weak self] in
            try? await clock.sleep(for: Self.landingDelay)
            guard let self, number == self.runNumber else { return }
            self.controlReleased()
        }
    }

    /// How long a landing waits for the end of setpoints.
    static let landingDelay: Duration = .milliseconds(300)

    private func controlReleased() {
        guard let targets = pendingLanding else { return }
        pendingLanding = nil
        flight.land(targets)
    }

    /// Ends steering and closes the controllers; the steered vehicle is stopped.
    func detach() {
        stop(.leftScreen)
        if let targets = pendingLanding {
            pendingLanding = nil
            flight.landAfterLeaving(targets)
        }
        lastRun = run
        run = nil
        board.closeGamepads()
    }

    /// Returns when the stop begun by ``detach()`` is answered, or ``FleetCommander/answer`` has passed.
    func settle() async {
        await lastRun?.finish()
        await flight.settle()
    }

    var isEngaged: Bool { if case .engaged = machine.state { true } else { false } }

    /// Whether what the vehicle has done since steering ended makes the reason for that stale.
    func isStale(_ ended: ControlState.Ended) -> Bool {
        ending?.isStale(ended.reason, knowing: steered?.link.latestTelemetry, now: clock.now) ?? false
    }

    private func handle(_ event: ControlMachine.Event) {
        let before = machine.state
        defer {
            if case .released = machine.state, before != machine.state {
                let state = steered?.link.latestTelemetry?.flight?.value.state ?? .unknown
                ending = EndingNews(at: clock.now, state: state)
            }
        }
        switch machine.handle(event) {
        case .begin: begin()
        case .end(let reason): run?.stop(reason)
        case nil: break
        }
        fleet.steeredID = isEngaged ? steered?.id : nil
    }

    private func begin() {
        guard let vehicle = steered, let source else { return handle(.stop(.controllerDisconnected)) }
        let now = clock.now
        board.keyboard.set(shaping.limits)
        let desk = SetpointGenerator(
            source: source, shaping: shaping, frame: frame, slew: settings.slew,
            validFor: vehicle.link.kind.runsPrograms ? VelocitySetpoint.longestValidity : .milliseconds(200),
            clock: clock, now: now)
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
        controlReleased()
    }

    private func runEnded(_ number: Int, _ reason: StopReason, _ outcome: StopOutcome) {
        guard number == runNumber, run != nil else { return }
        runStopped(number, reason)
        run = nil
        handle(.ended(outcome))
        switch outcome {
        case .refused(let message): tell(Notice(.error, "the stop was refused: \(message)"))
        case .unanswered(let why): tell(Notice(.error, "the stop was not confirmed (\(why)); F7 commands hover"))
        case .accepted, .braked, .notEngaged, .notStopped:
            // In the place of what was said of an older command; why steering ended by itself stands elsewhere.
            guard reason.isWanted, let stop = outcome.success, let steered else { return }
            tell(Notice(.success, "\(steered.title): \(stop)"))
        }
    }

    func engageWhenReady() {
        guard case .waitsForNeutral = machine.state, obstacles.isEmpty else { return }
        handle(.ready)
    }

    // MARK: Time

    /// Checks everything that ends control, sends the heartbeat to the steering thread, and records the rates of setpoints.
    func tick() {
        let now = clock.now
        defer { lastTick = now }
        if let lastTick, now - lastTick > SetpointGenerator.Watch.endAfter, machine.isActive {
            stop(.frontEndStalled(now - lastTick))
        }
        run?.desk.beat(at: now)
        fleet.keyDelays.add(run?.desk.takeKeyDelays() ?? [])
        if reportsReleasesNow() { board.keyboard.reportsReleases = true }
        watch()
        engageWhenReady()
        if let vehicle = fleet.selected { rates.look(at: vehicle.link.quality, isSteered: isEngaged, now: now) }
    }

    private func watch() {
        guard machine.isActive, let steered else { return }
        guard fleet.selectedID == steered.id else { return stop(.otherVehicle) }
        if case .stop(let reason)? = source?.reading(at: clock.now) { return stop(reason) }
        guard isEngaged else {
            // What was waited for does not come.
            guard let refusal = refusalOfControl(of: steered) else { return }
            stop(.controlReleased)
            return tell(Notice(.warning, refusal, scope: .vehicle))
        }
        guard steered.link.quality.isConnected else { return stop(.linkLost("no messages received from the vehicle")) }
        if radioFlight(of: steered) == .certain { return stop(.flownByRadio) }
        switch steered.link.latestTelemetry?.flight?.value.state ?? .unknown {
        case .unknown, .flying: break
        case let other: stop(.notFlying(other))
        }
    }
}
