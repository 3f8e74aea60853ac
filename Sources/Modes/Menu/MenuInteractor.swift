public import FlightControl
public import ModeKit
public import UAVLink

/// Knows which modes there are for the selected vehicle, and logs out of it.
@MainActor
public final class MenuInteractor {
    private let fleet: Fleet
    private let modes: [Mode]

    /// An interactor over the fleet, for these modes.
    public init(fleet: Fleet, modes: [Mode]) {
        self.fleet = fleet
        self.modes = modes
    }

    /// The modes in the menu's order.
    public var items: [MenuItem] {
        modes.compactMap { mode in
            switch mode {
            case .login, .menu: nil
            case .joystick:
                MenuItem(mode, title: "Joystick", explanation: "fly by hand: keyboard or game controller")
            case .telemetry:
                MenuItem(mode, title: "Telemetry", explanation: "what the vehicle tells, trail and rates")
            case .mapTrajectory:
                MenuItem(mode, title: "Map trajectory", explanation: "points on a map, flown as a checked trajectory")
            case .indoor:
                MenuItem(mode, title: "Indoor", explanation: "a route through a map made of points")
            case .terminal:
                MenuItem(mode, title: "Terminal", explanation: "a shell on the vehicle's computer")
            case .latencyLab:
                MenuItem(mode, title: "Latency", explanation: "SSH against sockets, measured: can I fly this?")
            }
        }
    }

    /// What the selected vehicle is doing.
    public var flightState: FlightState { fleet.selected?.link.latestTelemetry?.flight?.value.state ?? .unknown }

    /// Whether somebody is logged in.
    public var hasVehicle: Bool { fleet.selected != nil }

    /// Logs out of the selected vehicle.
    ///
    /// - Returns: its title; `nil` when nobody was logged in.
    public func logOut() async -> String? {
        guard let vehicle = fleet.selected else { return nil }
        await fleet.remove(vehicle.id)
        return vehicle.title
    }
}
