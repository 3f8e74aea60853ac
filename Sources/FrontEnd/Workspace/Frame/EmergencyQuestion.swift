internal import FlightControl
internal import ModeKit
internal import UAVLink

/// What is asked before an emergency landing: some machines descend, others stop their motors and fall, and some have none.
struct EmergencyQuestion {
    /// The titles of those that descend, and of those that fall.
    private let landing: [String]
    private let falling: [String]
    /// The titles of those that cannot do it, and why, of the first one.
    private let without: [String]
    private let lack: String?
    /// The titles of those that land and whose flight stack then keeps its control output off.
    private let locked: [String]
    private let lost: [LoggedInVehicle]

    @MainActor
    init(_ targets: [LoggedInVehicle]) {
        let needed = VehicleRequirement(commands: .emergencyLand)
        let lacking = targets.filter { $0.link.vehicleCapabilities.lack(of: needed) != nil }
        let able = targets.filter { $0.link.vehicleCapabilities.lack(of: needed) == nil }
        without = lacking.map(\.title)
        lack = lacking.first?.link.vehicleCapabilities.lack(of: needed)
        falling = able.filter { $0.link.vehicleCapabilities.emergencyStopsMotors }.map(\.title)
        landing = able.filter { !$0.link.vehicleCapabilities.emergencyStopsMotors }.map(\.title)
        locked = able.filter {
            !$0.link.vehicleCapabilities.emergencyStopsMotors
                && $0.link.vehicleCapabilities.commands.contains(.enableOutput)
        }.map(\.title)
        lost = able.filter { !$0.link.quality.isConnected }
    }

    /// Why none of the vehicles can do it; `nil` if one can.
    var refusal: Notice? {
        guard landing.isEmpty, falling.isEmpty, let lack else { return nil }
        return Notice(.warning, "\(lack); F7 stops", scope: .vehicle)
    }

    var title: String {
        falling.isEmpty ? "Emergency landing" : landing.isEmpty ? "Stop the motors?" : "Land, and stop motors?"
    }

    /// What `y` does.
    var action: String {
        falling.isEmpty ? "land now" : landing.isEmpty ? "stop the motors" : "land, and stop motors"
    }

    /// What `n` leaves; `nil` for the usual words.
    var otherwise: String? { falling.isEmpty ? nil : "keep flying" }

    /// What it does. It can be given over a lost link too, since it may just reach the vehicle.
    var text: String {
        var words: [String] = []
        if !landing.isEmpty {
            words.append(
                "\(landing.joined(separator: ", ")) lands immediately at its position and accepts no other command.")
        }
        if !locked.isEmpty {
            let who = locked == landing && falling.isEmpty ? "it" : locked.joined(separator: ", ")
            words.append(
                "After that \(who) does not fly again until its flight stack is restarted: the control output stays off."
            )
        }
        if !falling.isEmpty { words.append("The motors of \(falling.joined(separator: ", ")) stop at once: it FALLS.") }
        if !without.isEmpty { words.append("\(without.joined(separator: ", ")) cannot do this.") }
        words.append("F7 only hovers.")
        if !lost.isEmpty {
            let isMachine = lost.allSatisfy { $0.link.kind == .direct }
            let way = isMachine ? "over another link" : "by the radio remote control or over another link"
            let aim = landing.isEmpty ? "to be sure, stop it" : "to be sure of a landing, command it"
            words.append(
                "The link to \(lost.map(\.title).joined(separator: ", ")) is lost: this may not be sent or not arrive; "
                    + "\(aim) \(way).")
        }
        return words.joined(separator: " ")
    }
}
