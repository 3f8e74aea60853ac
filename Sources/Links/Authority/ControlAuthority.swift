public import UAVLink

/// Decides who flies a vehicle, which of his setpoints reach it, and when it must be stopped since he has fallen silent.
///
/// ```
///              take                       neutral setpoint
///   nobody ───────────▶ pilot in command ─────────────────▶ steering ◀──╮ setpoint: moves the
///     ▲                   ▲       │                           │    ╰────╯ lease's deadline
///     │                   ╰───────┼── a command takes over ───┤
///     ╰── release, loss, ─────────┴── lease lapsed, loss, ────╯ brake, when the last setpoint
///         stop by another,            stop by another,          moved and the vehicle still
///         taken over                  the vehicle's own         flies under it
///                                     landing or failsafe
/// ```
///
/// What docs/safety.md demands holds here by construction: a setpoint moves something only while its sender is in command, began
/// neutral and no command that takes over is under way; the brake is a neutral setpoint, which a vehicle that lands, or that a
/// newer command or the radio flies, does not take, so no brake can end what is newer.
///
/// It is a value that is told the time and what happens. Whoever owns it calls ``tick(now:)`` after every event, and when
/// ``deadline`` comes, and carries out what that gives, in one order with the setpoints and commands that it passes on: then no brake
/// overtakes what is newer.
public struct ControlAuthority<Party: Hashable & Sendable>: Sendable {
    /// How long things take.
    public struct Times: Hashable, Sendable {
        /// Steering is neutral for so long at its beginning. What has waited somewhere comes in one burst, the neutral setpoints with those
        /// that ask for motion, and how old it is only the pilot's clock tells.
        public var neutralLead: Duration = .milliseconds(20)
        /// How long steering may be silent: 200 ms is four setpoints of the slowest sensible joystick (20 Hz), and well below
        /// the 0.5 s after which the vehicle's own tracker gives up.
        public var lease: Duration = .milliseconds(200)
        /// A brake is repeated this often, should the way to the vehicle have been broken just then.
        public var brakePeriod: Duration = .milliseconds(50)
        /// And for so long: after it the vehicle's own tracker has stopped by itself.
        public var brakeFor: Duration = .milliseconds(500)

        /// Those of docs/safety.md.
        public init() {}
    }

    /// Who is in command.
    public struct Pilot: Hashable, Sendable {
        /// Which session or program.
        public var party: Party
        /// For people: `anna@laptop`.
        public var name: String
        /// Since when.
        public var since: MonotonicTime
    }

    /// What is to be done at once.
    public enum Action: Hashable, Sendable {
        /// The vehicle is given a neutral setpoint.
        case brake
    }

    /// A command that was let through and has not ended.
    public struct Ticket: Hashable, Sendable {
        /// `nil` for one that leaves steering alone.
        fileprivate let number: UInt64?
        /// The vehicle moved under a setpoint when it began.
        fileprivate let interruptsMotion: Bool
    }

    private struct Brake: Sendable {
        var next: MonotonicTime
        let end: MonotonicTime
    }

    /// How it stood before a setpoint was granted.
    private struct BeforeSetpoint: Sendable {
        let lease: MonotonicTime?
        let isMoving: Bool
        let brake: Brake?
    }

    /// Who is in command; `nil` when nobody is.
    public private(set) var pilot: Pilot?
    /// How command last ended, and when.
    public private(set) var ended: (why: ControlEnding, at: MonotonicTime)?
    /// How often steering fell silent while the vehicle moved under it.
    public private(set) var lapses: UInt64 = 0

    private let times: Times
    /// While the pilot steers: until when without another setpoint.
    private var lease: MonotonicTime?
    /// While the pilot steers: from when his setpoints may ask for motion.
    private var movesFrom = MonotonicTime(nanoseconds: 0)
    /// The vehicle's newest reference is a setpoint that asked for motion, as far as is known here.
    private var isMoving = false
    private var brake: Brake?
    /// Until when a brake goes on that the vehicle could not have taken, should it take references again before.
    private var pausedBrake: MonotonicTime?
    private var beforeSetpoint: BeforeSetpoint?
    private var takeOvers: Set<UInt64> = []
    private var newestTakeOver: UInt64 = 0
    private var vehicle: VehicleAvailability = .unknown

    /// Nobody is in command.
    public init(times: Times = Times()) { self.times = times }

    /// Whether the pilot steers.
    public var isSteering: Bool { lease != nil }

    /// When ``tick(now:)`` must be called at the latest.
    public var deadline: MonotonicTime? {
        guard let lease else { return brake?.next }
        return brake.map { min($0.next, lease) } ?? lease
    }

    // MARK: Command

    /// Somebody asks for command.
    ///
    /// - Parameter force: why it is to be taken from another; `nil` when it is not.
    /// - Returns: whether he has it, else who does.
    public mutating func take(
        by party: Party, name: String, force: String? = nil, at now: MonotonicTime
    ) -> ControlOutcome<Party> {
        lapse(at: now)
        if let pilot, pilot.party != party {
            guard let force else { return .heldBy(pilot) }
            end(.takenOver(by: name, reason: force), at: now)
        }
        pilot = Pilot(party: party, name: name, since: pilot?.since ?? now)
        return .granted
    }

    /// The pilot gives command back; from anybody else it means nothing.
    public mutating func release(by party: Party, reason: String, at now: MonotonicTime) {
        guard pilot?.party == party else { return }
        end(.released(reason), at: now)
    }

    /// A party is gone, or has not been heard for so long that it counts as gone.
    public mutating func lose(_ party: Party, at now: MonotonicTime) {
        guard pilot?.party == party else { return }
        end(.lost, at: now)
    }

    private mutating func end(_ why: ControlEnding, at now: MonotonicTime) {
        pilot = nil
        lease = nil
        ended = (why, now)
        startBrake(at: now)
    }

    // MARK: Setpoints

    /// A fresh setpoint has come; only one that is ``SetpointVerdict/granted`` may reach the vehicle.
    public mutating func judgeSetpoint(by party: Party, isNeutral: Bool, at now: MonotonicTime) -> SetpointVerdict {
        lapse(at: now)
        guard pilot?.party == party else { return .notInCommand }
        guard takeOvers.isEmpty else { return .commandUnderWay }
        if case .elsewhere = vehicle { return .vehicleElsewhere }
        if !isNeutral {
            guard lease != nil, now >= movesFrom else { return .neutralFirst }
        } else if lease == nil {
            movesFrom = now + times.neutralLead
        }
        beforeSetpoint = BeforeSetpoint(lease: lease, isMoving: isMoving, brake: brake)
        lease = now + times.lease
        isMoving = !isNeutral
        brake = nil
        pausedBrake = nil
        return .granted
    }

    /// The setpoint that was granted last did not reach the vehicle, so it renews no lease: for the vehicle its pilot was silent.
    public mutating func setpointFailed(by party: Party) {
        // What ended steering since then stands.
        guard pilot?.party == party, lease != nil, let before = beforeSetpoint else { return }
        lease = before.lease
        brake = before.brake
        // A part of it may have gone out; and a neutral one that did not come has stopped nothing.
        isMoving = isMoving || before.isMoving
    }

    // MARK: Commands

    /// A command is about to be handed to the vehicle.
    ///
    /// Stops are let through from everybody, always; what moves or arms the vehicle, from the pilot, or from anybody while there
    /// is none.
    ///
    /// - Returns: what to end it with, or who is in command instead.
    public mutating func begin(
        _ command: Command, by party: Party, name: String, at now: MonotonicTime
    ) -> CommandAdmission<Party> {
        lapse(at: now)
        if let pilot, pilot.party != party {
            switch command.neededAuthority {
            case .none: break
            case .command: return .heldBy(pilot)
            case .stop:
                self.pilot = nil
                ended = (.stopped(by: name, command: command.name), now)
            }
        }
        guard command.takesOverFromSteering else { return .admitted(Ticket(number: nil, interruptsMotion: false)) }
        newestTakeOver += 1
        takeOvers.insert(newestTakeOver)
        let ticket = Ticket(number: newestTakeOver, interruptsMotion: isMoving || brake != nil)
        // The lease is suspended now, not when the vehicle accepts: an answer may take longer than the lease.
        lease = nil
        brake = nil
        pausedBrake = nil
        isMoving = false
        return .admitted(ticket)
    }

    /// A command has ended. One that the vehicle refused has changed nothing: what it moved under until then is braked. One whose
    /// fate is not known may have begun, and is not interfered with: the vehicle's tracker ends the old motion by itself.
    public mutating func end(_ ticket: Ticket, _ fate: CommandFate, at now: MonotonicTime) {
        guard let number = ticket.number, takeOvers.remove(number) != nil else { return }
        // A later one, whatever became of it, has made this one's past its own.
        guard fate == .refused, ticket.interruptsMotion, number == newestTakeOver else { return }
        if case .elsewhere = vehicle { return }
        isMoving = true
        startBrake(at: now)
    }

    // MARK: The vehicle

    /// What the vehicle does, as its own telemetry tells.
    public mutating func see(_ availability: VehicleAvailability, at now: MonotonicTime) {
        vehicle = availability
        switch availability {
        case .unknown: break
        case .steerable:
            // It was not long away, and telemetry is late: the last setpoint may have come when it took references again.
            if let end = pausedBrake, now < end { brake = Brake(next: now, end: end) }
            pausedBrake = nil
        case .elsewhere(let state):
            // It lands, or is flown by somebody else: that always wins, and nothing of ours follows while it does.
            if isMoving {
                pausedBrake = now + times.brakeFor
            } else if let brake {
                pausedBrake = brake.end
            }
            isMoving = false
            brake = nil
            guard lease != nil else { return }
            lease = nil
            pilot = nil
            ended = (.vehicleElsewhere(state), now)
        }
    }

    // MARK: Time

    /// Lets time pass; gives what is to be done now.
    public mutating func tick(now: MonotonicTime) -> Action? {
        lapse(at: now)
        guard let brake, brake.next <= now else { return nil }
        let next = now + times.brakePeriod
        self.brake = next < brake.end ? Brake(next: next, end: brake.end) : nil
        return .brake
    }

    /// Who let the vehicle move and fell silent has lost it; who held it still is in command, and begins neutral.
    private mutating func lapse(at now: MonotonicTime) {
        guard let lease, lease <= now else { return }
        self.lease = nil
        guard isMoving else { return }
        lapses += 1
        end(.lapsed, at: now)
    }

    private mutating func startBrake(at now: MonotonicTime) {
        guard isMoving else { return }
        isMoving = false
        brake = Brake(next: now, end: now + times.brakeFor)
    }
}
