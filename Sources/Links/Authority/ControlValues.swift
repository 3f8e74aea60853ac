public import UAVLink

/// How the command of a vehicle ended for a pilot.
public enum ControlEnding: Hashable, Sendable {
    /// He gave it back, for that reason.
    case released(String)
    /// No fresh setpoint came within the lease.
    case lapsed
    /// Nothing was heard of him.
    case lost
    /// Another took it, for that reason.
    case takenOver(by: String, reason: String)
    /// Another commanded a stop.
    case stopped(by: String, command: String)
    /// The vehicle lands, is in an emergency, or is flown by the radio.
    case vehicleElsewhere(FlightState)

    /// Why, for a person: goes on after "control ended: ". What others wrote is made harmless.
    public var words: String {
        switch self {
        case .released(let reason): reason.isEmpty ? "given back" : "given back: \(reason.harmlessLine)"
        case .lapsed: "no fresh setpoint came in time"
        case .lost: "the pilot was not heard any more"
        case .takenOver(let name, let reason): "taken over by \(name.harmlessLine): \(reason.harmlessLine)"
        case .stopped(let name, let command): "\(name.harmlessLine) commanded \(command)"
        case .vehicleElsewhere(let state):
            state == .flying ? "the vehicle takes no references" : "the vehicle is \(state.word)"
        }
    }
}

/// What asking for command came to.
public enum ControlOutcome<Party: Hashable & Sendable>: Hashable, Sendable {
    /// He is in command.
    case granted
    /// Somebody else is.
    case heldBy(ControlAuthority<Party>.Pilot)
}

/// What becomes of a setpoint.
public enum SetpointVerdict: Hashable, Sendable {
    /// It is to be passed on.
    case granted
    /// Its sender is not in command.
    case notInCommand
    /// Steering has not begun, or has been interrupted, and this setpoint is not neutral.
    case neutralFirst
    /// A command that takes over from steering is under way.
    case commandUnderWay
    /// The vehicle lands, is in an emergency, or is flown by the radio.
    case vehicleElsewhere
}

/// Whether a command may go on.
public enum CommandAdmission<Party: Hashable & Sendable>: Hashable, Sendable {
    /// It may; the ticket ends it.
    case admitted(ControlAuthority<Party>.Ticket)
    /// Somebody else is in command.
    case heldBy(ControlAuthority<Party>.Pilot)
}

/// How a command ended.
public enum CommandFate: Hashable, Sendable {
    /// The vehicle accepted it.
    case accepted
    /// The vehicle refused it, or it never reached the vehicle.
    case refused
    /// It is not known whether the vehicle acted on it.
    case unknown
}

/// Whether the vehicle can be flown by setpoints, as far as its telemetry tells.
public enum VehicleAvailability: Hashable, Sendable {
    /// Nothing is known, or it is too old to count.
    case unknown
    /// It flies and takes references, or stands on the ground, where setpoints do nothing.
    case steerable
    /// It takes none: it takes off or lands, is in an emergency, or is flown by somebody else.
    case elsewhere(FlightState)

    /// What telemetry tells.
    ///
    /// - Parameters:
    ///   - now: telemetry older than ``longestAge`` counts as none.
    public init(_ telemetry: Telemetry?, now: MonotonicTime) {
        guard let flight = telemetry?.flight, flight.age(now: now) <= Self.longestAge else {
            self = .unknown
            return
        }
        switch flight.value.state {
        case .unknown: self = .unknown
        case .disarmed, .armed: self = .steerable
        case .takingOff, .landing, .emergency: self = .elsewhere(flight.value.state)
        case .flying:
            let tracker = telemetry?.tracker.flatMap { $0.age(now: now) <= Self.longestAge ? $0.value : nil }
            let isSteerable = flight.value.isOffboard && tracker?.takesReferences ?? true
            self = isSteerable ? .steerable : .elsewhere(.flying)
        }
    }

    /// The flight stack's diagnostics come at 10 Hz: ten of them missed, and nothing is known.
    public static let longestAge: Duration = .seconds(1)
}

/// What a command needs of who gives it.
public enum NeededAuthority: Hashable, Sendable {
    /// Nothing: it moves nothing.
    case none
    /// That he is in command, or nobody is.
    case command
    /// Nothing either: it stops the vehicle or brings it down here and now, which everybody may do at any time.
    case stop
}

extension Command {
    /// What it needs of who gives it.
    public var neededAuthority: NeededAuthority {
        switch self {
        case .hover, .emergencyHover, .emergencyLand, .stopTrajectory, .land: .stop
        case .snapshot: .none
        case .uploadTrajectory(let trajectory): trajectory.fliesNow ? .command : .none
        case .arm, .enableOutput, .offboard, .takeoff, .landHome, .goTo, .altitude, .heading, .turn,
            .goToTrajectoryStart, .startTrajectory, .resumeTrajectory:
            .command
        }
    }
}
