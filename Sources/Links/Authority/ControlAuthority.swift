public import UAVLink

/// Decides which pilot has control authority, which setpoints reach the vehicle, and when it is braked for lack of them.
///
/// ```
///              take                       neutral setpoint
///   no pilot ─────────▶ pilot in control ─────────────────▶ steering ◀──╮ setpoint: renews
///     ▲                   ▲       │                           │    ╰────╯ the lease
///     │                   ╰───────┼── a command takes over ───┤
///     ╰── release, loss, ─────────┴── lease expired, loss, ───╯ brake, if the last setpoint
///         stop by another,            stop by another,          asked for motion and is
///         take-over                   the vehicle's own         still the newest reference
///                                     landing or failsafe
/// ```
///
/// The requirements of docs/safety.md hold by construction: a setpoint causes motion only while its sender has control
/// authority, began with neutral setpoints, and no command that takes over is in progress. The brake is a neutral setpoint,
/// which the vehicle does not accept while it lands or is flown by a newer command or the radio, so a brake cannot end
/// anything newer.
///
/// A value type without a clock: its owner passes in times and events, calls ``tick(now:)`` after every event and at
/// ``deadline``, and carries out the result in one order with the setpoints and commands that it forwards, so that a brake
/// never replaces anything newer.
public struct ControlAuthority<Party: Hashable & Sendable>: Sendable {
    /// The pilot with control authority.
    public struct Pilot: Hashable, Sendable {
        /// The session or program.
        public var party: Party
        /// Name for display: `anna@laptop`.
        public var name: String
        /// When control authority was granted.
        public var since: MonotonicTime
    }

    /// What must be done at once.
    public enum Action: Hashable, Sendable {
        /// Send the vehicle a neutral setpoint.
        case brake
    }

    /// A command that was admitted and has not ended.
    public struct Ticket: Hashable, Sendable {
        /// `nil` for a command that does not affect steering.
        fileprivate let number: UInt64?
    }

    private struct Brake: Sendable {
        var next: MonotonicTime
        let end: MonotonicTime
    }

    /// The state before a setpoint was granted.
    private struct SetpointRollback: Sendable {
        let lease: MonotonicTime?
        let isMoving: Bool
        let brake: Brake?
    }

    /// The pilot with control authority; `nil` if there is none.
    public private(set) var pilot: Pilot?
    /// How control authority last ended, and when.
    public private(set) var ended: (why: ControlEnding, at: MonotonicTime)?
    /// How often the lease expired while the vehicle moved under a setpoint.
    public private(set) var lapses: UInt64 = 0

    /// How often a stop command has begun or control authority was granted: what a command must know of to be newer than all of that.
    public var stops: UInt64 { order.count }

    private let times: Times
    private var order: StopOrder<Party>
    /// While the pilot steers: when the lease expires.
    private var lease: MonotonicTime?
    /// While the pilot steers: from when setpoints may ask for motion.
    private var motionAllowedFrom = MonotonicTime(nanoseconds: 0)
    /// Whether the vehicle's newest reference, as far as known, is a setpoint that asked for motion.
    private var isMoving = false
    private var brake: Brake?
    /// End of a brake that the vehicle could not accept, in case it accepts references again before then.
    private var pausedBrake: MonotonicTime?
    private var setpointRollback: SetpointRollback?
    private var takeOvers: Set<UInt64> = []
    private var newestTakeOver: UInt64 = 0
    /// The vehicle moved under a setpoint when the first of the commands in progress began, and none of them has replaced that motion.
    private var interruptsMotion = false
    private var vehicle: VehicleAvailability = .unknown

    /// Creates a state without a pilot.
    ///
    /// - Parameter firstStop: where ``stops`` begins. Greater than any count of a companion before this one, so that what was known of
    ///   that one's stops is not taken for knowledge of these.
    public init(times: Times = Times(), firstStop: UInt64 = 0) {
        self.times = times
        order = StopOrder(after: firstStop)
    }

    /// Whether the pilot steers.
    public var isSteering: Bool { lease != nil }

    /// When ``tick(now:)`` must be called at the latest.
    public var deadline: MonotonicTime? {
        guard let lease else { return brake?.next }
        return brake.map { min($0.next, lease) } ?? lease
    }

    // MARK: Command

    /// Requests control authority.
    ///
    /// - Parameter force: the reason for a take-over from another pilot; `nil`: no take-over.
    /// - Returns: granted, or the pilot who has it.
    public mutating func take(
        by party: Party, name: String, force: String? = nil, at now: MonotonicTime
    ) -> ControlOutcome<Party> {
        lapse(at: now)
        if let pilot, pilot.party != party {
            guard let force else { return .heldBy(pilot) }
            end(.takenOver(by: name, reason: force), at: now)
        }
        if pilot == nil {
            // From here on nothing that others gave before it moves the vehicle.
            order.note(by: party, name: "control authority of \(name)", number: 0)
        }
        pilot = Pilot(party: party, name: name, since: pilot?.since ?? now)
        return .granted
    }

    /// Releases control authority; ignored from all but the pilot.
    public mutating func release(by party: Party, reason: String, at now: MonotonicTime) {
        guard pilot?.party == party else { return }
        end(.released(reason), at: now)
    }

    /// A party has disconnected or timed out.
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

    /// Judges a fresh setpoint; only one that is ``SetpointVerdict/granted`` may reach the vehicle.
    public mutating func judgeSetpoint(by party: Party, isNeutral: Bool, at now: MonotonicTime) -> SetpointVerdict {
        lapse(at: now)
        guard pilot?.party == party else { return .notInCommand }
        guard takeOvers.isEmpty else { return .commandInProgress }
        switch vehicle {
        case .elsewhere, .radio: return .vehicleUnavailable
        case .unknown, .steerable: break
        }
        if !isNeutral {
            guard lease != nil, now >= motionAllowedFrom else { return .neutralFirst }
        } else if lease == nil {
            motionAllowedFrom = now + times.neutralLead
        }
        setpointRollback = SetpointRollback(lease: lease, isMoving: isMoving, brake: brake)
        lease = now + times.lease
        isMoving = !isNeutral
        brake = nil
        pausedBrake = nil
        return .granted
    }

    /// The setpoint granted last did not reach the vehicle, so it does not renew the lease.
    public mutating func setpointFailed(by party: Party) {
        // Steering that has ended since stays ended.
        guard pilot?.party == party, lease != nil, let before = setpointRollback else { return }
        lease = before.lease
        brake = before.brake
        // A part of it may have been sent, and a neutral setpoint that did not arrive has stopped nothing.
        isMoving = isMoving || before.isMoving
    }

    // MARK: Commands

    /// Begins a command that is about to be forwarded to the vehicle.
    ///
    /// Stop commands are admitted from every party; commands that move or arm the vehicle from the pilot, or from any party
    /// while there is no pilot.
    ///
    /// - Parameter issue: when it was given; `nil`: just now.
    /// - Returns: the ticket to end it with, or why it must not be forwarded.
    public mutating func begin(
        _ command: Command, _ issue: CommandIssue? = nil, by party: Party, name: String, at now: MonotonicTime
    ) -> CommandAdmission<Party> {
        lapse(at: now)
        if command.requiredAuthority == .stop {
            order.note(by: party, name: "\(command.name) by \(name)", number: issue?.number ?? 0)
        }
        if let pilot, pilot.party != party {
            switch command.requiredAuthority {
            case .none: break
            case .command: return .heldBy(pilot)
            case .stop:
                self.pilot = nil
                ended = (.stopped(by: name, command: command.name), now)
            }
        }
        if command.endsWithStops, let issue, let stop = order.newest(over: issue, of: party) {
            return .overruled(by: stop)
        }
        if vehicle == .radio, !command.mayReachRadio { return .flownByRadio }
        guard command.interruptsSteering else { return .admitted(Ticket(number: nil)) }
        newestTakeOver += 1
        takeOvers.insert(newestTakeOver)
        if isMoving || brake != nil { interruptsMotion = true }
        let ticket = Ticket(number: newestTakeOver)
        // The lease is suspended now, not on acceptance: an answer may take longer than the lease.
        lease = nil
        brake = nil
        pausedBrake = nil
        isMoving = false
        return .admitted(ticket)
    }

    /// Ends a command. If the vehicle refused it and all others in progress with it, nothing changed, and the motion before them is
    /// braked. If its outcome is unknown, it may have begun and is not disturbed: the vehicle's tracker ends the old motion by itself.
    public mutating func end(_ ticket: Ticket, _ fate: CommandOutcome, at now: MonotonicTime) {
        guard let number = ticket.number, takeOvers.remove(number) != nil else { return }
        // One that was accepted, or may have been, has replaced the motion before it.
        guard fate == .refused else { return interruptsMotion = false }
        // Another may still replace it.
        guard interruptsMotion, takeOvers.isEmpty else { return }
        interruptsMotion = false
        switch vehicle {
        case .elsewhere, .radio: return
        case .unknown, .steerable: break
        }
        isMoving = true
        startBrake(at: now)
    }

    /// A party is gone for good; its stops remain in force.
    public mutating func forget(_ party: Party) { order.forget(party) }

    // MARK: The vehicle

    /// Updates what the vehicle does, according to its telemetry.
    public mutating func see(_ availability: VehicleAvailability, at now: MonotonicTime) {
        // The radio has it until telemetry shows otherwise.
        if vehicle != .radio || availability != .unknown { vehicle = availability }
        switch availability {
        case .unknown: break
        case .steerable:
            // The interruption was short and telemetry is late: the last setpoint may have arrived when references were
            // accepted again.
            if let end = pausedBrake, now < end { brake = Brake(next: now, end: end) }
            pausedBrake = nil
        case .radio: yield(.flownByRadio, at: now)
        case .elsewhere(let state): yield(.vehicleUnavailable(state), at: now)
        }
    }

    /// The vehicle lands, or is flown by another source: that has precedence, and nothing is sent meanwhile.
    private mutating func yield(_ why: ControlEnding, at now: MonotonicTime) {
        if isMoving {
            pausedBrake = now + times.brakeDuration
        } else if let brake {
            pausedBrake = brake.end
        }
        isMoving = false
        brake = nil
        guard lease != nil else { return }
        lease = nil
        pilot = nil
        ended = (why, now)
    }

    // MARK: Time

    /// Advances time; returns what must be done now.
    public mutating func tick(now: MonotonicTime) -> Action? {
        lapse(at: now)
        guard let brake, brake.next <= now else { return nil }
        let next = now + times.brakePeriod
        self.brake = next < brake.end ? Brake(next: next, end: brake.end) : nil
        return .brake
    }

    /// Handles an expired lease: a pilot whose vehicle moves loses control authority; otherwise he keeps it and starts neutral.
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
        brake = Brake(next: now, end: now + times.brakeDuration)
    }
}
