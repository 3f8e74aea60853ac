package import FlightControl
package import ModeKit
package import UAVLink

/// Lists the modes, and logs out of the selected vehicle.
@MainActor
package final class MenuInteractor {
    private let fleet: Fleet
    private let modes: [Mode]
    private let losses: @MainActor (LoggedInVehicle) -> [String]

    /// Creates an interactor for a fleet and these modes; `losses` are what a log-out of a vehicle would end.
    package init(
        fleet: Fleet, modes: [Mode], losses: @escaping @MainActor (LoggedInVehicle) -> [String] = { _ in [] }
    ) {
        self.fleet = fleet
        self.modes = modes
        self.losses = losses
    }

    /// The entries in the menu's order; of a mode that the selected vehicle cannot be used with, the reason.
    package var items: [MenuItem] {
        let vehicle = fleet.selected?.link.vehicleCapabilities
        return modes.compactMap { mode in
            var item = item(mode)
            item?.obstacle = vehicle.flatMap {
                mode.obstacle(of: $0, isReachedDirectly: isReachedDirectly)
            }
            return item
        }
    }

    /// Whether the selected vehicle is reached by its own protocol: it has no computer with a shell.
    private var isReachedDirectly: Bool { fleet.selected?.link.kind == .direct }

    private func item(_ mode: Mode) -> MenuItem? {
        switch mode {
        case .login, .menu: nil
        case .joystick:
            MenuItem(mode, title: "Joystick", explanation: "manual flight: keyboard or game controller")
        case .telemetry:
            MenuItem(mode, title: "Telemetry", explanation: "telemetry values, trail and rates")
        case .mapTrajectory:
            MenuItem(mode, title: "Map trajectory", explanation: "route on a map, flown as a checked trajectory")
        case .indoor:
            MenuItem(mode, title: "Indoor", explanation: "route through a point cloud map")
        case .terminal:
            MenuItem(
                mode, title: "Terminal",
                explanation: isReachedDirectly ? "a shell on this computer" : "a shell on the vehicle's computer")
        case .latencyLab:
            MenuItem(mode, title: "Latency", explanation: "measures SSH and sockets: can I fly this?")
        case .robot:
            // For one kind of machine; in the menus of all others it would only say so.
            fleet.selected?.link.vehicleCapabilities.isDrivenByText == true
                ? MenuItem(mode, title: "Robot", explanation: "drive by keys, tasks and text") : nil
        case .flightPlan:
            // Likewise.
            fleet.selected?.link.vehicleCapabilities.fliesPlans == true
                ? MenuItem(
                    mode, title: "Flight plan", explanation: "a text file of commands: checked, simulated, flown")
                : nil
        }
    }

    /// The flight state of the selected vehicle.
    package var flightState: FlightState { fleet.selected?.link.latestTelemetry?.flight?.value.state ?? .unknown }

    /// What the user can do while the link to the selected vehicle is lost; `nil` if it is not.
    var lostLinkAdvice: String? { fleet.selected.flatMap { $0.isLinkLost ? $0.lostLinkAdvice : nil } }

    /// Why a part of the selected vehicle's telemetry does not come; `nil` if it comes, or nothing is known.
    var telemetryFault: LinkError? { fleet.selected?.link.quality.telemetryFault }

    /// That the flight state of the selected vehicle is not the present one; `nil` if it is, or none was received.
    var flightSilence: String? { fleet.flightSilence(of: fleet.selected) }

    /// Whether a pilot flies the selected vehicle by radio.
    var isFlownByRadio: Bool { fleet.radioFlight(of: fleet.selected) == .certain }

    /// Whether the selected vehicle is in the air, by its state or by radio.
    var isAirborne: Bool { flightState.isAirborne || isFlownByRadio }

    /// Why the selected vehicle does not take off now, and what to do; `nil` if it may.
    var takeOffObstacle: String? { fleet.selected.flatMap { fleet.takeOffObstacle(of: [$0]) } }

    /// Whether the selected vehicle flies and takes no setpoints.
    var takesNoSetpoints: Bool { fleet.selected.map { fleet.takesNoReferences($0) } ?? false }

    /// Whether the selected vehicle takes off on command, and can then be steered.
    package var takesOff: Bool {
        let needed = Mode.joystick.requirement.and(VehicleRequirement(commands: .takeoff))
        return fleet.selected?.link.vehicleCapabilities.lack(of: needed) == nil
    }

    /// Whether the selected vehicle says whether it flies: a machine on wheels does not.
    package var reportsFlight: Bool {
        fleet.selected?.link.vehicleCapabilities.telemetry.contains(.flight) == true
    }

    /// Whether the user is logged in to a vehicle.
    package var hasVehicle: Bool { fleet.selected != nil }

    /// The number of the selected vehicle.
    var selectedID: Int? { fleet.selectedID }

    /// The question before a log-out of the selected vehicle; `nil` if nothing would be lost.
    var logOutQuestion: ConfirmationRequest? {
        guard let vehicle = fleet.selected else { return nil }
        let lost = losses(vehicle)
        let isLost = vehicle.isLinkLost
        let mayFly = reportsFlight && (flightState == .unknown || isLost && isAirborne)
        guard mayFly || !lost.isEmpty else { return nil }
        var findings: [FindingLine] = []
        if mayFly {
            findings.append(
                FindingLine(
                    text: "\(isLost ? "Link lost" : "No telemetry"): it may be in the air. "
                        + "When you log out, it continues what it does now.",
                    isFailure: false))
        }
        if !lost.isEmpty {
            findings.append(
                FindingLine(text: "Ends when you log out: \(lost.joined(separator: ", ")).", isFailure: false))
        }
        return ConfirmationRequest(
            title: "Log out of \(vehicle.title.sanitizedLine)?", facts: [], findings: findings, action: "log out",
            otherwise: "you stay logged in", isDangerous: mayFly)
    }

    /// Logs out of the selected vehicle.
    ///
    /// - Returns: its title; `nil` when there was none.
    package func logOut() async -> String? {
        guard let vehicle = fleet.selected else { return nil }
        await fleet.remove(vehicle.id)
        return vehicle.title
    }
}
