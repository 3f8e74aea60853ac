internal import FlightControl
internal import ReportKit
internal import UAVLink

/// Notices what needs attention when it begins: a low battery, a lost link, telemetry that does not come, of any vehicle.
struct VehicleAlarms {
    /// Flight manuals for LiPo batteries: land below 20 %; below 10 % it may be too late.
    private static let batteryLimits = [0.2, 0.1]
    /// A charge that is measured under load rises again: only above this much over a limit the alarm is armed again.
    private static let batteryHysteresis = 0.05

    private struct Known {
        /// How many of the limits the charge is below.
        var level = 0
        var isLost = false
        var wasConnected = false
        var fault: LinkError?
        var pilot: ControlStatus.Pilot?
    }

    private var known: [Int: Known] = [:]

    /// The state of a vehicle.
    struct Reading {
        /// The number of the vehicle.
        var id: Int
        var title: String
        /// The remaining charge, 0 to 1; `nil` if it is not known.
        var charge: Double?
        var isConnected: Bool
        /// Why a part of the telemetry does not come; `nil` if it comes, or nothing is known.
        var telemetryFault: LinkError?
        /// Who has control authority, unless it is a measurement of this program; `nil` if that is not known.
        var control: ControlStatus?
    }

    /// What has begun since the last call.
    mutating func look(at vehicles: [Reading]) -> [Notice] {
        known = known.filter { entry in vehicles.contains { $0.id == entry.key } }
        return vehicles.flatMap { look(at: $0) }
    }

    private mutating func look(at vehicle: Reading) -> [Notice] {
        var state = known[vehicle.id] ?? Known()
        defer { known[vehicle.id] = state }
        var notices: [Notice] = []
        let title = vehicle.title.sanitizedLine
        let isLost = !vehicle.isConnected && state.wasConnected
        if isLost, !state.isLost { notices.append(Notice(.error, "\(title): link lost")) }
        if state.isLost, vehicle.isConnected { notices.append(Notice(.success, "\(title): link restored")) }
        state.isLost = isLost
        state.wasConnected = state.wasConnected || vehicle.isConnected
        if let fault = vehicle.telemetryFault, fault != state.fault {
            notices.append(Notice(.warning, "\(title): telemetry: \(fault)", scope: .vehicle))
        }
        state.fault = vehicle.telemetryFault
        if let control = vehicle.control {
            if let takeOver = Self.takeOver(control, from: state.pilot, of: title) { notices.append(takeOver) }
            state.pilot = control.pilot
        }
        guard let charge = vehicle.charge else { return notices }
        let level = Self.batteryLimits.filter { charge < $0 }.count
        if level > state.level {
            let percent = (charge * 100).formatted(decimals: 0)
            notices.append(Notice(.warning, "\(title): battery low, \(percent) %", scope: .vehicle))
            state.level = level
        } else {
            state.level = min(state.level, Self.batteryLimits.filter { charge < $0 + Self.batteryHysteresis }.count)
        }
        return notices
    }

    /// That another pilot has taken control over, with his reason, which every pilot sees.
    private static func takeOver(
        _ control: ControlStatus, from before: ControlStatus.Pilot?, of title: String
    ) -> Notice? {
        // By the name, which no other has: the time since when is reckoned anew from each frame.
        guard let before, let pilot = control.pilot, !pilot.isYou, before.isYou || pilot.name != before.name else {
            return nil
        }
        // The companion's words (``ControlEnding``); another one's may differ, and are said as they are.
        let reason = control.lastEndReason.sanitizedLine
        guard reason.hasPrefix("taken over") else { return nil }
        let from = before.isYou ? "from you" : "from \(before.name.sanitizedLine)"
        return Notice(before.isYou ? .warning : .information, "\(title): control \(reason) (\(from))", scope: .vehicle)
    }
}
