internal import FlightControl
internal import ModeKit
internal import UAVLink

/// What the vehicle's capabilities leave of the settings and keys.
extension JoystickInteractor {
    /// Whether all targets are known to stand on the ground now, and stay there: a hover would be refused, and has nothing to stop.
    var areTargetsOnGround: Bool {
        // A take-off that goes on still has steps to send, or does not show yet.
        guard flight.underWay == nil, !hasNewCommand else { return false }
        return targets.allSatisfy { target in
            switch target.flightStatus(now: clock.now)?.state {
            case .disarmed: true
            // A vehicle that is flown by radio is reported so, too.
            case .armed: radioFlight(of: target) == .no
            default: false
            }
        }
    }

    /// The vehicle that is steered, or would be.
    var vehicle: LoggedInVehicle? {
        if case .released = state { return selected }
        return steered ?? selected
    }

    /// What that vehicle can do; everything without one, so that the screen shows all that there could be.
    var capabilities: VehicleCapabilities { vehicle?.link.vehicleCapabilities ?? .mrs }

    /// Dead zone, curve and speed limits, along the vehicle's axes and at most as fast as it can follow.
    var shaping: StickShaping {
        var shaping = settings.shaping
        shaping.limits = chosenLimits
        return shaping.limited(to: capabilities.steering)
    }

    /// The speed limits that were chosen for that vehicle.
    var chosenLimits: SpeedLimits { vehicle.flatMap { store.limits[$0.id] } ?? settings.shaping.limits }

    /// The frame of velocities: that of the settings, or the one that the vehicle takes.
    var frame: VelocitySetpoint.Frame {
        guard let frames = capabilities.steering?.frames, !frames.contains(settings.frame) else {
            return settings.frame
        }
        return settings.frame == .body ? .world : .body
    }

    /// Why none of the target vehicles can execute a command; `nil` if one can.
    func lack(of command: CommandKinds) -> String? {
        let lacks = targets.map { target in
            target.link.vehicleCapabilities.lack(of: VehicleRequirement(commands: command)).map {
                "\(target.title): \($0)"
            }
        }
        return lacks.contains(nil) ? nil : lacks.first ?? nil
    }

    /// Why the frame cannot be changed; `nil` if it can.
    var frameObstacle: String? {
        guard let frames = capabilities.steering?.frames, frames != .all else { return nil }
        return "\(capabilities.machine.sanitizedLine) takes velocities in the "
            + "\(frames.contains(VelocitySetpoint.Frame.body) ? "body" : "world") frame only"
    }
}
