package import UAVLink

extension RadioFlight {
    /// Why the vehicle is not taken off, disarmed or sent anywhere, and what to do; `nil` if no pilot flies it by radio.
    ///
    /// - Parameter who: the vehicle as the subject of a sentence.
    package func obstacle(_ who: String = "it") -> String? {
        switch self {
        case .no: nil
        case .possible:
            "\(who) may be flown by radio, since no height shows it on the ground: look at it; if it flies, land it by radio"
        case .certain: "\(who) is flown by radio: land it by radio"
        }
    }
}

extension Fleet {
    /// Whether a pilot flies a vehicle by radio, as far as its newest telemetry shows.
    package func radioFlight(of vehicle: LoggedInVehicle?) -> RadioFlight {
        guard let telemetry = vehicle?.link.latestTelemetry else { return .no }
        return telemetry.radioFlight(now: clock.now)
    }
}
