internal import UAVLink

/// Whether the flight stack keeps its control output off: after an emergency landing it does, until it is restarted.
///
/// No message says so: it follows from a landing whose last state in the air was an emergency.
struct OutputLock: Sendable {
    /// A longer silence may be a restart of the flight stack.
    static let longestSilence: Duration = .seconds(5)

    /// Whether the output stays off.
    private(set) var isLocked = false
    private var lastAirborne: FlightState?
    private var lastSeen: MonotonicTime?

    /// Adds a flight status.
    mutating func take(_ flight: Sample<FlightStatus>) {
        if let lastSeen, flight.at - lastSeen > Self.longestSilence { (isLocked, lastAirborne) = (false, nil) }
        lastSeen = flight.at
        let status = flight.value
        if status.state.isAirborne {
            (isLocked, lastAirborne) = (false, status.state)
        } else if status.state != .unknown {
            if !status.isOutputEnabled {
                isLocked = isLocked || lastAirborne == .emergency
            } else if isLocked {
                // It was switched on, so it was restarted.
                (isLocked, lastAirborne) = (false, nil)
            }
        }
    }
}

extension Fleet {
    /// Why none of these vehicles takes off now, and what to do; `nil` if one may.
    package func takeOffObstacle(of vehicles: [LoggedInVehicle]) -> String? {
        let obstacles = vehicles.map { vehicle -> String? in
            if let obstacle = radioFlight(of: vehicle).obstacle(vehicle.title) { return obstacle }
            return outputLock(of: vehicle)
        }
        return obstacles.contains(nil) ? nil : obstacles.first ?? nil
    }

    /// That a vehicle does not fly again until its flight stack is restarted; `nil` if it may, as far as is known.
    package func outputLock(of vehicle: LoggedInVehicle) -> String? {
        history(of: vehicle.id)?.isOutputLocked == true ? "\(vehicle.title): \(Self.outputLocked)" : nil
    }

    private static let outputLocked =
        "after an emergency landing the control output stays off: restart the flight stack, then log in again"
}
