package import UAVLink

extension Telemetry {
    /// Whether the vehicle may be sent a neutral setpoint before a command. Not one that is known to land, to be in an emergency or to be
    /// flown by radio: MRS's flight stack takes no reference then, but another may.
    package func permitsBrake(now: MonotonicTime) -> Bool {
        switch flight?.value.state {
        case .landing, .emergency: false
        case .unknown, .disarmed, .armed, .takingOff, .flying, nil: radioFlight(now: now) != .certain
        }
    }
}
