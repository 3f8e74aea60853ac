internal import UAVLink

/// What the vehicle does that a hover command could end, or that makes it obey none.
enum Manoeuvre: Hashable, Sendable {
    case takingOff, landing, emergency
    /// A pilot flies it by radio.
    case byRadio

    /// Why a measurement ends, as a clause.
    var endingReason: String {
        switch self {
        case .takingOff: "the vehicle is taking off"
        case .landing: "the vehicle is landing"
        case .emergency: "the vehicle is in an emergency"
        case .byRadio: "the vehicle is flown by radio"
        }
    }
}

extension Telemetry {
    /// What the vehicle does that a hover command must not meet; `nil` if it does none of this, or if that is not known.
    var manoeuvre: Manoeuvre? {
        guard let state = flight?.value.state else { return nil }
        switch state {
        case .takingOff: return .takingOff
        case .landing: return .landing
        case .emergency: return .emergency
        case .unknown, .disarmed, .armed, .flying: return wasFlownByRadio ? .byRadio : nil
        }
    }
}
