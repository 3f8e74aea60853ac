internal import UAVLink

extension Telemetry {
    /// What the vehicle does that a hover command could end: it takes off, lands, or is in an emergency.
    ///
    /// `nil` if it does none of these, or if that is not known.
    var manoeuvre: FlightState? {
        guard let state = flight?.value.state else { return nil }
        switch state {
        case .takingOff, .landing, .emergency: return state
        case .unknown, .disarmed, .armed, .flying: return nil
        }
    }
}

extension FlightState {
    /// Why a measurement ends in this state, as a clause.
    var endingReason: String {
        switch self {
        case .takingOff: "the vehicle is taking off"
        case .emergency: "the vehicle is in an emergency"
        case .unknown, .disarmed, .armed, .flying, .landing: "the vehicle is \(word)"
        }
    }
}
