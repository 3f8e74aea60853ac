internal import UAVLink

/// Of the vehicles that are commanded those that would take off, as far as telemetry shows.
package struct TakeOffTargets: Sendable {
    package init() {}

    /// Those that would take off.
    package var vehicles: [LoggedInVehicle] = []
    /// Whether their take-off only clears an emergency, in which all of them are.
    package var clearsEmergency = false
    /// The others, each with what keeps it from that: `uav2 (flying)`.
    package var leftOut: [String] = []
}

extension Fleet {
    /// Which of some vehicles would take off. The others would refuse it, and are not asked about.
    package func takeOffTargets(of vehicles: [LoggedInVehicle]) -> TakeOffTargets {
        var targets = TakeOffTargets()
        for vehicle in vehicles {
            if let reason = reasonNotToTakeOff(vehicle) {
                targets.leftOut.append("\(vehicle.title) (\(reason))")
            } else {
                targets.vehicles.append(vehicle)
            }
        }
        guard targets.vehicles.isEmpty else { return targets }
        // Beside others that take off it would stay behind, and nobody would notice that its emergency was cleared.
        let cleared = vehicles.filter(isClearedByTakeOff)
        guard !cleared.isEmpty else { return targets }
        targets = TakeOffTargets()
        targets.clearsEmergency = true
        targets.vehicles = cleared
        for vehicle in vehicles where !isClearedByTakeOff(vehicle) {
            targets.leftOut.append("\(vehicle.title) (\(reasonNotToTakeOff(vehicle) ?? ""))")
        }
        return targets
    }

    private func isClearedByTakeOff(_ vehicle: LoggedInVehicle) -> Bool {
        vehicle.link.vehicleCapabilities.takeOffClearsEmergency && radioFlight(of: vehicle) == .no
            && vehicle.link.latestTelemetry?.flight?.value.state == .emergency
    }

    /// Those that a question has named and that are still commanded; without those that have left the ground meanwhile, unless
    /// all have.
    package func takeOffTargets(stillOf asked: [LoggedInVehicle]) -> [LoggedInVehicle] {
        let commanded = commanded(of: asked)
        let able = takeOffTargets(of: commanded).vehicles
        return able.isEmpty ? commanded : able
    }

    /// Those of some vehicles that are commanded still.
    package func commanded(of asked: [LoggedInVehicle]) -> [LoggedInVehicle] {
        targets.filter { target in asked.contains { $0.id == target.id } }
    }

    private func reasonNotToTakeOff(_ vehicle: LoggedInVehicle) -> String? {
        switch radioFlight(of: vehicle) {
        case .certain: return "flown by radio"
        case .possible: return "may be flown by radio"
        case .no: break
        }
        switch vehicle.link.latestTelemetry?.flight?.value.state ?? .unknown {
        case .unknown, .disarmed, .armed:
            return history(of: vehicle.id)?.isOutputLocked == true ? "its control output stays off" : nil
        case .takingOff: return "taking off"
        case .flying: return "flying"
        case .landing: return "landing"
        case .emergency: return "in an emergency"
        }
    }
}
