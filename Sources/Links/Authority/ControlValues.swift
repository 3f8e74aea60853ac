public import UAVLink

/// How control authority ended for a pilot.
public enum ControlEnding: Hashable, Sendable {
    /// Released by the pilot, with a reason.
    case released(String)
    /// The lease expired without a fresh setpoint.
    case lapsed
    /// The pilot's connection was lost.
    case lost
    /// Taken over by another pilot, with a reason.
    case takenOver(by: String, reason: String)
    /// Another party sent a stop command.
    case stopped(by: String, command: String)
    /// The vehicle lands, is in an emergency, or accepts no references.
    case vehicleUnavailable(FlightState)
    /// The vehicle is flown by radio.
    case flownByRadio

    /// The reason for the user, following "control ended: ". Foreign text is sanitized.
    public var words: String {
        switch self {
        case .released(let reason): reason.isEmpty ? "released" : "released: \(reason.sanitizedLine)"
        case .lapsed: "the lease expired without a fresh setpoint"
        case .lost: "link loss"
        case .takenOver(let name, let reason): "taken over by \(name.sanitizedLine): \(reason.sanitizedLine)"
        case .stopped(let name, let command): "\(name.sanitizedLine) commanded \(command)"
        case .vehicleUnavailable(let state):
            state == .flying ? "the vehicle accepts no references" : "the vehicle is \(state.condition)"
        case .flownByRadio: "the vehicle is flown by radio"
        }
    }
}

/// The answer to a request for control authority.
public enum ControlOutcome<Party: Hashable & Sendable>: Hashable, Sendable {
    /// Control authority is granted.
    case granted
    /// Another pilot has it.
    case heldBy(ControlAuthority<Party>.Pilot)
}

/// The verdict on a setpoint.
public enum SetpointVerdict: Hashable, Sendable {
    /// Forward it.
    case granted
    /// Its sender does not have control authority.
    case notInCommand
    /// Steering has not begun, or was interrupted, and this setpoint is not neutral.
    case neutralFirst
    /// A command that takes over from steering is in progress.
    case commandInProgress
    /// The vehicle lands, is in an emergency, or is flown by the radio.
    case vehicleUnavailable
}

/// Whether a command may proceed.
public enum CommandAdmission<Party: Hashable & Sendable>: Hashable, Sendable {
    /// It may; it is ended with the ticket.
    case admitted(ControlAuthority<Party>.Ticket)
    /// Another pilot has control authority.
    case heldBy(ControlAuthority<Party>.Pilot)
    /// A newer stop command or grant of control authority, named here, came before it.
    case overruled(by: String)
    /// The vehicle is flown by radio.
    case flownByRadio
}

/// How a command ended.
public enum CommandOutcome: Hashable, Sendable {
    /// The vehicle accepted it.
    case accepted
    /// The vehicle refused it, or it never reached the vehicle.
    case refused
    /// It is unknown whether the vehicle acted on it.
    case unknown
}

/// Whether the vehicle accepts setpoints, according to its telemetry.
public enum VehicleAvailability: Hashable, Sendable {
    /// Unknown, or telemetry is too old.
    case unknown
    /// It flies and accepts references, or is on the ground, where setpoints have no effect.
    case steerable
    /// It accepts none: it takes off, lands, is in an emergency, or another tracker is active.
    case elsewhere(FlightState)
    /// It is flown by radio. The real flight stack then switches its output off and says that it is armed. A vehicle that is in the air while
    /// its flight stack has no active tracker counts as flown by radio, in offboard mode too.
    case radio

    /// Derives the availability from telemetry.
    ///
    /// - Parameters:
    ///   - now: telemetry older than ``longestAge`` is ignored.
    public init(_ telemetry: Telemetry?, now: MonotonicTime) {
        guard let flight = telemetry?.flight, flight.age(now: now) <= Self.longestAge else {
            self = .unknown
            return
        }
        switch flight.value.state {
        case .unknown: self = .unknown
        case .disarmed: self = .steerable
        case .armed:
            if telemetry?.isFlownByRadio(now: now) == true {
                self = .radio
            } else {
                // Without a height nothing shows that it stands: whoever flew it by radio may still do so.
                self = telemetry?.showsFlight(now: now) == false ? .steerable : .unknown
            }
        case .takingOff, .landing, .emergency: self = .elsewhere(flight.value.state)
        // Arming was never received: nothing is known of the mode either.
        case .flying where !flight.value.isArmed: self = .unknown
        case .flying where !flight.value.isOffboard: self = .radio
        case .flying:
            let tracker = telemetry?.tracker.flatMap { $0.age(now: now) <= Self.longestAge ? $0.value : nil }
            self = tracker?.takesReferences ?? true ? .steerable : .elsewhere(.flying)
        }
    }

    /// Maximum age of telemetry. The status of the hardware, with arming and mode, comes as slowly as once a second; as for setpoints
    /// (`TelemetryAssembler.silentTopic`).
    public static let longestAge: Duration = .seconds(3)
}

/// The authority that a command requires of its sender.
public enum RequiredAuthority: Hashable, Sendable {
    /// None: it causes no motion.
    case none
    /// Control authority, unless no pilot has it.
    case command
    /// None: it stops or lands the vehicle here and now, which every party may do at any time.
    case stop
}

extension Command {
    /// The authority that the command requires of its sender.
    public var requiredAuthority: RequiredAuthority {
        switch self {
        case .hover, .emergencyHover, .emergencyLand, .stopTrajectory, .land: .stop
        case .snapshot: .none
        // One that is only loaded would be flown by a pilot who starts another one.
        case .uploadTrajectory, .arm, .enableOutput, .offboard, .takeoff, .landHome, .goTo, .altitude, .heading, .turn,
            .goToTrajectoryStart, .startTrajectory, .resumeTrajectory:
            .command
        }
    }
}

extension Command {
    /// Whether it must not act after a stop that is newer than it: it moves or arms the vehicle.
    public var endsWithStops: Bool {
        // One that is only loaded moves nothing.
        if case .uploadTrajectory(let trajectory) = self { return trajectory.fliesNow }
        return requiredAuthority == .command
    }

    /// Whether it is passed on to a vehicle that is flown by radio: stops, and to stop its motors, which only a user who typed its name
    /// commands. Offboard mode is not: with its output on, the real flight stack would let the vehicle fall.
    var mayReachRadio: Bool {
        switch self {
        case .arm(let on), .enableOutput(let on): !on
        default: !endsWithStops
        }
    }
}
