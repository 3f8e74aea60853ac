package import UAVLink

/// Whether the vehicle flies, as far as its telemetry says.
package enum FlightCondition: Hashable, Sendable {
    /// It is on the ground with its motors off.
    case onGround
    /// Its motors are on, and nothing shows it in the air.
    case armed
    /// It is in the air, flown by radio; its flight stack says no more than that it is armed.
    case flownByRadio
    /// It is off the ground, in this state.
    case airborne(FlightState)
    /// It is not known, for this reason.
    case unknown(String)

    /// The condition by the newest flight status, and by whether a pilot flies it by radio.
    package init(_ status: FlightStatus, radio: RadioFlight = .no) {
        if radio == .certain {
            self = .flownByRadio
        } else if status.state.isAirborne {
            self = .airborne(status.state)
        } else if status.isArmed || status.state == .armed {
            self = .armed
        } else if status.state == .disarmed {
            self = .onGround
        } else {
            self = .unknown("its flight stack does not say")
        }
    }
}

extension FlightCondition {
    /// Refuses to go on while the vehicle flies; while it is armed, unless forced.
    ///
    /// - Returns: a warning about what was assumed; `nil` where the vehicle is known to be on the ground with its motors off.
    /// - Throws: ``DeploymentFailure``.
    func requireGround(of vehicle: String, isForced: Bool) throws(DeploymentFailure) -> String? {
        switch self {
        case .onGround: return nil
        case .unknown(let why):
            return "whether \(vehicle) flies is not known (\(why)): assumed that it is on the ground"
        case .armed:
            guard isForced else {
                throw .refused(
                    "\(vehicle) is armed: nothing was changed",
                    hint: "look at it; repeat the command when it stands and is disarmed, or with --force")
            }
            return "\(vehicle) is armed"
        case .flownByRadio:
            throw .refused(
                "\(vehicle) is flown by radio: nothing was changed", hint: "repeat the command when it has landed")
        case .airborne(let state):
            throw .refused(
                "\(vehicle) flies (\(state.word)): nothing was changed", hint: "repeat the command when it has landed")
        }
    }
}
