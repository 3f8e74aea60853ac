extension FlightState {
    /// The state for the user, following "the vehicle is": `taking off`, `in emergency`.
    public var condition: String {
        switch self {
        case .takingOff: "taking off"
        case .emergency: "in emergency"
        case .unknown, .disarmed, .armed, .flying, .landing: word
        }
    }
}
